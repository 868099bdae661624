import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { step } from '../host/step.mjs';

const MINIMUM = [20, 19];

const CHROMIUM = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/snap/bin/chromium',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const ON_LINUX = 'npm run rehearse on Debian or Ubuntu';

/**
 * What no npm package brings along. The lines are what a person types; the packages are Debian's. What no package gives
 * has to be looked for elsewhere.
 */
const NEEDS = {
	compiler: {
		why: 'the real n8n compiles its database driver',
		isThere: () => onPath('python3') && onPath('make') && (onPath('g++') || onPath('clang++')),
		packages: ['python3', 'make', 'g++'],
		onMac: 'xcode-select --install',
	},
	browser: {
		why: "the editor's checks run in Chromium",
		isThere: () => chromium() !== undefined,
		packages: ['chromium'],
		onMac: 'brew install --cask chromium',
	},
	queue: {
		why: "n8n's queue mode keeps its jobs in Redis and its executions in PostgreSQL",
		isThere: () => program('redis-server') !== undefined && program('initdb') !== undefined,
		packages: ['redis-server', 'postgresql'],
		onMac: 'brew install redis postgresql',
	},
	rehearsal: {
		why: 'the release is rehearsed in a Debian of its own',
		isThere: () => onPath('mmdebstrap') && onPath('unshare'),
		packages: ['mmdebstrap', 'util-linux'],
		onMac: ON_LINUX,
	},
	layers: {
		why: 'the rehearsal mounts a layer over that Debian, as root, and a container may not allow it',
		isThere: mayMountLayers,
		elsewhere: process.platform === 'linux' ? 'sudo npm run rehearse, outside of a container' : ON_LINUX,
	},
};

const DEBIANS_POSTGRESQL = '/usr/lib/postgresql';

/** Where a program of Redis or PostgreSQL is; Debian keeps those of PostgreSQL out of the path. */
export function program(name) {
	const versions = existsSync(DEBIANS_POSTGRESQL) ? readdirSync(DEBIANS_POSTGRESQL) : [];
	return [
		...(process.env.PATH ?? '').split(delimiter),
		...versions.map((version) => join(DEBIANS_POSTGRESQL, version, 'bin')),
	]
		.map((folder) => join(folder, name))
		.find((path) => existsSync(path));
}

/** The browser for the checks; CHROMIUM names another one. */
export function chromium() {
	return [process.env.CHROMIUM, ...CHROMIUM].find((path) => path !== undefined && existsSync(path));
}

/** Tried in a folder of its own, because a container's file system may refuse to be a layer. */
function mayMountLayers() {
	if (process.getuid?.() !== 0) return false;
	const folder = mkdtempSync(join(tmpdir(), 'layers-'));
	const mount =
		'mkdir lower upper work all && mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work all';
	const { status } = spawnSync('unshare', ['-m', 'sh', '-c', mount], { cwd: folder });
	rmSync(folder, { recursive: true, force: true });
	return status === 0;
}

export function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return;
	throw new Error(`Node ${MINIMUM.join('.')} or newer is needed, this is ${process.versions.node}`);
}

/**
 * Installs what is lacking where that is ours to do, and returns what is still missing, each with the line that mends it
 * and whether that line mends it on this machine.
 */
export async function provide(names) {
	const missing = () => names.filter((name) => !NEEDS[name].isThere());
	const packages = missing().flatMap((name) => NEEDS[name].packages ?? []);
	if (packages.length > 0 && mayInstall()) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		try {
			await step('reading the list of Debian packages', 'apt-get', ['update'], { env });
			const install = ['install', '-y', '--no-install-recommends', ...packages];
			await step(`installing ${packages.join(', ')}`, 'apt-get', install, { env });
		} catch (error) {
			console.log(error.message);
		}
	}
	return missing().map((name) => ({ name, why: NEEDS[name].why, ...mending(NEEDS[name]) }));
}

const isDebian = () => existsSync('/etc/debian_version') && onPath('apt-get');

const mayInstall = () => isDebian() && process.getuid?.() === 0;

function mending({ packages, onMac, elsewhere }) {
	if (elsewhere !== undefined) return { fix: elsewhere, here: false };
	if (process.platform === 'darwin') return { fix: onMac, here: onMac !== ON_LINUX };
	if (isDebian()) return { fix: `sudo apt-get install -y ${packages.join(' ')}`, here: true };
	return { fix: `install ${packages.join(', ')} with the package manager of your system`, here: true };
}

function onPath(program) {
	const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
	return (process.env.PATH ?? '')
		.split(delimiter)
		.some((folder) => endings.some((ending) => existsSync(join(folder, program + ending))));
}

/** Installs the project's own dependencies unless they are what the lock file says. */
export async function installDependencies(root) {
	if (dependenciesMatch(root)) return;
	await step('installing dependencies', 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
}

function dependenciesMatch(root) {
	const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
	if (installed === undefined) return false;
	return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(
		([path, { version, optional, peer }]) => path === '' || optional || peer || installed[path]?.version === version,
	);
}

function packagesIn(lockFile) {
	return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : undefined;
}
