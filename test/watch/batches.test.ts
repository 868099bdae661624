import { pollWholeList } from '../../nodes/BusinessVerification/watch/wholeList';
import { type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { recall, save, type SavedMemory } from '../../nodes/BusinessVerification/watch/memory';
import { List } from './list';
import { randomFrom } from './random';

const minute = 60_000;

function watching(list: List) {
	let state: SavedMemory | undefined;
	let behind = 0;
	return {
		list,
		pollsBehind: () => behind,
		async poll(more: Partial<PollOptions> = {}) {
			list.requests = [];
			const given = { organization: 'o', account: 'a', filters: 'all', limits: { page: 5 }, ...more };
			const { events, next } = await pollWholeList(list, recall(state), given);
			state = JSON.parse(JSON.stringify(save(next))) as SavedMemory;
			behind = next.incompletePolls;
			list.now += minute;
			return events.map(({ kind, row, previousStatus }) => `${kind} ${row.id} ${previousStatus} > ${row.status}`);
		},
	};
}

it('goes on with a list where it stopped, and from its start with another setting', async () => {
	const { list, poll } = watching(new List(false));
	for (let index = 0; index < 17; index++) list.add(`b${index}`);
	const asked: string[] = [];
	for (const filters of ['all', 'all', 'others', 'others']) {
		await poll({ filters, limits: { page: 5, requests: 2 } });
		asked.push(list.requests.join(' '));
	}
	expect(asked).toEqual(['page 0 page 5', 'page 10 page 15', 'page 0 page 5', 'page 10 page 15']);
});

it('does not report again a batch that an old copy of the list shows unfinished', async () => {
	const { list, poll } = watching(new List(false));
	const batch = list.add('a');
	await poll();
	list.end(batch);
	expect(await poll()).toEqual(['ended a RUNNING > COMPLETED']);
	const { page } = list;
	list.page = async (query) => {
		const answer = await page.call(list, query);
		return { ...answer, rows: answer.rows.map((row) => ({ ...row, status: 'RUNNING' })) };
	};
	expect([await poll(), list.requests]).toEqual([[], ['page 0', 'read a']]);
	list.read = () => Promise.reject(new Error('unavailable'));
	expect(await poll()).toEqual([]);
	list.page = page;
	expect(await poll()).toEqual([]);
});

it('loses none of a list that comes in another order with each request, and does not count as behind', async () => {
	const { list, poll, pollsBehind } = watching(new List(false));
	const batches = Array.from({ length: 23 }, (_, index) => list.add(`b${index}`));
	const random = randomFrom(3);
	const { page } = list;
	list.page = (query) => {
		list.rows.sort(() => random() - 0.5);
		return page.call(list, query);
	};
	await poll();
	const told: string[] = [];
	for (const batch of batches) {
		list.end(batch);
		told.push(...(await poll()).filter((event) => event.startsWith('ended')));
		expect(pollsBehind()).toBe(0);
	}
	for (let round = 0; round < 4; round++) told.push(...(await poll()));
	expect(told.sort()).toEqual(batches.map(({ id }) => `ended ${id} RUNNING > COMPLETED`).sort());
});
