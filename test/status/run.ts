import { live, summary } from './life';
import { worlds } from './worlds';

/** `npx tsx test/status/run.ts <seeds> [part of a name]`: every world of the list with so many seeds. */
async function main(): Promise<void> {
	const [seeds = '1', part = ''] = process.argv.slice(2);
	let lives = 0;
	let ends = 0;
	let bad = 0;
	for (const [name, world, plan] of worlds.filter(([title]) => title.includes(part))) {
		for (let seed = 1; seed <= Number(seeds); seed++) {
			const life = await live(world, { seed, ...plan });
			lives++;
			ends += life.ends;
			const { lost, repeated, early, keys } = summary(life);
			if (lost.length + repeated.length + early.length + keys.length === 0) continue;
			bad++;
			console.log(
				`${name}, seed ${seed}: of ${life.ends} lost ${lost.length}, repeated ${repeated.length}, early ${early.length}, keys ${keys.length}`,
				{ failures: life.failures, lost: lost.slice(0, 3), repeated: repeated.slice(0, 3), keys: keys.slice(0, 3) },
			);
		}
	}
	console.log(`${lives} lives, ${ends} ends, ${bad} of them with losses or repeats`);
	if (bad > 0) process.exitCode = 1;
}

void main();
