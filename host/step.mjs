import { spawn } from 'node:child_process';

const KEPT_LINES = 60;
const SIGN_OF_LIFE_MS = 10_000;
/** Of other people's packages: nothing that whoever waits could do something about. It is shown if the step fails. */
const WARNING = /^\s*(npm|pnpm)?\s*warn/i;

export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/** Runs one command as a named step: says that it starts, that it lives and how long it took; shows its output if it fails. */
export function step(title, command, args, options = {}) {
	const started = Date.now();
	const lines = [];
	console.log(`… ${title}`);
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			...options,
			stdio: ['ignore', 'pipe', 'pipe'],
			// npm is a batch file on Windows.
			shell: process.platform === 'win32',
		});
		const endToo = () => child.kill();
		process.once('exit', endToo);
		const keep = (chunk) => {
			lines.push(
				...String(chunk)
					.split(/[\r\n]+/)
					.filter((line) => line.trim() !== ''),
			);
			lines.splice(0, lines.length - KEPT_LINES);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		const alive = setInterval(() => {
			const last = (lines.findLast((line) => !WARNING.test(line)) ?? '').trim().slice(0, 90);
			console.log(`  ${title}: ${seconds(started)}${last && `, ${last}`}`);
		}, SIGN_OF_LIFE_MS);
		const end = (problem) => {
			clearInterval(alive);
			process.off('exit', endToo);
			if (problem === undefined) {
				console.log(`✓ ${title} (${seconds(started)})`);
				resolve(lines.join('\n'));
			} else {
				reject(new Error(`${title} failed after ${seconds(started)}: ${problem}\n${lines.join('\n')}`));
			}
		};
		child.on('error', (error) => end(error.message));
		child.on('close', (code, signal) => end(code === 0 ? undefined : `exit ${code ?? signal}`));
	});
}
