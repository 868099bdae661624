import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(__dirname, '../..');
export const dist = path.join(root, 'dist');

const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
const LAST_WRITTEN = path.join(dist, 'types/nodes.json');

/** Builds when dist is absent or older than a source. Test files run side by side: one builds, the others wait. */
export async function ensureBuilt(): Promise<void> {
	const lock = path.join(root, '.cache/build.lock');
	mkdirSync(path.dirname(lock), { recursive: true });
	while (!isFresh()) {
		if (!take(lock)) {
			await new Promise((resolve) => setTimeout(resolve, 200));
			continue;
		}
		try {
			if (!isFresh()) run('npm', ['run', 'build', '--silent'], root);
		} finally {
			rmSync(lock, { recursive: true });
		}
	}
}

export function run(command: string, args: string[], cwd: string): string {
	// jest says NODE_ENV=test, and under it n8n's lint rules and loader are not what they are elsewhere.
	const { NODE_ENV: _test, ...env } = process.env;
	try {
		return execFileSync(command, args, {
			cwd,
			env,
			encoding: 'utf8',
			stdio: 'pipe',
			shell: process.platform === 'win32',
		});
	} catch (error) {
		const { stdout, stderr } = error as { stdout?: string; stderr?: string };
		throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`);
	}
}

/** The package as npm would publish it, unpacked into a folder of its own. */
export async function unpackedTarball(): Promise<string> {
	await ensureBuilt();
	const folder = temporaryFolder();
	run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string;
	run('tar', ['-xzf', tarball], folder);
	return path.join(folder, 'package');
}

const folders: string[] = [];

afterAll(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Removed when the test file ends. */
export function temporaryFolder(): string {
	const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'package-test-')));
	folders.push(folder);
	return folder;
}

export function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
		.sort();
}

function isFresh(): boolean {
	if (!existsSync(LAST_WRITTEN)) return false;
	const builtAt = statSync(LAST_WRITTEN).mtimeMs;
	return SOURCES.every((source) => newest(path.join(root, source)) < builtAt);
}

/** Folders count too: theirs is the only time that tells of a file that was removed. */
function newest(file: string): number {
	const stats = statSync(file);
	const below = stats.isDirectory() ? readdirSync(file).map((name) => newest(path.join(file, name))) : [];
	return Math.max(stats.mtimeMs, ...below);
}

function take(lock: string): boolean {
	try {
		mkdirSync(lock);
		return true;
	} catch {
		const abandoned = existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 120_000;
		if (abandoned) rmSync(lock, { recursive: true, force: true });
		return false;
	}
}
