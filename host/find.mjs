import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOSTS, installHost, nodeOfMajor } from './install.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

/** Where an n8n lies below a folder: the package itself, an installation, or the unpacked file system of its image. */
const PLACES = ['.', 'node_modules/n8n', 'usr/local/lib/node_modules/n8n'];

/**
 * An n8n by what a person calls it: one that is pinned here, a folder that holds one, or a container image. What comes
 * out is started alike.
 */
export async function findHost(which) {
	if (HOSTS.includes(which)) return installHost(which);
	if (existsSync(which) && statSync(which).isDirectory()) return inFolder(resolve(which));
	if (/[/:]/.test(which)) return inContainer(which);
	throw new Error(`There is no n8n called '${which}': name ${HOSTS.join(', ')}, a folder, or a container image`);
}

async function inFolder(folder) {
	const root = PLACES.map((place) => join(folder, place)).find((place) => existsSync(join(place, 'bin', 'n8n')));
	if (root === undefined) throw new Error(`${folder} holds no n8n: looked into ${PLACES.join(', ')}`);
	const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const node = await nodeOfMajor(Number(/\d+/.exec(engines?.node ?? '24')[0]));
	return { node, bin: join(root, 'bin', 'n8n'), env: { PATH: dirname(node) + delimiter + process.env.PATH }, version };
}

/** A program of ours starts the container, so that to everyone else it is a process like the others. */
function inContainer(image) {
	const engine = containerEngine();
	const version = execFileSync(engine, ['run', '--rm', image, '--version'], { encoding: 'utf8' }).trim();
	return {
		node: process.execPath,
		bin: join(HERE, 'container.mjs'),
		env: { PATH: process.env.PATH, CONTAINER_ENGINE: engine, CONTAINER_IMAGE: image },
		version,
		// Killing the program that started it leaves the container as it is.
		end: (folder) => execFileSync(engine, ['rm', '--force', containerName(folder)], { stdio: 'ignore' }),
	};
}

function containerEngine() {
	const found = ['docker', 'podman'].find((engine) => {
		try {
			execFileSync(engine, ['--version'], { stdio: 'ignore' });
			return true;
		} catch {
			return false;
		}
	});
	if (found === undefined) throw new Error('An n8n in a container needs Docker or Podman');
	return found;
}

/** One container for each user folder. */
export const containerName = (folder) => `e2e-${folder.replace(/\W+/g, '-').replace(/^-/, '')}`;
