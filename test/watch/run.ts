import { live, summary } from './life';
import { leavesTrace } from './judge';
import type { Life } from './plan';
import { worlds } from './worlds';

/** What is known so far is said after so many worlds, for a run that is stopped. */
const saidAfter = 500;

/**
 * `npx tsx test/watch/run.ts <seeds> [part of a name]`: every world of the list with so many seeds.
 */
async function main(): Promise<void> {
	const [seeds = '1', part = ''] = process.argv.slice(2);
	const tables = { 'with a trace': emptyTable(), 'without a trace': emptyTable() };
	const sums = { lives: 0, bad: 0, lost: 0, repeated: 0, late: 0 };
	const say = () => {
		for (const [name, { ends, limits }] of Object.entries(tables))
			console.log(`Worlds ${name}: ${ends} ends had to be told; not told, by the limit that says why:`, limits);
		console.log(`${sums.lives} worlds in ${spent().toFixed(0)} s, ${(spent() / sums.lives).toFixed(2)} s each`);
		console.log(
			`${sums.lives} worlds, ${sums.lost} lost, ${sums.repeated} repeated, ${sums.late} late outside the limits`,
		);
	};
	const count = (name: string, seed: number, life: Life) => {
		if (sums.lives > 0 && sums.lives % saidAfter === 0) say();
		sums.lives++;
		const table = tables[leavesTrace(life.world) ? 'with a trace' : 'without a trace'];
		table.ends += life.ends;
		for (const [limit, times] of Object.entries(life.limits)) table.limits[limit] = (table.limits[limit] ?? 0) + times;
		const found = Object.entries(summary(life)).filter(([, ends]) => ends.length > 0);
		const isSlow = life.slowestMs > (life.plan.budgetMs ?? 60_000);
		if (found.length === 0 && !isSlow) return;
		sums.bad++;
		sums.lost += life.lost.length;
		sums.late += life.late.length;
		sums.repeated += life.repeated.length + life.early.length + life.keys.length;
		const parts = found.map(([title, ends]) => `${title} ${ends.length} (${ends.slice(0, 2).join(', ')})`);
		if (isSlow) parts.push(`a poll of ${life.slowestMs / 1_000} s`);
		console.log(`${name}, seed ${seed}: of ${life.ends} ${parts.join(', ')}; ${life.failures} polls failed`);
	};
	for (const [name, world, plan] of worlds.filter(([title]) => title.includes(part)))
		for (let seed = 1; seed <= Number(seeds); seed++) count(name, seed, await live(world, { seed, ...plan }));
	say();
	console.log(`${sums.lives - sums.bad} passed, ${sums.bad} failed`);
	if (sums.bad > 0) process.exitCode = 1;
}

interface Table {
	ends: number;
	limits: Record<string, number>;
}

const emptyTable = (): Table => ({ ends: 0, limits: {} });

const spent = () => process.cpuUsage().user / 1_000_000;

void main();
