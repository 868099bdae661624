import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, temporaryFolder } from './built';

// An n8n that is not pinned here: in a folder, or in a container. Which one is found, and how it is started.

const found = (which: string, env: object = {}) =>
	JSON.parse(
		execFileSync(
			process.execPath,
			[
				'--input-type=module',
				'-e',
				`import { findHost } from ${JSON.stringify(path.join(root, 'host/find.mjs'))};
				const found = await findHost(process.argv[1]).catch(({ message }) => ({ message }));
				process.stdout.write(JSON.stringify(found));`,
				which,
			],
			{ encoding: 'utf8', env: { ...process.env, ...env } },
		),
	);

function holding(place: string): string {
	const folder = temporaryFolder();
	mkdirSync(path.join(folder, place, 'bin'), { recursive: true });
	writeFileSync(path.join(folder, place, 'bin/n8n'), '');
	writeFileSync(path.join(folder, place, 'package.json'), '{ "version": "3.0.0", "engines": { "node": ">=20" } }');
	return folder;
}

test.each(['.', 'node_modules/n8n', 'usr/local/lib/node_modules/n8n'])('an n8n in a folder, below %s', (place) => {
	const folder = holding(place);
	expect(found(folder)).toMatchObject({ version: '3.0.0', bin: path.join(folder, place, 'bin/n8n') });
});

test('a folder without n8n and an unknown name are refused with the names there are', () => {
	expect(found(temporaryFolder()).message).toMatch(/holds no n8n: looked into \., node_modules\/n8n/);
	expect(found('newst').message).toBe(
		"There is no n8n called 'newst': name newest, oldest, a folder, or a container image",
	);
});

/** Stands in for Docker: notes how it was called. */
function engine(): { PATH: string; calls(): string[][] } {
	const folder = temporaryFolder();
	const notes = path.join(folder, 'calls');
	const program = path.join(folder, 'docker');
	writeFileSync(
		program,
		`#!/bin/sh\nfor each in "$@"; do printf '%s\\t' "$each"; done >> ${notes}\necho >> ${notes}\necho 3.0.0\n`,
	);
	chmodSync(program, 0o755);
	return {
		PATH: `${folder}${path.delimiter}${process.env.PATH}`,
		calls: () =>
			readFileSync(notes, 'utf8')
				.trim()
				.split('\n')
				.map((line) => line.split('\t').filter((each) => each !== '')),
	};
}

test('an image is asked for its version and run in the folder, on the network and as the user of this machine', () => {
	const { PATH, calls } = engine();
	const host = found('n8nio/n8n:3.0.0', { PATH });
	expect(host).toMatchObject({ version: '3.0.0', env: { CONTAINER_IMAGE: 'n8nio/n8n:3.0.0' } });

	const env = { ...host.env, N8N_USER_FOLDER: '/tmp/n8n-a', N8N_PORT: '21799', NODE_OPTIONS: '' };
	execFileSync(host.node, [host.bin, 'start'], { env });
	const [, asked, run] = calls();
	expect(asked).toEqual(['run', '--rm', 'n8nio/n8n:3.0.0', '--version']);
	expect(run).toEqual([
		...['run', '--rm', '--init', '--name', 'e2e-tmp-n8n-a', '--network', 'host'],
		...['--user', `${process.getuid!()}:${process.getgid!()}`],
		...['--volume', '/tmp/n8n-a:/tmp/n8n-a', '--workdir', '/tmp/n8n-a'],
		...['--env', 'N8N_USER_FOLDER', '--env', 'N8N_PORT', 'n8nio/n8n:3.0.0', 'start'],
	]);
});
