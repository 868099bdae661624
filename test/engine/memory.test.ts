import fc from '../harness/seed';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { Bounded } from '../../nodes/BusinessVerification/kit/objects';
import { ResultsForPeople } from '../../nodes/BusinessVerification/engine/collected';
import { exclusive } from '../../nodes/BusinessVerification/engine/turns';
import { RunMemory, Submissions } from '../../nodes/BusinessVerification/engine/writes';
import { strictContext } from '../harness/strictContext';
import { collectGarbage } from '../harness/garbage';

const tick = () => new Promise((resolve) => setImmediate(resolve));

interface Where {
	execution?: string;
	node?: string;
	run?: number;
	retryOnFail?: boolean;
}

/** n8n makes them for each run of a node, and hands the same to every try of it. */
const itemsOf = new Map<string, object[]>();

/** One go of the node: a new context with the items of its run. */
function go({ execution = 'execution-1', node = 'node-1', run = 0, retryOnFail = true }: Where = {}, ofAgent = false) {
	const place = `${execution} ${node} ${run}`;
	if (!itemsOf.has(place)) itemsOf.set(place, [{ json: {} }]);
	const getInputData = () => [...(itemsOf.get(place) ?? [])] as never;
	return new RunMemory(strictContext<IExecuteFunctions>({ getNode: () => ({ retryOnFail }), getInputData }), ofAgent);
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
		expect(await first.once(0, send)).toBe('answer 1');
		expect(await first.once(1, send)).toBe('answer 2');
		const second = go({ execution });
		expect(await second.once(0, send)).toBe('answer 1');
		expect(await second.once(1, send)).toBe('answer 2');
		expect(await second.once(2, send)).toBe('answer 3');
	});

	it('is distinguished from the other writes of its place by their order', async () => {
		const first = go({ execution });
		expect(await first.once(0, send)).toBe('answer 1');
		expect(await first.once(0, send)).toBe('answer 2');
		const second = go({ execution });
		expect(second.knows(0)).toBe(true);
		expect(await second.once(0, send)).toBe('answer 1');
		expect(await second.once(0, send)).toBe('answer 2');
		expect(second.knows(0)).toBe(false);
		expect(await second.once(0, send)).toBe('answer 3');
	});

	it.each<[string, Where]>([
		['another execution', { execution: 'another' }],
		['another node', { node: 'node-2' }],
		['another run of a loop', { run: 1 }],
	])('does not reach %s', async (_, elsewhere) => {
		await go({ execution }).once(0, send);
		const other = go({ execution, ...elsewhere });
		expect(other.knows(0)).toBe(false);
		expect(await other.once(0, send)).toBe('answer 2');
	});

	it('is not kept without Retry On Fail, nor for an agent, whose calls share their items', async () => {
		const notTried = { execution, retryOnFail: false };
		await go(notTried).once(0, send);
		expect(await go(notTried).once(0, send)).toBe('answer 2');
		await go({ execution }, true).once(0, send);
		expect(await go({ execution }, true).once(0, send)).toBe('answer 4');
	});

	it('is sent again when the service surely refused it, and never when nobody knows', async () => {
		const first = go({ execution });
		const refused = () => Promise.reject(new Failure('refused', { httpCode: 422 }));
		const lost = () => Promise.reject(new Failure('lost', { submission: 'unknown', description: 'Look it up.' }));
		await expect(first.once(0, refused)).rejects.toThrow('refused');
		await expect(first.once(1, lost)).rejects.toThrow('lost');
		const second = go({ execution });
		expect(await second.once(0, send)).toBe('answer 1');
		await expect(second.once(1, send)).rejects.toMatchObject({
			message: 'lost',
			details: { submission: 'unknown', description: 'Look it up.' },
		});
	});

	it('lasts as long as the items of its run', async () => {
		const answers: Array<WeakRef<object>> = [];
		const answer = () => {
			const made = { id: 'inquiry' };
			answers.push(new WeakRef(made));
			return Promise.resolve(made);
		};
		await go({ execution }).once(0, answer);
		itemsOf.clear();
		await tick();
		collectGarbage();
		expect(answers[0].deref()).toBeUndefined();
	});
});

it('the error that stops a run says what was accepted, what is not confirmed, and what to run again', () => {
	const submissions = new Submissions();
	expect(submissions.summary).toBeUndefined();
	submissions.open.push(2, 0, 1, 10);
	const open = 'Not confirmed (4): items 1-3, 11.';
	expect(submissions.summary).toBe(`${open} Check the service before you run items 1-3, 11 again.`);
	for (const item of [0, 1, 10]) submissions.foundAgain.add(item);
	submissions.accept(4, { name: 'Acme', request_id: 'r-4', id: 4 });
	submissions.accept(3, [
		{ licenseId: 'l-1' },
		{ status: 'new', license_id: 'l-2' },
		{ valid: 'x', id: 'x'.repeat(101) },
	]);
	expect(submissions.summary).toBe(
		`Accepted, but not in the output (2): 4, l-1 + l-2. Run only the other items again, because items 4-5 would be billed twice. 'On Error' set to 'Continue (using error output)' prevents this. ${open} Check the service before you run item 3 again.`,
	);
	for (let item = 2; item < 52; item++) {
		submissions.foundAgain.add(item);
		submissions.accept(item, { id: '' });
	}
	expect(submissions.summary).toMatch(
		/^Accepted, but not in the output \(52\): 4, l-1 \+ l-2,( without an ID,){48} and 2 more\. Not confirmed \(4\): .*\. Run the node again: these submissions are found, and nothing is billed twice\.$/,
	);
});

it('after the failure that stops a run, items that are not confirmed are remembered', () => {
	const granted = { getInputData: () => [{ json: {} }, { json: {} }], continueOnFail: () => false };
	const results = new ResultsForPeople(strictContext<IExecuteFunctions>(granted));
	const lost = new Failure('lost', { submission: 'unknown' });
	for (const item of [1, 0, 2]) expect(() => results.fail(item, item === 2 ? new Failure('no') : lost)).toThrow();
	expect(results.submissions.open).toEqual([0]);
});

it('every other try of a run gets what the first made of its input, and no other run does', () => {
	const made = go({ execution: 'made' }).ofRun(() => ({ name: 'at 9:00' }));
	expect(go({ execution: 'made' }).ofRun(() => ({ name: 'at 9:01' }))).toBe(made);
	expect(go({ execution: 'made', run: 1 }).ofRun(() => ({ name: 'at 9:02' }))).toEqual({ name: 'at 9:02' });
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
			await Promise.allSettled([exclusive(key, task), exclusive(key, task)]);
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
});
