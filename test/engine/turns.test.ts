import fc from '../harness/seed';
import { Gate, inTurns, pause, sideBySide } from '../../nodes/BusinessVerification/engine/turns';

test('in long work what was there before it has its turn first, and everything else in between', async () => {
	const order: string[] = [];
	function* work() {
		for (const step of [1, 2, 3]) {
			order.push(`step ${step}`);
			setTimeout(() => order.push(`else ${step}`), 0);
			const until = Date.now() + 15;
			while (Date.now() < until);
			yield;
		}
		return 'done';
	}
	setTimeout(() => order.push('asked before'), 0);
	expect(await inTurns(work())).toBe('done');
	expect(order).toEqual(['asked before', 'step 1', 'else 1', 'step 2', 'else 2', 'step 3', 'else 3']);
});

test('a pause of minutes ends when the execution is canceled', async () => {
	const run = new AbortController();
	setTimeout(() => run.abort(), 5);
	await pause(600_000, run.signal);
	expect(run.signal.aborted).toBe(true);
});

describe('the gate', () => {
	it('lets everybody through, first come first served, and never more than the cap at once', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 8 }),
				fc.array(fc.constantFrom('good', 'overloaded', 'other', 'throws'), { maxLength: 60 }),
				async (scheduler, limit, verdicts) => {
					const gate = new Gate(limit);
					const entered: number[] = [];
					let inFlight = 0;
					let peak = 0;
					const runs = verdicts.map((verdict, index) =>
						gate.run(
							async () => {
								entered.push(index);
								peak = Math.max(peak, ++inFlight);
								await scheduler.schedule(Promise.resolve());
								inFlight--;
								if (verdict === 'throws') throw new Error('no');
								return verdict;
							},
							(result) => (result === 'good' ? true : result === 'overloaded' ? false : undefined),
						),
					);
					const results = Promise.allSettled(runs);
					await scheduler.waitFor(results);
					expect(entered).toEqual(verdicts.map((_, index) => index));
					expect(peak).toBeLessThanOrEqual(limit);
					expect((await results).map((result) => (result.status === 'fulfilled' ? result.value : 'throws'))).toEqual(
						verdicts,
					);
				},
			),
		);
	});

	/** So many enter at once, and all get the same verdict; returns how many were in flight together. */
	async function crowd(gate: Gate, count: number, verdict: boolean | undefined): Promise<number> {
		let inFlight = 0;
		let peak = 0;
		const one = () =>
			gate.run(
				async () => {
					peak = Math.max(peak, ++inFlight);
					await new Promise((resolve) => setImmediate(resolve));
					inFlight--;
				},
				() => verdict,
			);
		await Promise.all(Array.from({ length: count }, one));
		return peak;
	}

	it('halves once for one crowd, down to one, and grows by one for every sixteen good answers', async () => {
		const gate = new Gate(8);
		expect(await crowd(gate, 8, false)).toBe(8);
		expect(await crowd(gate, 4, false)).toBe(4);
		expect(await crowd(gate, 2, false)).toBe(2);
		expect(await crowd(gate, 1, false)).toBe(1);
		expect(await crowd(gate, 15, true)).toBe(1);
		expect(await crowd(gate, 1, true)).toBe(1);
		expect(await crowd(gate, 10, undefined)).toBe(2);
		await crowd(gate, 400, true);
		expect(await crowd(gate, 30, undefined)).toBe(8);
	});

	it('is at one, and no lower, after a long row of refusals', async () => {
		const gate = new Gate(4);
		await crowd(gate, 20, false);
		expect(await crowd(gate, 10, undefined)).toBe(1);
	});
});

describe('side by side', () => {
	it('starts in order, keeps to the limit, lets others go on while some wait, and ends', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 6 }),
				fc.array(fc.constantFrom('works', 'waits'), { maxLength: 40 }),
				async (scheduler, limit, kinds) => {
					const started: number[] = [];
					let holding = 0;
					let peak = 0;
					const all = sideBySide(kinds.length, limit, async (index, release) => {
						started.push(index);
						peak = Math.max(peak, ++holding);
						await scheduler.schedule(Promise.resolve());
						holding--;
						if (kinds[index] === 'works') return;
						release();
						await scheduler.schedule(Promise.resolve());
					});
					await scheduler.waitFor(all);
					expect(started).toEqual(kinds.map((_, index) => index));
					expect(peak).toBeLessThanOrEqual(limit);
				},
			),
		);
	});

	it('starts nothing after the first failure, lets what runs end, and throws the first', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 6 }),
				fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
				async (scheduler, limit, fails) => {
					let failed: number | undefined;
					let under = 0;
					const late: number[] = [];
					const all = sideBySide(fails.length, limit, async (index, release) => {
						if (failed !== undefined) late.push(index);
						under++;
						if (index % 3 === 0) release();
						await scheduler.schedule(Promise.resolve());
						under--;
						if (!fails[index]) return;
						failed ??= index;
						throw index;
					}).then(
						() => 'none',
						(error: unknown) => error,
					);
					await scheduler.waitFor(all);
					expect(await all).toBe(failed ?? 'none');
					expect(under).toBe(0);
					// Those that had a place already when it failed; a place that becomes free in the same tick may be taken.
					expect(late.length).toBeLessThanOrEqual(1);
				},
			),
		);
	});
});
