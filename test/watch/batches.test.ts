import { pollWholeList } from '../../nodes/BusinessVerification/watch/wholeList';
import { type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { recall, save, type SavedMemory } from '../../nodes/BusinessVerification/watch/memory';
import { List } from './list';
import { randomFrom } from './random';
import { eachLine } from './table';

const minute = 60_000;

function watching(list: List) {
	let state: SavedMemory | undefined;
	let behind = 0;
	return {
		list,
		pollsBehind: () => behind,
		async poll(more: Partial<PollOptions> = {}) {
			list.requests = [];
			const given = { organization: 'o', account: 'a', filters: 'all', limits: { page: 5, inMemory: 23 }, ...more };
			const { events, next } = await pollWholeList(list, recall(state), given);
			state = JSON.parse(JSON.stringify(save(next))) as SavedMemory;
			behind = next.incompletePolls;
			list.now += minute;
			return events.map(({ kind, row, previousStatus }) => `${kind} ${row.id} ${previousStatus} > ${row.status}`);
		},
	};
}

it('goes on with a list where it stopped, and from its start with another setting', async () => {
	const { list, poll, pollsBehind } = watching(new List(false));
	for (let index = 0; index < 17; index++) list.add(`b${index}`);
	const asked: string[] = [];
	for (const filters of ['all', 'all', 'others', 'others']) {
		await poll({ filters, limits: { page: 5, requests: 2 } });
		asked.push(`${list.requests.join(' ')}, behind ${pollsBehind()}`);
	}
	expect(asked).toEqual(Array(2).fill(['page 0 page 5, behind 1', 'page 10 page 15, behind 0']).flat());
});

eachLine(`
	polls saw                  ago        list       record      tells                          asks
	RUNNING COMPLETED          1 minute   COMPLETED  RUNNING     -                              page 0
	RUNNING COMPLETED          1 minute   RUNNING    COMPLETED   -                              page 0 read a
	RUNNING COMPLETED          4 minutes  RUNNING    unreadable  -                              page 0 read a
	RUNNING COMPLETED          1 minute   RUNNING    RUNNING     changed a COMPLETED > RUNNING  page 0 read a
	RUNNING COMPLETED          1 minute   RUNNING    gone        changed a COMPLETED > RUNNING  page 0 read a
	RUNNING COMPLETED          5 minutes  RUNNING    COMPLETED   changed a COMPLETED > RUNNING  page 0
	RUNNING COMPLETED RUNNING  1 minute   COMPLETED  RUNNING     -                              page 0 read a
	RUNNING COMPLETED RUNNING  4 minutes  COMPLETED  COMPLETED   ended a RUNNING > COMPLETED    page 0 read a
	RUNNING COMPLETED RUNNING  5 minutes  COMPLETED  RUNNING     ended a RUNNING > COMPLETED    page 0
	RUNNING                    1 minute   COMPLETED  RUNNING     ended a RUNNING > COMPLETED    page 0
	COMPLETED                  1 minute   RUNNING    COMPLETED   -                              page 0 read a
`)('polls saw %s, the last one %s ago; list %s, record %s: %s; %s', async (saw, ago, shown, record, ...expected) => {
	const { list, poll } = watching(new List(false));
	const [batch] = [list.add('a', '', saw === 'COMPLETED' ? '2025-12-31T00:00:00Z' : null), list.add('b')];
	for (batch.status of saw.split(' ')) await poll();
	list.now += (parseInt(ago) - 1) * minute;
	Object.assign(batch, { status: shown, completedAt: null });
	list.read = async (id) => {
		list.requests.push(`read ${id}`);
		if (record === 'unreadable') throw new Error('unavailable');
		return record === 'gone' ? 'gone' : { ...batch, status: record };
	};
	expect([(await poll()).join() || '-', list.requests.join(' ')]).toEqual(expected);
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
	// One more than `inMemory`, which does not bound a whole list.
	batches.push(list.add('new'));
	const told: string[] = [];
	for (const batch of batches) {
		list.end(batch);
		told.push(...(await poll()).filter((event) => event.startsWith('ended')));
		expect(pollsBehind()).toBe(0);
	}
	for (let round = 0; round < 4; round++) told.push(...(await poll()));
	expect(told.sort()).toEqual(batches.map(({ id }) => `ended ${id} RUNNING > COMPLETED`).sort());
});
