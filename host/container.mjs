import { spawn } from 'node:child_process';
import { containerName } from './find.mjs';

/**
 * node host/container.mjs <command of n8n>: runs it in a container, with this process's environment, on the network of
 * this machine and in the user folder that the environment names. Ends when the container ends, and ends it when asked to.
 */
const { CONTAINER_ENGINE: engine, CONTAINER_IMAGE: image, N8N_USER_FOLDER: folder } = process.env;

/** These say where things lie on this machine. */
const OF_THIS_MACHINE = /^(PATH|PWD|SHLVL|_|NODE_.*|npm_.*|CONTAINER_.*)$/;
const names = Object.keys(process.env).filter((name) => !OF_THIS_MACHINE.test(name));

const child = spawn(
	engine,
	[
		...['run', '--rm', '--init', '--name', containerName(folder), '--network', 'host'],
		...['--user', `${process.getuid()}:${process.getgid()}`, '--volume', `${folder}:${folder}`, '--workdir', folder],
		// By name only: a value does not show in the list of processes.
		...names.flatMap((name) => ['--env', name]),
		image,
		...process.argv.slice(2),
	],
	{ stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => {
	console.log(message);
	process.exitCode = 1;
});
child.on('close', (code) => (process.exitCode = code ?? 1));
