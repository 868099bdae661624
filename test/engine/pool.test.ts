import fc from 'fast-check';
import { Gate, sideBySide } from '../../nodes/BusinessVerification/engine/turns';
import { type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../harness/inProcess';

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

	it('halves once for one crowd, down to one, and grows by one for every twenty good answers', async () => {
		const gate = new Gate(8);
		expect(await crowd(gate, 8, false)).toBe(8);
		expect(await crowd(gate, 4, false)).toBe(4);
		expect(await crowd(gate, 2, false)).toBe(2);
		expect(await crowd(gate, 1, false)).toBe(1);
		expect(await crowd(gate, 19, true)).toBe(1);
		expect(await crowd(gate, 1, true)).toBe(1);
		expect(await crowd(gate, 10, undefined)).toBe(2);
		await crowd(gate, 400, true);
		expect(await crowd(gate, 30, undefined)).toBe(8);
	});

	it('begins with eight, doubles with each crowd that got good answers, and stops at the limit', async () => {
		const gate = new Gate(8, 32);
		expect(await crowd(gate, 8, true)).toBe(8);
		expect(await crowd(gate, 16, true)).toBe(16);
		expect(await crowd(gate, 100, undefined)).toBe(32);
		expect(await crowd(gate, 100, true)).toBe(32);
		expect(await crowd(gate, 32, false)).toBe(32);
		expect(await crowd(gate, 40, undefined)).toBe(16);
	});

	it('keeps to a chosen number, and does not grow after answers that say nothing', async () => {
		const chosen = new Gate(3);
		expect(await crowd(chosen, 20, true)).toBe(3);
		const gate = new Gate(8, 32);
		expect(await crowd(gate, 40, undefined)).toBe(8);
		expect(await crowd(gate, 40, undefined)).toBe(8);
	});

	it('with the first write it is again as at first, and stays so', async () => {
		const gate = new Gate(8, 32);
		await crowd(gate, 100, true);
		expect(await crowd(gate, 40, true)).toBe(32);
		gate.growNoMore();
		expect(await crowd(gate, 40, true)).toBe(8);
		expect(await crowd(gate, 40, true)).toBe(8);
	});

	it('whatever answers come in whatever order: no crowd beyond the limit, and no stall', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 8 }),
				fc.integer({ min: 8, max: 32 }),
				fc.array(fc.constantFrom(true, false, undefined), { minLength: 1, maxLength: 200 }),
				async (scheduler, atFirst, limit, verdicts) => {
					const gate = new Gate(atFirst, limit);
					let inFlight = 0;
					// What the rules allow, counted apart from the gate: one more for each good answer, until the first complaint.
					let allowed = atFirst;
					let hasComplained = false;
					const ended: number[] = [];
					const all = Promise.all(
						verdicts.map((verdict, index) =>
							gate.run(
								async () => {
									inFlight++;
									if (!hasComplained) expect(inFlight).toBeLessThanOrEqual(allowed);
									expect(inFlight).toBeLessThanOrEqual(limit);
									await scheduler.schedule(Promise.resolve());
									inFlight--;
									ended.push(index);
									if (verdict === false) hasComplained = true;
									if (verdict === true) allowed = Math.min(limit, allowed + 1);
								},
								() => verdict,
							),
						),
					);
					await scheduler.waitFor(all);
					expect(ended.sort((a, b) => a - b)).toEqual(verdicts.map((_, index) => index));
				},
			),
			{ numRuns: 60 },
		);
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
					const all = sideBySide(
						kinds.length,
						() => limit,
						async (index, release) => {
							started.push(index);
							peak = Math.max(peak, ++holding);
							await scheduler.schedule(Promise.resolve());
							holding--;
							if (kinds[index] === 'works') return;
							release();
							await scheduler.schedule(Promise.resolve());
						},
					);
					await scheduler.waitFor(all);
					expect(started).toEqual(kinds.map((_, index) => index));
					expect(peak).toBeLessThanOrEqual(limit);
				},
			),
		);
	});

	it('follows places that become more and fewer, and ends with fewer than are under way', async () => {
		let places = 2;
		let underWay = 0;
		const seen: number[] = [];
		await sideBySide(
			40,
			() => places,
			async (index) => {
				seen.push(++underWay);
				await new Promise((resolve) => setImmediate(resolve));
				underWay--;
				if (index === 3) places = 6;
				if (index === 25) places = 1;
			},
		);
		expect(Math.max(...seen.slice(0, 4))).toBe(2);
		expect(Math.max(...seen)).toBe(6);
		expect(seen.slice(-5)).toEqual([1, 1, 1, 1, 1]);
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
					const all = sideBySide(
						fails.length,
						() => limit,
						async (index, release) => {
							if (failed !== undefined) late.push(index);
							under++;
							if (index % 3 === 0) release();
							await scheduler.schedule(Promise.resolve());
							under--;
							if (!fails[index]) return;
							failed ??= index;
							throw index;
						},
					).then(
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

describe('items through the node', () => {
	let sandbox: Sandbox;
	const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey });
	const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const get = { resource: 'inquiry', operation: 'get', inquiryId };

	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(() => sandbox.close());
	beforeEach(() => sandbox.reset());

	it('come out in the order of the input and paired to it, however late each is answered', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 12 }),
				fc.array(fc.constantFrom('fast', 'slow', 'slower', 'gone'), { minLength: 1, maxLength: 20 }),
				async (concurrency, kinds) => {
					sandbox.reset();
					const ids = sandbox.inquiries.seed(kinds.length);
					kinds.forEach((kind, index) => {
						if (kind === 'gone') sandbox.inquiries.vanish(ids[index]);
						else if (kind !== 'fast')
							sandbox.faults.add({ path: `/v1/inquiries/${ids[index]}`, delayMs: kind === 'slow' ? 5 : 15 });
					});
					const { items } = await runNode({
						parameters: { ...get, options: { concurrency } },
						credential: credential(),
						items: ids.map((id) => ({ id })),
						onError: 'continueRegularOutput',
					});
					expect(items.map(({ json }) => ('error' in json ? 'gone' : json.id))).toEqual(
						kinds.map((kind, index) => (kind === 'gone' ? 'gone' : ids[index])),
					);
					expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
					expect(sandbox.requests.peakInFlight).toBeLessThanOrEqual(concurrency);
				},
			),
			{ numRuns: 25 },
		);
	});

	it('use the places they are given, and without a setting ever more of them while the service copes', async () => {
		sandbox.switches.latencyMs = 50;
		const ids = sandbox.inquiries.seed(80);
		const items = ids.map((id) => ({ id }));
		await runNode({ parameters: { ...get, options: { concurrency: 6 } }, credential: credential(), items });
		expect(sandbox.requests.peakInFlight).toBe(6);
		sandbox.requests.clear();
		const { items: found } = await runNode({ parameters: get, credential: credential(), items });
		expect(sandbox.requests.peakInFlight).toBeGreaterThan(16);
		expect(sandbox.requests.peakInFlight).toBeLessThanOrEqual(32);
		expect(found.map(({ json }) => json.id)).toEqual(ids);
	});

	it('all succeed at a service that serves three at once and refuses the rest', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		sandbox.switches.maxInFlight = 3;
		sandbox.switches.latencyMs = 10;
		const ids = sandbox.inquiries.seed(30);
		const { items } = await runNode({
			parameters: { ...get, options: { concurrency: 10 } },
			credential: credential(),
			items: ids.map((id) => ({ id })),
		});
		jest.restoreAllMocks();
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		expect(sandbox.requests.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
	});

	it('after the first failure under Stop nothing new is sent, and nobody waits for what still runs', async () => {
		sandbox.switches.lifecycle = 'manual';
		sandbox.switches.latencyMs = 5;
		const ids = sandbox.inquiries.seed(40, { status: 'RUNNING' });
		sandbox.inquiries.vanish(ids[5]);
		const { error } = await runNode({
			parameters: {
				resource: 'inquiry',
				operation: 'wait',
				inquiryId,
				options: { pollInterval: 3600, maxWait: 1440, concurrency: 2 },
			},
			credential: credential(),
			items: ids.map((id) => ({ id })),
		});
		// Without the end of the run the others would wait for a day.
		expect(error?.message).toMatch(/^Not found.*\[item 5\]$/);
	});

	it('that are not sent yet stay unsent', async () => {
		const create = {
			resource: 'inquiry',
			operation: 'create',
			businessName: '={{ $json.name }}',
			businessCity: 'Springfield',
			businessState: 'IL',
		};
		sandbox.faults.add({ bodyContains: 'Bad', status: 409 });
		const names = ['A', 'B', 'Bad', ...Array.from({ length: 30 }, (_, index) => `Later ${index}`)];
		const { error } = await runNode({
			parameters: { ...create, options: { concurrency: 2 } },
			credential: credential(),
			items: names.map((name) => ({ name })),
		});
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect(sandbox.ledger.count('inquiry')).toBeLessThanOrEqual(4);
	});

	it('a number of requests that is none does not lose an item', async () => {
		const ids = sandbox.inquiries.seed(2);
		const { items, failed } = await runNode({
			parameters: { ...get, options: { concurrency: '={{ $itemIndex === 0 ? "many" : 4 }}' } },
			credential: credential(),
			items: ids.map((id) => ({ id })),
			onError: 'continueErrorOutput',
		});
		expect(failed.map(({ json }) => json.error)).toMatchObject([{ itemIndex: 0, parameter: 'options.concurrency' }]);
		expect(items.map(({ json }) => json.id)).toEqual([ids[1]]);
	});
});
