import fc from '../harness/seed';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure, type FailureDetails } from '../../nodes/BusinessVerification/kit/service';
import { Bounded } from '../../nodes/BusinessVerification/kit/objects';
import { exclusive } from '../../nodes/BusinessVerification/engine/turns';
import { type Whose, Submissions } from '../../nodes/BusinessVerification/engine/submissions';
import { strictContext } from '../harness/strictContext';
import { collectGarbage } from '../harness/garbage';

const tick = () => new Promise((resolve) => setImmediate(resolve));

interface Where {
	execution?: string;
	node?: string;
	run?: number;
	retryOnFail?: boolean;
	items?: number;
}

/** n8n makes them for each run of a node, and hands the same to every try of it. */
const itemsOf = new Map<string, object[]>();

/** One go of the node: a new context with the items of its run. */
function go(
	{ execution = 'execution-1', node = 'node-1', run = 0, retryOnFail = true, items = 1 }: Where = {},
	ofAgent = false,
) {
	const place = `${execution} ${node} ${run}`;
	if (!itemsOf.has(place))
		itemsOf.set(
			place,
			Array.from({ length: items }, () => ({ json: {} })),
		);
	const getInputData = () => [...(itemsOf.get(place) ?? [])] as never;
	const getNode = () => ({ retryOnFail, type: ofAgent ? 'aTool' : 'a' });
	return new Submissions(strictContext<IExecuteFunctions>({ getNode, getInputData }));
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
		expect(await first.once(0, {}, send)).toBe('answer 1');
		expect(await first.once(1, {}, send)).toBe('answer 2');
		const second = go({ execution });
		expect(await second.once(0, {}, send)).toBe('answer 1');
		expect(await second.once(1, {}, send)).toBe('answer 2');
		expect(await second.once(2, {}, send)).toBe('answer 3');
	});

	it('is distinguished from the other writes of its place by their order', async () => {
		const first = go({ execution });
		expect(await first.once(0, {}, send)).toBe('answer 1');
		expect(await first.once(0, {}, send)).toBe('answer 2');
		const second = go({ execution });
		expect(second.knows(0)).toBe(true);
		expect(await second.once(0, {}, send)).toBe('answer 1');
		expect(await second.once(0, {}, send)).toBe('answer 2');
		expect(second.knows(0)).toBe(false);
		expect(await second.once(0, {}, send)).toBe('answer 3');
	});

	it.each<[string, Where]>([
		['another execution', { execution: 'another' }],
		['another node', { node: 'node-2' }],
		['another run of a loop', { run: 1 }],
	])('does not reach %s', async (_, elsewhere) => {
		await go({ execution }).once(0, {}, send);
		const other = go({ execution, ...elsewhere });
		expect(other.knows(0)).toBe(false);
		expect(await other.once(0, {}, send)).toBe('answer 2');
	});

	it('is not kept without Retry On Fail, nor for an agent, whose calls share their items', async () => {
		const notTried = { execution, retryOnFail: false };
		await go(notTried).once(0, {}, send);
		expect(await go(notTried).once(0, {}, send)).toBe('answer 2');
		await go({ execution }, true).once(0, {}, send);
		expect(await go({ execution }, true).once(0, {}, send)).toBe('answer 4');
	});

	it('is sent again when the service surely refused it, and never when nobody knows', async () => {
		const first = go({ execution });
		const refused = () => Promise.reject(new Failure('refused', { httpCode: 422 }));
		const lost = () => Promise.reject(new Failure('lost', { submission: 'unknown', description: 'Look it up.' }));
		await expect(first.once(0, {}, refused)).rejects.toThrow('refused');
		await expect(first.once(1, {}, lost)).rejects.toThrow('lost');
		const second = go({ execution });
		expect(await second.once(0, {}, send)).toBe('answer 1');
		await expect(second.once(1, {}, send)).rejects.toMatchObject({
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
		await go({ execution }).once(0, {}, answer);
		itemsOf.clear();
		await tick();
		collectGarbage();
		expect(answers[0].deref()).toBeUndefined();
	});
});

describe('a failure after a submission', () => {
	const failure = new Failure('The service returned status 503', { httpCode: 503, cause: 'temporarily-unavailable' });
	const lost = new Failure('The submission is not confirmed: no answer', {
		submission: 'unknown',
		description: 'Search for it.',
	});
	const loses = (submissions: Submissions, owner: Whose, found = {}) =>
		expect(submissions.once(owner, found, () => Promise.reject(lost))).rejects.toBe(lost);
	const accepts = (submissions: Submissions, owner: Whose, answer: object, found = {}) =>
		submissions.once(owner, found, () => Promise.resolve(answer));

	it('says what was accepted, and what to do', async () => {
		const submissions = go({ execution: 'told' });
		const longest = 'y'.repeat(100);
		await accepts(submissions, 1, [
			{ licenseId: 'l-1' },
			{ license_id: 2 },
			{ id: 'x'.repeat(101) },
			{ id: longest, planId: 'p' },
		]);
		await accepts(submissions, 2, { name: 'Acme', request_id: 'r-2' }, { foundBy: 'crm-2' });
		await accepts(submissions, 3, { status: 'new' });
		expect([0, 1, 2, 3].map((item) => submissions.told(item, failure).details)).toEqual([
			failure.details,
			{
				...failure.details,
				submission: 'accepted',
				facts: `It was submitted and billed (l-1 + 2 + ${longest}).`,
				description: 'Do not submit it again: read its status later.',
			},
			{
				...failure.details,
				submission: 'accepted',
				facts: 'It was submitted and billed (r-2).',
				description: 'Run the node again in a minute: what was submitted is found, and nothing is billed twice.',
			},
			expect.objectContaining({ facts: 'It was submitted and billed (without an ID).' }),
		]);
		// Advice of the failure stays, and what the message names is not named again.
		const forbidden = new Failure('r-2: not allowed', { facts: 'GET failed.', description: 'Ask for permission.' });
		expect(submissions.told(2, forbidden).details).toEqual({
			submission: 'accepted',
			facts: 'It was submitted and billed. GET failed.',
			description: 'Ask for permission. Do not submit it again.',
		});
		expect(submissions.told(1, lost)).toBe(lost);
		// An import runs again to go on.
		for (const batchId of ['b-1', 'b-2']) await accepts(submissions, 'rows', { batchId });
		expect(submissions.told('rows', forbidden).details).toMatchObject({
			facts: 'It was submitted and billed (b-1 + b-2). GET failed.',
			description:
				'Ask for permission. Run the node again in a minute: what was submitted is found, and nothing is billed twice.',
		});
	});

	it('of rows adds to those of earlier tries, and replaces none of them', async () => {
		await accepts(go({ execution: 'rows' }), 'rows', { batchId: 'b-1' });
		const later = go({ execution: 'rows' });
		expect(await accepts(later, 'rows', { batchId: 'b-2' })).toEqual({ batchId: 'b-2' });
		expect(later.told('rows', failure).details.facts).toBe('It was submitted and billed (b-1 + b-2).');
	});

	it('is that of the submission if it is not confirmed, in every try, until it is found', async () => {
		await loses(go({ execution: 'lost' }), 1);
		const later = go({ execution: 'lost' });
		expect(later.told(0, failure)).toBe(failure);
		expect(later.told(1, failure)).toBe(lost);
		later.found(1, { id: 'i-1' });
		expect(go({ execution: 'lost' }).told(1, failure).details.facts).toBe('It was submitted and billed (i-1).');
		expect(go({ execution: 'another' }).told(1, failure)).toBe(failure);
	});

	it('says that nothing was submitted where something could have been, and nothing says so yet', () => {
		const submissions = go({ execution: 'nothing' });
		const told = (details: FailureDetails) => submissions.told(0, new Failure('no', details)).details.facts;
		expect(told({ cause: 'temporarily-unavailable' })).toBeUndefined();
		submissions.bills = true;
		expect(told({})).toBe('Nothing was submitted for it.');
		expect(told({ cause: 'credential-invalid', facts: 'It is short.' })).toBe(
			'Nothing was submitted for it. It is short.',
		);
		expect(told({ cause: 'rate-limited', row: 7 })).toBeUndefined();
		expect(told({ description: 'Nothing was sent. Try again.' })).toBeUndefined();
	});

	it('of an item beside the only one that was submitted names that one', async () => {
		const told = async (items: number) => {
			const submissions = go({ execution: `beside ${items}`, items });
			await accepts(submissions, 0, { id: 'i-0' });
			return submissions.toldForAll('rows', failure, () => 'Acme').details;
		};
		expect(await told(1)).toMatchObject({ submission: 'accepted', facts: 'It was submitted and billed (i-0).' });
		expect(await told(2)).toEqual({
			...failure.details,
			submission: 'partial',
			facts: 'Submitted: item 1 (Acme, i-0).',
			description:
				'Before you run the node again, take item 1 out of its input, or what was submitted is billed twice.',
		});
	});

	it('that stops the run says which items were submitted, with one advice', async () => {
		const names = ['Acme', 'Beta', undefined, 'Delta'];
		/** Items 4, 0, 1 and 10 are lost; 3 and 2 are accepted. */
		async function submitted(execution: string, found: object) {
			const submissions = go({ execution });
			const told = (owner: Whose, thrown = failure) => submissions.toldForAll(owner, thrown, (item) => names[item]);
			await loses(submissions, 4, found);
			expect(told(4, lost)).toBe(lost);
			for (const item of [0, 1, 10]) await loses(submissions, item, found);
			for (const item of [3, 2]) await accepts(submissions, item, { id: `i-${item}` }, found);
			return { submissions, told };
		}
		expect((await submitted('stopped', {})).told(4, lost)).toMatchObject({
			message: lost.message,
			details: {
				facts:
					'Submitted: item 3 (i-2), item 4 (Delta, i-3); not confirmed: item 1 (Acme), item 2 (Beta), item 5, item 11.',
				description:
					'Search for it. Before you run the node again, take items 1-5, 11 out of its input, or what was submitted is billed twice.',
			},
		});
		const { submissions, told } = await submitted('stopped and found', { foundBy: 'crm' });
		const wrong = new Failure('Bad ZIP', { httpCode: 422, facts: 'It is short.', description: 'Correct it.' });
		expect(told(5, wrong)).toMatchObject({
			message: 'Bad ZIP',
			details: {
				facts: expect.stringMatching(/^Submitted: item 3 .* item 11\.$/),
				description:
					'Correct it. Run the node again in a minute: what was submitted is found, and nothing is billed twice.',
			},
		});
		expect(told(4, lost).details.description).toBe(
			'Run the node again in a minute: what was submitted is found, and nothing is billed twice.',
		);
		const late = new Failure('It did not finish', { description: 'Do not submit it again: wait.' });
		expect(told(3, late).details.description).toMatch(/^Run the node again in a minute: /);
		for (let item = 11; item <= 61; item++) await accepts(submissions, item, { id: `i-${item}` });
		expect(told(5).details.facts).toMatch(
			/^Submitted: item 3 .* item 59 \(i-58\), and 3 more; not confirmed: item 1 .* item 11\.$/,
		);
	});
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
