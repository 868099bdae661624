import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const READY_WITHIN_MS = 300_000;

const alive = new Set<ChildProcess>();

process.on('exit', () => {
	for (const server of alive) server.kill('SIGKILL');
});

/** A program beside n8n, as soon as it answers. It ends with this one at the latest. */
export async function serve(
	[file, ...args]: string[],
	cwd: string,
	answers: () => Promise<boolean>,
): Promise<ChildProcess> {
	const log = join(cwd, `${basename(file)}.log`);
	const output = openSync(log, 'a');
	const server = spawn(file, args, { cwd, stdio: ['ignore', output, output] });
	closeSync(output);
	alive.add(server);
	server.once('exit', () => alive.delete(server));
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await answers())) {
		if (Date.now() > deadline || server.exitCode !== null) {
			server.kill('SIGKILL');
			throw new Error(`${file} does not answer:\n${readFileSync(log, 'utf8').slice(-2000)}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	return server;
}
