import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run bench -- <name>` runs bench/<name>.ts, whose `run` returns whether all goals were met. */
const name = process.argv[2] ?? '';
const names = readdirSync(__dirname)
	.filter((file) => file.endsWith('.ts') && file !== 'main.ts' && file !== 'report.ts')
	.map((file) => file.replace(/\.ts$/, ''));

async function main(): Promise<void> {
	if (!names.includes(name) || !existsSync(join(__dirname, `${name}.ts`))) {
		console.error(`Usage: npm run bench -- <name>\nNames: ${names.join(', ')}`);
		process.exitCode = 2;
		return;
	}
	const { run } = (await import(`./${name}.ts`)) as { run(): Promise<boolean> };
	if (!(await run())) process.exitCode = 1;
}

void main();
