import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
console.log((user + system) / 1000);
`;

/** What the package costs an n8n that has it installed: the first use, and its code. */
export async function run(): Promise<boolean> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
	try {
		installInto(folder, [packedPackage()], { PATH: process.env.PATH! });
		const mine = join(folder, 'node_modules', 'n8n-nodes-business-verification');
		const floor = idle(mine, join(folder, 'idle'));
		const rounds = Array.from({ length: 15 }, () => [mine, floor].map(loaded));
		const [own, least] = [0, 1].map((place) => Math.min(...rounds.map((round) => round[place])));
		const kb = scripts(mine).reduce((sum, file) => sum + statSync(file).size / 1024, 0);
		table(
			'Loading every node and credential, the cheapest of 15 fresh processes',
			['package', 'CPU ms'],
			[
				['this node', own.toFixed(0)],
				['the same files, nothing in them run', least.toFixed(0)],
			],
		);
		return conclude('load', [
			{ name: 'first use, CPU ms above the same files idle', value: own - least, atMost: 40 },
			{ name: 'KB of code', value: kb, atMost: 500 },
		]);
	} finally {
		rmSync(folder, { recursive: true });
	}
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

function loaded(path: string): number {
	const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
	return Number(execFileSync(process.execPath, ['-e', program, path], { encoding: 'utf8', env }));
}

/** JavaScript alone: metadata and icons are read by the editor. */
const scripts = (path: string): string[] =>
	readdirSync(path, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.js'))
		.map((file) => join(path, file));
