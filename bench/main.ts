import { readdirSync } from 'node:fs';

/**
 * `npm run bench -- <name> …` runs bench/<name>.ts, whose `run` returns whether all goals were met. `all` runs every row.
 */
const parts = ['main', 'report', 'world'];
const names = readdirSync(__dirname)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.replace(/\.ts$/, ''))
	.filter((name) => !parts.includes(name));

async function main(asked: string[]): Promise<void> {
	const wanted = asked.includes('all') ? names : asked;
	if (wanted.length === 0 || wanted.some((name) => !names.includes(name))) {
		console.error(`Usage: npm run bench -- <name> …\nNames: all, ${names.join(', ')}`);
		process.exitCode = 2;
		return;
	}
	const missed: string[] = [];
	const begun = Date.now();
	for (const name of wanted) {
		const started = Date.now();
		const { run } = (await import(`./${name}.ts`)) as { run(): Promise<boolean> };
		const isMet = await run().catch((error: unknown) => {
			console.error(error);
			return false;
		});
		if (!isMet) missed.push(name);
		console.log(`${name}: ${isMet ? 'goals met' : 'goals missed'}, ${Math.round((Date.now() - started) / 1_000)} s`);
	}
	console.log(`${wanted.length} rows in ${Math.round((Date.now() - begun) / 1_000)} s`);
	if (missed.length > 0) {
		console.log(`Goals missed: ${missed.join(', ')}`);
		process.exitCode = 1;
	}
}

void main(process.argv.slice(2));
