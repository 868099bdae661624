import type { IPollFunctions } from 'n8n-workflow';
import { save, WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import { takeTurn } from '../../nodes/BusinessVerification/watch/triggerMemory';
import { strictContext } from '../harness/strictContext';
import { eachLine } from './table';

// Which of several memories a poll goes on from, whose turn it is, and what n8n is given to store. A memory is named by its
// filters, here `m` and the minute it is of.

const minute = 60_000;
const start = Date.now() - 100 * minute;
const longestMs = 5 * minute;
let elapsed = 0;
const { now } = performance;
beforeEach(() => {
	elapsed = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + elapsed);
});
afterEach(() => jest.restoreAllMocks());

const memoryOf = (at: number) => Object.assign(new WatchMemory('o', 'a', `m${at}`), { at: start + at * minute });

let nodes = 0;

/** A node, with what n8n has stored by its name and, under its ID, for all nodes of the workflow. */
function nodeOf(given: { id?: string; workflow?: string; budgetMs?: number; isDurable?: boolean } = {}) {
	const { id = `n${++nodes}`, workflow = 'w', budgetMs, isDurable } = given;
	const data: { named: object; shared: Record<string, unknown> } = { named: {}, shared: {} };
	const take = () =>
		takeTurn(
			strictContext<IPollFunctions>({
				...{ getNode: () => ({ id }), getWorkflow: () => ({ id: workflow }) },
				getWorkflowStaticData: (kind: string) => (kind === 'global' ? data.shared : data.named),
				...(budgetMs && {
					getPollBudgetMs: () => budgetMs,
					workflow: { getStaticData: () => (isDurable ? {} : data.named) },
				}),
			} as never),
			longestMs,
		);
	/** Returns from which memory the poll went on. */
	const poll = (at: number, hasReport = false) => {
		const turn = take();
		turn?.keep(memoryOf(at), hasReport);
		turn?.end();
		return turn ? (turn.saved?.filters ?? 'none') : 'no turn';
	};
	const key = `businessVerification ${id}`;
	return { id, key, data, take, poll };
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('goes on from the poll before, also of a renamed node, and of one that got its former name back', () => {
	const { data, poll } = nodeOf();
	expect([poll(1), poll(2)]).toEqual(['none', 'm1']);
	const { named } = data;
	data.named = {};
	expect([poll(3), poll(4)]).toEqual(['m2', 'm3']);
	data.named = named;
	expect(poll(5)).toBe('m4');
	// Where n8n stores only what comes with events, the process has the rest.
	data.named = data.shared = {};
	expect(poll(6)).toBe('m5');
});

it('waits half a minute for n8n to store what a poll reported, and then reports it again', () => {
	const { data, poll } = nodeOf();
	poll(1);
	const before = copyOf(data);
	expect(poll(2, true)).toBe('m1');
	const later = [0, 29_000, 30_500].map((ms) => {
		Object.assign(data, copyOf(before));
		elapsed = ms;
		return poll(3, true);
	});
	// What is stored then is the one to go on from, until n8n has an older one again.
	expect([...later, poll(4)]).toEqual(['no turn', 'no turn', 'm1', 'm3']);
	Object.assign(data, copyOf(before));
	expect(poll(5)).toBe('no turn');
});

it('gives the turn to one poll of a node, for as long as a poll may take, and the nodes of other workflows theirs', () => {
	const { id, take } = nodeOf();
	const first = take()!;
	expect([take(), nodeOf({ id, workflow: 'copy' }).take() !== null]).toEqual([null, true]);
	elapsed = longestMs - 1_000;
	expect(take()).toBeNull();
	elapsed = longestMs + 1_000;
	const second = take()!;
	first.end();
	expect([first.keep(memoryOf(1), false), take(), second.keep(memoryOf(1), false)]).toEqual([false, null, true]);
	second.end();
	expect(take()).not.toBeNull();
});

it.each([
	['300 s', undefined, true, false],
	['300 s, without events', undefined, false, true],
	['36 s', 36_000, true, true],
])('publishing during a poll discards its events where n8n allows %s', (_, budgetMs, hasReport, isKept) => {
	const node = nodeOf({ budgetMs });
	const first = node.take()!;
	const { named } = node.data;
	node.data.named = {};
	expect(node.take()).toBeNull();
	node.data.named = named;
	expect(first.keep(memoryOf(1), hasReport)).toBe(isKept);
});

it.each([
	[23, 'm0'],
	[25, 'none'],
])('goes on from a node of its name that was deleted %i hours ago, for a day: %s', (hours, expected) => {
	const { data, poll } = nodeOf();
	const state = save(Object.assign(memoryOf(0), { at: Date.now() - hours * 60 * minute }));
	data.named = { state: { ...state, id: 'deleted' } };
	expect(poll(1)).toBe(expected);
});

eachLine(`
	by name     by ID       goes on from  the time of the last poll
	damaged 1   whole 0     m0            -
	damaged 1   damaged 0   none          1
	damaged x   damaged 0   none          0
	-           -           none          -
`)('of copies %s and %s: %s, else from %s', (byName, byId, expected, time) => {
	const { key, data, take } = nodeOf();
	const copies = [byName, byId].map((text) => {
		const [what, at] = text.split(' ');
		const state = { ...save(memoryOf(0)), at: at === 'x' ? at : start + Number(at) * minute };
		return what === '-' ? undefined : { ...state, text: what === 'damaged' ? '?' : state.text };
	});
	Object.assign(data, { named: { state: copies[0] }, shared: { [key]: copies[1] } });
	const turn = take()!;
	expect(turn.saved?.filters ?? 'none').toBe(expected);
	expect(turn.lastPollAt).toBe(time === '-' ? undefined : start + Number(time) * minute);
});

it.each([
	['usual scheduler', {}, true],
	['short polls', { budgetMs: 36_000 }, true],
	['durable scheduler, which has the ID', { budgetMs: 36_000, isDurable: true }, false],
])('stores a second copy under the ID, or not: %s', (_, given, hasCopy) => {
	const { id, key, data, take, poll } = nodeOf(given);
	expect(take()!.isFirstOfProcess).toBe(true);
	elapsed = longestMs + 1_000;
	for (const at of [0, 1]) poll(at);
	expect(data).toEqual({
		named: { state: { ...save(memoryOf(1)), id } },
		shared: hasCopy ? { [key]: save(memoryOf(1)) } : {},
	});
	expect(take()!.isFirstOfProcess).toBe(false);
});
