import { randomWorld } from './ingredients';
import { live, summary } from './life';
import type { Life } from './plan';
import { worlds } from './worlds';

/** What is known so far is said after so many worlds, for a run that is stopped. */
const saidAfter = 500;

/**
 * `npx tsx test/watch/run.ts <seeds> [part of a name]`: every world of the list with so many seeds.
 * `npx tsx test/watch/run.ts random <count> [first seed]`: so many worlds, mixed at random.
 */
async function main(): Promise<void> {
	const [what = '1', second, third] = process.argv.slice(2);
	const limits: Record<string, number> = {};
	const sums = { lives: 0, ends: 0, bad: 0, lost: 0, repeated: 0 };
	const say = () => {
		console.log(`${sums.ends} ends had to be told; not told, by the limit that says why:`, limits);
		const seconds = process.cpuUsage().user / 1_000_000;
		console.log(`${sums.lives} worlds in ${seconds.toFixed(0)} s, ${(seconds / sums.lives).toFixed(2)} s each`);
		console.log(`${sums.lives} worlds, ${sums.lost} lost, ${sums.repeated} repeated outside the limits`);
	};
	const count = (name: string, seed: number, life: Life) => {
		if (sums.lives > 0 && sums.lives % saidAfter === 0) say();
		sums.lives++;
		sums.ends += life.ends;
		for (const [limit, times] of Object.entries(life.limits)) limits[limit] = (limits[limit] ?? 0) + times;
		const found = Object.entries(summary(life)).filter(([, ends]) => ends.length > 0);
		const isSlow = life.slowestMs > (life.plan.budgetMs ?? 60_000);
		if (found.length === 0 && !isSlow) return;
		sums.bad++;
		sums.lost += life.lost.length;
		sums.repeated += life.repeated.length + life.early.length + life.keys.length;
		const parts = found.map(([title, ends]) => `${title} ${ends.length} (${ends.slice(0, 2).join(', ')})`);
		if (isSlow) parts.push(`a poll of ${life.slowestMs / 1_000} s`);
		console.log(`${name}, seed ${seed}: of ${life.ends} ${parts.join(', ')}; ${life.failures} polls failed`);
	};
	if (what === 'random') {
		const first = Number(third ?? 1);
		for (let seed = first; seed < first + Number(second ?? 100); seed++) {
			const { name, world, plan } = randomWorld(seed);
			count(name, seed, await live(world, plan));
		}
	} else {
		for (const [name, world, plan] of worlds.filter(([title]) => title.includes(second ?? ''))) {
			for (let seed = 1; seed <= Number(what); seed++) count(name, seed, await live(world, { seed, ...plan }));
		}
	}
	say();
	if (sums.bad > 0) process.exitCode = 1;
}

void main();
