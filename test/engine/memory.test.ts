import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { Bounded } from '../../credentials/tokens';
import { exclusive, shared } from '../../nodes/BusinessVerification/engine/turns';
import { KeptAnswers } from '../../nodes/BusinessVerification/engine/writes';
import { WriteMemory } from '../../nodes/BusinessVerification/engine/writes';
import { strictContext } from '../harness/strictContext';
import { collectGarbage } from '../harness/garbage';

const tick = () => new Promise((resolve) => setImmediate(resolve));

interface Where {
	execution?: string;
	node?: string;
	run?: number;
	retryOnFail?: boolean;
}

/** One go of the node. n8n makes a new context for each; only place and run tell that it is the same one again. */
function go({ execution = 'execution-1', node = 'node-1', run = 0, retryOnFail = true }: Where = {}): WriteMemory {
	return new WriteMemory(
		strictContext<IExecuteFunctions>({
			getNode: () => ({ id: node, retryOnFail }),
			getExecutionId: () => execution,
			evaluateExpression: (expression: string) => (expression === '{{ $runIndex }}' ? run : undefined),
		}),
	);
}

describe('what a write answered', () => {
	let sent = 0;
	const send = () => Promise.resolve(`answer ${++sent}`);
	beforeEach(() => (sent = 0));
	/** Executions of other tests are other executions. */
	let execution: string;
	let executions = 0;
	beforeEach(() => (execution = `execution-${++executions}`));

	it('is returned to the next go of the same place instead of being sent again', async () => {
		const first = go({ execution });
		expect(await first.once('item 0', send)).toBe('answer 1');
		expect(await first.once('item 1', send)).toBe('answer 2');
		const second = go({ execution });
		expect(await second.once('item 0', send)).toBe('answer 1');
		expect(await second.once('item 1', send)).toBe('answer 2');
		expect(await second.once('item 2', send)).toBe('answer 3');
	});

	it('is told from the other writes of its place by their order', async () => {
		const first = go({ execution });
		expect(await first.once('item 0', send)).toBe('answer 1');
		expect(await first.once('item 0', send)).toBe('answer 2');
		const second = go({ execution });
		expect(second.knows('item 0')).toBe(true);
		expect(await second.once('item 0', send)).toBe('answer 1');
		expect(await second.once('item 0', send)).toBe('answer 2');
		expect(second.knows('item 0')).toBe(false);
		expect(await second.once('item 0', send)).toBe('answer 3');
	});

	it.each<[string, Where]>([
		['another execution', { execution: 'another' }],
		['another node', { node: 'node-2' }],
		['another run of a loop', { run: 1 }],
	])('does not reach %s', async (_, elsewhere) => {
		await go({ execution }).once('item 0', send);
		const other = go({ execution, ...elsewhere });
		expect(other.knows('item 0')).toBe(false);
		expect(await other.once('item 0', send)).toBe('answer 2');
	});

	it.each<[string, Where]>([
		['without Retry On Fail', { retryOnFail: false }],
		['in an execution without a number', { execution: '' }],
	])('is not kept %s', async (_, where) => {
		await go({ execution, ...where }).once('item 0', send);
		expect(await go({ execution, ...where }).once('item 0', send)).toBe('answer 2');
	});

	it('is sent again when the service surely refused it, and never when nobody knows', async () => {
		const first = go({ execution });
		const refused = () => Promise.reject(new Failure('refused', { httpCode: 422 }));
		const lost = () => Promise.reject(new Failure('lost', { submission: 'unknown', description: 'Look it up.' }));
		await expect(first.once('item 0', refused)).rejects.toThrow('refused');
		await expect(first.once('item 1', lost)).rejects.toThrow('lost');
		const second = go({ execution });
		expect(await second.once('item 0', send)).toBe('answer 1');
		await expect(second.once('item 1', send)).rejects.toMatchObject({
			message: 'lost',
			details: { submission: 'unknown', description: 'Look it up.' },
		});
	});

	it('is forgotten when n8n will not run the node again, whichever go sent it', async () => {
		await go({ execution }).once('item 0', send);
		const second = go({ execution });
		await second.once('item 0', send);
		second.forget();
		expect(await go({ execution }).once('item 0', send)).toBe('answer 2');
	});

	it('has arrived before a go is over, also where nobody waited for it', async () => {
		const memory = go({ execution });
		let answer: (value: string) => void = () => undefined;
		void memory.once('item 0', () => new Promise((resolve) => (answer = resolve)));
		let isOver = false;
		const over = memory.settled().then(() => (isOver = true));
		await tick();
		expect(isOver).toBe(false);
		answer('late');
		await over;
		expect(await go({ execution }).once('item 0', send)).toBe('late');
	});

	it('of any order of goes and places is sent once for each place', async () => {
		const step = fc.record({ place: fc.integer({ min: 0, max: 4 }), isLost: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 5 }), async (goes) => {
				const where = { execution: `random-${++executions}` };
				const sentTo: string[] = [];
				for (const steps of goes) {
					const memory = go(where);
					const ordinals = new Map<number, number>();
					for (const { place, isLost } of steps) {
						const ordinal = ordinals.get(place) ?? 0;
						ordinals.set(place, ordinal + 1);
						const answered = memory.once(`item ${place}`, () => {
							sentTo.push(`${place}/${ordinal}`);
							return isLost ? Promise.reject(new Failure('lost', { submission: 'unknown' })) : Promise.resolve(ordinal);
						});
						await answered.catch(() => undefined);
					}
				}
				expect(new Set(sentTo).size).toBe(sentTo.length);
			}),
		);
	});
});

describe('the bounded memory of answers', () => {
	const inquiry = (number: number) => ({
		answer: { id: `inquiry-${number}`, status: 'PLANNING', processStatuses: { text: 'x'.repeat(500) } },
	});

	it('gives the oldest up to their IDs first, and forgets them only when these are too many as well', () => {
		const kept = new KeptAnswers(10_000);
		for (let number = 0; number < 40; number++) kept.set(`place ${number}`, inquiry(number));
		expect(kept.get('place 0')).toEqual({ answer: { id: 'inquiry-0', status: 'PLANNING', processStatuses: {} } });
		expect(kept.get('place 39')).toEqual(inquiry(39));
		for (let number = 40; number < 400; number++) kept.set(`place ${number}`, inquiry(number));
		expect(kept.get('place 0')).toBeUndefined();
		expect(kept.get('place 399')).toMatchObject({ answer: { id: 'inquiry-399' } });
	});

	it('knows fifty thousand places of a run in eight megabytes', () => {
		const kept = new KeptAnswers(8 * 1024 * 1024);
		const place = (number: number) => `12345/0f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d/0 item ${number} 0`;
		for (let number = 0; number < 50_000; number++) kept.set(place(number), inquiry(number));
		expect(kept.get(place(0))).toMatchObject({ answer: { id: 'inquiry-0' } });
	});

	it('keeps one answer that is larger than all it may hold by its ID', () => {
		const kept = new KeptAnswers(1_000);
		kept.set('place', { answer: [{ license_id: 'PL-1', text: 'x'.repeat(5_000) }] });
		expect(kept.get('place')).toEqual({ answer: [{ license_id: 'PL-1' }] });
		kept.delete('place');
		expect(kept.get('place')).toBeUndefined();
	});
});

describe('one holder at a time', () => {
	it('tasks of one key come one after the other in order, those of others go on, and failures hold up nobody', async () => {
		const task = fc.record({ key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), fc.array(task, { maxLength: 30 }), async (scheduler, tasks) => {
				const order: Record<string, number[]> = { a: [], b: [], c: [] };
				const holding = new Set<string>();
				const all = Promise.allSettled(
					tasks.map(({ key, fails }, index) =>
						exclusive(key, async () => {
							expect(holding.has(key)).toBe(false);
							holding.add(key);
							order[key].push(index);
							await scheduler.schedule(Promise.resolve());
							holding.delete(key);
							if (fails) throw index;
							return index;
						}),
					),
				);
				await scheduler.waitFor(all);
				expect(await all).toEqual(
					tasks.map(({ fails }, index) =>
						fails ? { status: 'rejected', reason: index } : { status: 'fulfilled', value: index },
					),
				);
				for (const key of ['a', 'b', 'c']) {
					expect(order[key]).toEqual(tasks.flatMap((one, index) => (one.key === key ? [index] : [])));
				}
			}),
		);
	});

	it('forgets a key with its last holder', async () => {
		const results: Array<WeakRef<object>> = [];
		const hold = async (key: string, fails: boolean) => {
			const result = { key };
			results.push(new WeakRef(result));
			const task = () => (fails ? Promise.reject(result) : Promise.resolve(result));
			await Promise.allSettled([exclusive(key, task), shared(key, task)]);
		};
		await Promise.all([hold('x', false), hold('x', true), hold('x', false), hold('y', true)]);
		await tick();
		collectGarbage();
		expect(results.filter((result) => result.deref() !== undefined)).toEqual([]);
	});
});

describe('a turn that is shared', () => {
	it('is the first to begin after one asked, the only one under way, and fails nobody else', async () => {
		const event = fc.constantFrom('asks', 'changes');
		const failing = fc.uniqueArray(fc.integer({ min: 1, max: 10 }));
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), fc.array(event), failing, async (scheduler, events, fails) => {
				let [turns, underWay, version] = [0, 0, 0];
				const task = async () => {
					const outcome = { turn: ++turns, version };
					expect(++underWay).toBe(1);
					await scheduler.schedule(Promise.resolve());
					underWay--;
					if (fails.includes(outcome.turn)) throw outcome;
					return outcome;
				};
				const all = events.map(async (kind) => {
					await scheduler.schedule(Promise.resolve());
					if (kind === 'changes') return void version++;
					const asked = { turns, version };
					const [result] = await Promise.allSettled([shared('key', task)]);
					const outcome = result.status === 'fulfilled' ? result.value : (result.reason as typeof result.reason);
					expect(outcome.turn).toBe(asked.turns + 1);
					expect(outcome.version).toBeGreaterThanOrEqual(asked.version);
					expect(result.status).toBe(fails.includes(outcome.turn) ? 'rejected' : 'fulfilled');
				});
				await scheduler.waitFor(Promise.all(all));
			}),
		);
	});
});

it('a bounded map keeps what was set last', () => {
	const map = new Bounded<number>(2);
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	map.set('c', 4);
	expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
});
