import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { step } from '../host/step.mjs';

/** The lowest minor version of each major one; what lint needs refuses 21. */
const LOWEST = { 20: 19, 21: Infinity, 22: 13 };

const CHROMIUM = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/snap/bin/chromium',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** What no npm package brings along. The lines are what a person types; the packages are Debian's. */
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

export function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major >= 20 && minor >= (LOWEST[major] ?? 0)) return;
	throw new Error(`Node 20.19, 22.13 or newer is needed, this is ${process.versions.node}`);
}

/** Installs what is lacking where that is ours to do, and returns what is still missing, each with the line that mends it. */
export async function provide(names) {
	const missing = () => names.filter((name) => !NEEDS[name].isThere());
	const packages = missing().flatMap((name) => NEEDS[name].packages);
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
	return missing().map((name) => ({ name, why: NEEDS[name].why, fix: mending(NEEDS[name]) }));
}

const isDebian = () => existsSync('/etc/debian_version') && onPath('apt-get');

const mayInstall = () => isDebian() && process.getuid?.() === 0;

function mending({ packages, onMac }) {
	if (process.platform === 'darwin') return onMac;
	if (isDebian()) return `sudo apt-get install -y ${packages.join(' ')}`;
	return `install ${packages.join(', ')} with the package manager of your system`;
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
