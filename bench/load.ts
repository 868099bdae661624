import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installInto, packedPackage } from '../test/e2e/package';
import { conclude, quantile, table } from './report';

const root = resolve(__dirname, '..');
const peers = ['n8n-nodes-evolution-api@1.0.4', 'n8n-nodes-deepseek@1.0.6'];

/** Loads every node and credential of a package as n8n does, in a fresh process that has what n8n has loaded already. */
const program = `
for (const name of ['n8n-workflow', 'zod', 'luxon']) require(name);
const { join, dirname } = require('node:path');
const folder = process.argv[1];
const { n8n } = require(join(folder, 'package.json'));
const before = new Set(Object.keys(require.cache));
const started = performance.now();
for (const file of [...(n8n.credentials ?? []), ...n8n.nodes]) {
	for (const Type of Object.values(require(join(folder, file)))) if (typeof Type === 'function') new Type();
}
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, modules: Object.keys(require.cache).filter((file) => !before.has(file)).length }));
`;

/** How many node files n8n reads when it starts with a package, by n8n's own loader. */
const start = `
const { LazyPackageDirectoryLoader } = require('n8n-core');
const loader = new LazyPackageDirectoryLoader(process.argv[1]);
loader.loadAll().then(() => {
	const files = Object.keys(require.cache).filter((file) => file.startsWith(process.argv[1]) && file.endsWith('.node.js'));
	console.log(JSON.stringify({ files: files.length }));
	process.exit();
});
`;

/** What the package costs an n8n that has it installed: its start, the first use, and the disk. */
export async function run(): Promise<boolean> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
	try {
		const places = installed(folder);
		const ms = new Map(places.map(({ name }): [string, number[]] => [name, []]));
		const modules = new Map<string, number>();
		for (let round = 0; round < 7; round++) {
			for (const { name, path } of places) {
				const loaded = inNode<{ ms: number; modules: number }>(program, path);
				ms.get(name)!.push(loaded.ms);
				modules.set(name, loaded.modules);
			}
		}
		const [{ name: mine, path }] = places;
		const median = (name: string) => quantile(ms.get(name)!, 0.5);
		table(
			'Loading every node and credential, medians of 7 fresh processes',
			['package', 'ms', 'modules', 'KB of code with what it brings'],
			places.map((place) => [
				place.name === mine ? 'this node' : place.name,
				median(place.name).toFixed(0),
				modules.get(place.name)!,
				Math.round(codeKb(place.path)),
			]),
		);
		const goals = [
			{ name: 'node files read at the start', value: inNode<{ files: number }>(start, path).files, atMost: 0 },
			{ name: 'first use, ms', value: median(mine), atMost: 40 },
			{ name: 'KB of code', value: codeKb(path), atMost: 250 },
		];
		const bars = places.map(({ name }): [string, number] => [
			name === mine ? 'this node' : name,
			Number((median(name) / median(mine)).toFixed(2)),
		]);
		return conclude('load', goals, { bars: Object.fromEntries(bars) });
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function installed(folder: string) {
	installInto(folder, [packedPackage(), ...peers], { PATH: process.env.PATH! });
	const names = ['n8n-nodes-business-verification', ...peers.map((peer) => peer.split('@')[0])];
	return names.map((name) => ({ name, path: join(folder, 'node_modules', name) }));
}

function inNode<T>(code: string, path: string): T {
	const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
	return JSON.parse(execFileSync(process.execPath, ['-e', code, path], { encoding: 'utf8', env })) as T;
}

/** JavaScript alone: metadata and icons are read by the editor. */
const codeKb = (path: string): number =>
	readdirSync(path, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.js') && statSync(join(path, file)).isFile())
		.reduce((sum, file) => sum + readFileSync(join(path, file)).length, 0) / 1024;
