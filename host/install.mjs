import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seconds, step } from './step.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const LOCKED = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

export const HOSTS = ['newest', 'oldest'];

/** What is pinned for a host, without installing it. */
export function pinned(which) {
	const manifest = JSON.parse(readFileSync(join(HERE, which, 'package.json'), 'utf8'));
	return { n8n: manifest.dependencies.n8n, nodeMajor: Number(/\d+/.exec(manifest.engines.node)[0]) };
}

export function isInstalled(which) {
	const stamp = stampFile(which);
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(which);
}

/**
 * Installs a pinned n8n unless it is there already.
 * Returns the Node to run it with, n8n's start script and the environment that makes its children use the same Node.
 */
export async function installHost(which) {
	const { n8n, nodeMajor } = pinned(which);
	const node = await nodeOfMajor(nodeMajor);
	const env = { PATH: dirname(node) + delimiter + process.env.PATH };
	const folder = join(HERE, which);
	if (!isInstalled(which)) {
		await alone(which, async () => {
			if (isInstalled(which)) return;
			const pnpm = await installTool('tool', 'pnpm/bin/pnpm.cjs');
			// Without the stamp an earlier installation was interrupted, and half-built binaries look like whole ones.
			rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
			console.log(`n8n ${n8n} is about 2 GB: this takes two to four minutes the first time`);
			const install = [pnpm, 'install', '--frozen-lockfile', '--reporter=append-only'];
			const installEnv = { ...withoutProjectSettings(), ...env, ...nativeBuild(node) };
			await step(`installing n8n ${n8n}`, node, install, { cwd: folder, env: installEnv });
			await step(`loading the database driver of n8n ${n8n}`, node, ['-e', loadDatabaseDriver], { cwd: folder });
			writeFileSync(stampFile(which), fingerprint(which));
		});
	}
	return { node, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), env, version: n8n };
}

const loadDatabaseDriver = `require(require.resolve('sqlite3', { paths: [require('fs').realpathSync('node_modules/n8n')] }))`;

const stampFile = (which) => join(HERE, which, 'node_modules', '.complete');

function fingerprint(which) {
	const hash = createHash('sha256');
	for (const file of LOCKED) hash.update(readFileSync(join(HERE, which, file)));
	return hash.digest('hex');
}

/** The running Node if it is new enough, else one from the npm registry, in a folder of its own so that nothing else uses it. */
export async function nodeOfMajor(major) {
	if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath;
	const windows = process.platform === 'win32';
	const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
	const folder = join(HERE, 'node_modules', `node-${major}`);
	const binary = join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
	const whole = () => existsSync(join(folder, '.complete'));
	if (!whole()) {
		await alone(`node-${major}`, async () => {
			if (whole()) return;
			mkdirSync(folder, { recursive: true });
			await step(
				`fetching Node ${major}`,
				'npm',
				['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${major}`],
				{ env: withoutProjectSettings() },
			);
			execFileSync(binary, ['--version']);
			writeFileSync(join(folder, '.complete'), '');
		});
	}
	return binary;
}

/** A program of the registry that is pinned in a folder of its own. Returns the file to run with Node. */
export async function installTool(which, program) {
	const folder = join(HERE, which);
	const [name] = program.split('/');
	const file = join(folder, 'node_modules', program);
	const listedLast = join(folder, 'node_modules', '.package-lock.json');
	const whole = () => existsSync(file) && existsSync(listedLast);
	if (!whole()) {
		await alone(which, async () => {
			if (whole()) return;
			const install = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
			await step(`fetching ${name}`, 'npm', install, { env: withoutProjectSettings() });
		});
	}
	return file;
}

/**
 * The environment without what npm hands down to its scripts about this project and this call: it is not meant for
 * other folders. With "ignore-scripts" the database driver would stay uncompiled.
 */
export function withoutProjectSettings() {
	const env = { ...process.env };
	for (const setting of ['ignore_scripts', 'legacy_peer_deps', 'omit_lockfile_registry_resolved', 'loglevel']) {
		delete env[`npm_config_${setting}`];
	}
	return env;
}

/** The database driver is compiled here: its prebuilt binary and the headers of Node lie outside the registry. */
function nativeBuild(node) {
	const headers = [node, process.execPath]
		.map((binary) => dirname(dirname(binary)))
		.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node_api.h')));
	return { JOBS: 'max', npm_config_build_from_source: 'true', ...(headers && { npm_config_nodedir: headers }) };
}

/** One process at a time: a second one waits, and a lock left by a dead process is taken over. */
async function alone(what, work) {
	const locks = join(HERE, '.cache');
	mkdirSync(locks, { recursive: true });
	const lock = join(locks, `${what}.lock`);
	const started = Date.now();
	for (let tries = 0; !take(lock); tries++) {
		if (tries % 10 === 0) console.log(`  another process is installing ${what}, waiting (${seconds(started)})`);
		await new Promise((resolve) => setTimeout(resolve, 1000));
	}
	try {
		return await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

function take(lock) {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch {
		const owner = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : 0);
		if (owner === 0 || isRunning(owner)) return false;
		rmSync(lock, { force: true });
		return take(lock);
	}
}

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
