import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installInto, packedPackage } from '../test/e2e/package';
import { conclude, table } from './report';

const root = resolve(__dirname, '..');

/** Loads every node and credential of a package as n8n does, in a fresh process that has what n8n has loaded already. */
const program = `
for (const name of ['n8n-workflow', 'zod', 'luxon', 'node:crypto']) require(name);
const { join } = require('node:path');
const folder = process.argv[1];
const { n8n } = require(join(folder, 'package.json'));
const started = process.cpuUsage();
for (const file of [...(n8n.credentials ?? []), ...n8n.nodes]) {
	for (const Type of Object.values(require(join(folder, file)))) if (typeof Type === 'function') new Type();
}
const { user, system } = process.cpuUsage(started);
console.log(JSON.stringify({ ms: (user + system) / 1000 }));
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
		installInto(folder, [packedPackage()], { PATH: process.env.PATH! });
		const mine = { name: 'this node', path: join(folder, 'node_modules', 'n8n-nodes-business-verification') };
		const floor = { name: 'the same files, nothing in them run', path: idle(mine.path, join(folder, 'idle')) };
		const places = [mine, floor];
		const ms = new Map(places.map(({ name }): [string, number[]] => [name, []]));
		for (let round = 0; round < 15; round++) {
			for (const { name, path } of places) {
				ms.get(name)!.push(inNode<{ ms: number }>(program, path).ms);
			}
		}
		const lowest = ({ name }: Place) => Math.min(...ms.get(name)!);
		const kb = ({ path }: Place) => sizeKb(scripts(path));
		table(
			'Loading every node and credential, the cheapest of 15 fresh processes',
			['files', 'CPU ms', 'KB of code'],
			places.map((place) => [place.name, lowest(place).toFixed(0), Math.round(kb(place))]),
		);
		const goals = [
			{ name: 'node files read at the start', value: inNode<{ files: number }>(start, mine.path).files, atMost: 0 },
			{ name: 'first use, CPU ms above the same files idle', value: lowest(mine) - lowest(floor), atMost: 40 },
			{ name: 'KB of code', value: kb(mine), atMost: 500 },
			{ name: 'KB of the package, unpacked', value: sizeKb(files(mine.path)), atMost: 750 },
		];
		return conclude('load', goals);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

interface Place {
	name: string;
	path: string;
}

/** The floor: the files of a package, each of which loads what it loads and runs nothing. Node still finds, reads and compiles them. */
function idle(path: string, folder: string): string {
	cpSync(path, folder, { recursive: true });
	for (const file of scripts(folder)) {
		const code = readFileSync(file, 'utf8');
		const loads = [...code.matchAll(/\brequire\("[^"]+"\)/g)].map(([load]) => `${load};\n`);
		writeFileSync(file, `${loads.join('')}function unused() {\n${code}\n}`);
	}
	return folder;
}

function inNode<T>(code: string, path: string): T {
	const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
	return JSON.parse(execFileSync(process.execPath, ['-e', code, path], { encoding: 'utf8', env })) as T;
}

/** JavaScript alone: metadata and icons are read by the editor. */
const scripts = (path: string): string[] => files(path).filter((file) => file.endsWith('.js'));

const files = (path: string): string[] =>
	readdirSync(path, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));

const sizeKb = (all: string[]): number => all.reduce((sum, file) => sum + readFileSync(file).length, 0) / 1024;
