import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../../nodes/BusinessVerification/definition/failure';
import type { Request } from '../../nodes/BusinessVerification/definition/service';
import { Bounded, exclusive } from '../../nodes/BusinessVerification/engine/holder';
import { WriteMemory } from '../../nodes/BusinessVerification/engine/memory';
import { strictContext } from '../doubles/strictContext';
import { collectGarbage } from '../garbage';

const write = (name: string): Request => ({ method: 'POST', path: '/v1/inquiries/', body: { name }, kind: 'write' });
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

	it('is returned to the next go of the same item instead of being sent again', async () => {
		const first = go({ execution });
		expect(await first.once(0, write('A'), send)).toBe('answer 1');
		expect(await first.once(1, write('A'), send)).toBe('answer 2');
		const second = go({ execution });
		expect(await second.once(0, write('A'), send)).toBe('answer 1');
		expect(await second.once(1, write('A'), send)).toBe('answer 2');
		expect(await second.once(2, write('A'), send)).toBe('answer 3');
	});

	it.each<[string, Where]>([
		['another execution', { execution: 'another' }],
		['another node', { node: 'node-2' }],
		['another run of a loop', { run: 1 }],
	])('does not reach %s', async (_, elsewhere) => {
		await go({ execution }).once(0, write('A'), send);
		expect(await go({ execution, ...elsewhere }).once(0, write('A'), send)).toBe('answer 2');
	});

	it.each<[string, Where]>([
		['without Retry On Fail', { retryOnFail: false }],
		['in an execution without a number', { execution: '' }],
	])('is not kept %s', async (_, where) => {
		await go({ execution, ...where }).once(0, write('A'), send);
		expect(await go({ execution, ...where }).once(0, write('A'), send)).toBe('answer 2');
	});

	it('is told by the request, or by the name that the request bears', async () => {
		const first = go({ execution });
		await first.once(0, write('A'), send);
		await first.once(0, { ...write('chunk'), name: 'chunk 1' }, send);
		const second = go({ execution });
		expect(await second.once(0, write('B'), send)).toBe('answer 3');
		expect(await second.once(0, { ...write('chunk, mapped anew'), name: 'chunk 1' }, send)).toBe('answer 2');
	});

	it('is of no concern to reads', async () => {
		const read: Request = { ...write('A'), method: 'GET', kind: 'read' };
		const memory = go({ execution });
		await memory.once(0, read, send);
		expect(await memory.once(0, read, send)).toBe('answer 2');
	});

	it('is sent again when the service surely refused it, and never when nobody knows', async () => {
		const first = go({ execution });
		const refused = () => Promise.reject(new Failure('refused', { httpCode: 422 }));
		const lost = () => Promise.reject(new Failure('lost', { submission: 'unknown' }));
		await expect(first.once(0, write('A'), refused)).rejects.toThrow('refused');
		await expect(first.once(1, write('B'), lost)).rejects.toThrow('lost');
		const second = go({ execution });
		expect(await second.once(0, write('A'), send)).toBe('answer 1');
		await expect(second.once(1, write('B'), send)).rejects.toThrow('lost');
	});

	it('is forgotten when the run has ended well, whichever go sent it', async () => {
		await go({ execution }).once(0, write('A'), send);
		const second = go({ execution });
		await second.once(0, write('A'), send);
		second.forget();
		expect(await go({ execution }).once(0, write('A'), send)).toBe('answer 2');
	});

	it('is held for 50,000 writes at most, the oldest going first', async () => {
		const first = go({ execution });
		for (let item = 0; item <= 50_000; item++) await first.once(item, { ...write(''), name: 'A' }, send);
		expect(sent).toBe(50_001);
		const second = go({ execution });
		expect(await second.once(1, { ...write(''), name: 'A' }, send)).toBe('answer 2');
		expect(await second.once(50_000, { ...write(''), name: 'A' }, send)).toBe('answer 50001');
		expect(await second.once(0, { ...write(''), name: 'A' }, send)).toBe('answer 50002');
		second.forget();
	});

	it('leaves nothing behind', async () => {
		const answers: Array<WeakRef<object>> = [];
		await (async () => {
			const memory = go({ execution });
			for (let item = 0; item < 10; item++) {
				const answer = { item };
				answers.push(new WeakRef(answer));
				await memory.once(item, write('A'), () => Promise.resolve(answer));
			}
			memory.forget();
		})();
		await tick();
		collectGarbage();
		expect(answers.filter((answer) => answer.deref() !== undefined)).toEqual([]);
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
			await exclusive(key, () => (fails ? Promise.reject(result) : Promise.resolve(result))).catch(() => undefined);
		};
		await Promise.all([hold('x', false), hold('x', true), hold('x', false), hold('y', true)]);
		await tick();
		collectGarbage();
		expect(results.filter((result) => result.deref() !== undefined)).toEqual([]);
	});
});

it('a bounded map keeps what was set last', () => {
	const map = new Bounded<number>(2);
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	map.set('c', 4);
	expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
	map.delete('a');
	expect(map.get('a')).toBeUndefined();
});
