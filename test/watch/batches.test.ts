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
	has          since      list       record      tells                          asks
	finished     1 minute   COMPLETED  RUNNING     -                              page 0
	finished     1 minute   RUNNING    COMPLETED   -                              page 0 read a
	finished     4 minutes  RUNNING    unreadable  -                              page 0 read a
	finished     1 minute   RUNNING    RUNNING     changed a COMPLETED > RUNNING  page 0 read a
	finished     1 minute   RUNNING    gone        changed a COMPLETED > RUNNING  page 0 read a
	finished     5 minutes  RUNNING    COMPLETED   changed a COMPLETED > RUNNING  page 0
	run again    1 minute   COMPLETED  RUNNING     -                              page 0 read a
	run again    4 minutes  COMPLETED  COMPLETED   ended a RUNNING > COMPLETED    page 0 read a
	run again    5 minutes  COMPLETED  RUNNING     ended a RUNNING > COMPLETED    page 0
	not changed  1 minute   COMPLETED  RUNNING     ended a RUNNING > COMPLETED    page 0
`)('a batch has %s since %s, the list shows %s, its record %s: %s; %s', async (what, since, shown, record, ...expected) => {
	const { list, poll } = watching(new List(false));
	const [batch] = [list.add('a'), list.add('b')];
	await poll();
	if (what !== 'not changed') list.end(batch);
	if (what === 'run again') await poll().then(() => list.run(batch));
	if (what !== 'not changed') await poll();
	list.now += (parseInt(since) - 1) * minute;
	batch.status = shown;
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
	const told: string[] = [];
	for (const batch of batches) {
		list.end(batch);
		told.push(...(await poll()).filter((event) => event.startsWith('ended')));
		expect(pollsBehind()).toBe(0);
	}
	for (let round = 0; round < 4; round++) told.push(...(await poll()));
	expect(told.sort()).toEqual(batches.map(({ id }) => `ended ${id} RUNNING > COMPLETED`).sort());
});
