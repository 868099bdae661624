import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withoutProjectSettings } from '../../host/install.mjs';

const ROOT = resolve(__dirname, '..', '..');

let packed: string | undefined;

/** The tarball that would be published. Built once a run; E2E_TARBALL names one that is built already. */
export function packedPackage(): string {
	packed ??= process.env.E2E_TARBALL ?? buildAndPack();
	return packed;
}

function buildAndPack() {
	console.log('… building and packing the package');
	npm(['run', 'build', '--silent'], ROOT);
	const folder = mkdtempSync(join(tmpdir(), 'package-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	return pack(ROOT, folder);
}

export function pack(folder: string, destination: string): string {
	mkdirSync(destination, { recursive: true });
	npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', destination], folder);
	const [tarball] = readdirSync(destination).filter((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Error(`npm pack left no tarball in ${destination}`);
	return join(destination, tarball);
}

/** The same package under another version. */
export function repack(tarball: string, version: string, folder: string): string {
	const unpacked = mkdtempSync(join(folder, 'unpacked-'));
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked]);
	const manifest = join(unpacked, 'package', 'package.json');
	writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }));
	return pack(join(unpacked, 'package'), join(folder, version));
}

/** Installs tarballs as n8n's own installer does, into the folder that n8n loads community packages from. */
export function installInto(folder: string, tarballs: string[], env: { PATH: string }) {
	mkdirSync(folder, { recursive: true });
	if (tarballs.length === 0) return;
	const manifest = { name: 'installed-nodes', private: true, dependencies: {} };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	npm(
		['install', '--ignore-scripts', '--omit=peer', '--legacy-peer-deps', '--no-audit', '--no-fund', ...tarballs],
		folder,
		env,
	);
}

function npm(args: string[], cwd: string, env: Partial<NodeJS.ProcessEnv> = {}) {
	try {
		execFileSync('npm', args, {
			cwd,
			env: { ...withoutProjectSettings(), ...env },
			stdio: 'pipe',
			encoding: 'utf8',
			shell: process.platform === 'win32',
		});
	} catch (error) {
		const { stdout, stderr } = error as { stdout?: string; stderr?: string };
		throw new Error(`npm ${args[0]} in ${cwd} failed:\n${stdout ?? ''}${stderr ?? ''}`);
	}
}
