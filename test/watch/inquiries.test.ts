import { judgeByResults, readInFull } from '../../nodes/BusinessVerification/watch/results';
import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiryPoll';
import { type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { fingerprintOf, recall, save, type SavedMemory } from '../../nodes/BusinessVerification/watch/memory';
import { type Inquiry, Service, type World } from './service';
import type { ListedRow, StatusSource } from '../../nodes/BusinessVerification/watch/rows';
import type { StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';

const minute = 60_000;
const whose = { organization: 'o', account: 'a', filters: 'all' };

/** The service, with some of its answers replaced. */
const sourceOf = (service: Service, replaced: Partial<StatusSource>): StatusSource => ({
	page: (query) => service.page(query),
	read: (id) => service.read(id),
	remainingMs: () => service.remainingMs(),
	hostTime: () => service.hostTime(),
	...replaced,
});

const endsOnly: PollOptions['wanted'] = ({ kind }) => kind === 'ended';

/** A trigger that polls each minute, beside what n8n stores of it. */
function polling(service: Service, options: Partial<PollOptions> = {}) {
	let state: SavedMemory | undefined;
	const poll = async (source: StatusSource = service, more: Partial<PollOptions> = {}) => {
		service.deadline = service.now + 36_000;
		const { events, next, trouble } = await pollInquiries(source, recall(state), { ...whose, ...options, ...more });
		state = JSON.parse(JSON.stringify(save(next))) as SavedMemory;
		service.passTo(service.now + minute);
		const told = events.map(
			({ kind, row, previousStatus }) => `${kind} ${row.id.slice(-2)} ${previousStatus} > ${row.status}`,
		);
		return { told, events, trouble, pollsBehind: next.strained };
	};
	const polls = async (count: number, source?: StatusSource) => {
		const told: string[] = [];
		for (let left = count; left > 0; left--) told.push(...(await poll(source)).told);
		return told;
	};
	return { poll, polls, known: () => recall(state)!.known };
}

function watching(world: World = {}, pollOptions: Partial<PollOptions> = {}) {
	const service = new Service({ answerMs: 0, ...world }, 1);
	return { service, ...polling(service, pollOptions) };
}

/** List rows show only when an inquiry was created, and records only when it finished. */
const undated: World = { rows: 'bare', start: 'missing' };

it.each([
	[10, 500],
	[2_000, 50],
])(
	'asks for one page of each kind when nothing happens, however long the history: %i, pages of %i',
	async (size, pageCap) => {
		const { service, poll } = watching({ pageCap });
		service.addHistory(size, service.now - 30 * 1_440 * minute, service.now - minute);
		await poll();
		for (let count = 0; count < 300; count++) service.move(service.create((service.now += 10_000)), 'COMPLETED');
		await poll();
		service.requests = 0;
		await poll();
		expect(service.requests).toBe(3);
	},
);

it('searches for vanished inquiries of one second together, and forgets them once a level has passed them', async () => {
	const { service, poll, known } = watching();
	await poll();
	const gone = [0, 1, 2].map(() => service.create());
	await poll();
	for (const inquiry of gone) service.vanish(inquiry);
	const requests: number[] = [];
	for (let round = 0; round < 6; round++) {
		// Levels stay ten minutes behind.
		if (round === 1) service.now = gone[0].createdAt + 10 * minute;
		if (round === 1) service.create();
		service.requests = 0;
		await poll();
		requests.push(service.requests);
	}
	// The usual two, a page of those that have finished, and one of their creation time.
	expect(requests).toEqual([4, 4, 2, 2, 2, 2]);
	expect(known().size).toBe(1);
});

it('finds inquiries that finished at once together, in the order of their creation', async () => {
	const { service, poll } = watching({}, { limits: { page: 10 }, wanted: endsOnly });
	const ages = [240, 180, 120, 250, 100, 100];
	const [first, second, third, gone, ...others] = ages.map((ago) => service.create(service.now - ago * minute));
	service.move(first, 'RUNNING');
	service.move(third, 'RUNNING');
	service.addHistory(30, service.now - 90 * minute, service.now - 60 * minute);
	for (let count = 0; count < 21; count++) service.create(service.now - (150 + count) * minute);
	await poll();
	await poll();
	service.requests = 0;
	await poll();
	const usual = service.requests;
	for (const inquiry of [first, second, third]) service.move(inquiry, 'COMPLETED');
	service.requests = 0;
	expect((await poll()).told).toEqual([
		'ended 01 RUNNING > COMPLETED',
		'ended 02 PLANNING > COMPLETED',
		'ended 03 RUNNING > COMPLETED',
	]);
	// A page of those that have finished.
	expect(service.requests - usual).toBe(1);
	service.vanish(gone);
	for (const inquiry of others) service.move(inquiry, 'FAILED');
	expect((await poll()).told).toEqual(['ended 05 PLANNING > FAILED', 'ended 06 PLANNING > FAILED']);
});

it('does not take an old page for a second run, and reads the record until that is certain, for a day at most', async () => {
	const { service, poll } = watching(undated);
	await poll();
	const inquiry = service.create();
	await poll();
	const old = await service.page({ status: 'PLANNING', limit: 1, offset: 0 });
	service.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 PLANNING > COMPLETED']);
	let reads = 0;
	const failing = sourceOf(service, { read: () => Promise.reject(new Error(`unavailable ${++reads}`)) });
	const stale = { ...failing, page: async () => old };
	expect((await poll(stale)).told).toEqual([]);
	service.requests = 0;
	for (let round = 0; round < 2; round++) expect((await poll()).told).toEqual([]);
	// The record is read once.
	expect(service.requests).toBe(2 + 1 + 2);
	expect((await poll(stale)).told).toEqual([]);
	service.now += 1_440 * minute;
	for (let round = 0; round < 3; round++) expect((await poll(failing)).told).toEqual([]);
	expect(reads).toBe(1);
	service.move(inquiry, 'RUNNING');
	expect((await poll()).told).toEqual(['changed 01 COMPLETED > RUNNING']);
	service.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 RUNNING > COMPLETED']);
});

it('distinguishes two runs, and two completions with the same date', async () => {
	const { service, poll } = watching({ whileRunning: 'kept', atSecondEnd: 'kept' });
	const inquiry = service.create();
	await poll();
	service.move(inquiry, 'RUNNING');
	const run = await poll();
	service.move(inquiry, 'COMPLETED');
	const first = await poll();
	// Sooner it may be an old copy.
	service.now += 5 * minute;
	service.move(inquiry, 'RUNNING');
	const nextRun = await poll();
	expect(nextRun.told).toEqual(['changed 01 COMPLETED > RUNNING']);
	expect(nextRun.events[0].key).not.toBe(run.events[0].key);
	service.move(inquiry, 'COMPLETED');
	for (let round = 0; round < 4; round++) expect((await poll()).told).toEqual([]);
	const second = await poll();
	expect(second.told).toEqual(['ended 01 RUNNING > COMPLETED']);
	expect(second.events[0].key).toBe(`${first.events[0].key}:2026-03-09T00:13:00Z`);
	expect((await poll()).told).toEqual([]);
});

it('decides on completions from the list, page by page, also for many with one creation time, once it answers', async () => {
	const { service, poll } = watching();
	await poll();
	service.now += 500;
	for (let count = 0; count < 1_200; count++) {
		service.now += count < 600 ? 0 : 10;
		service.move(service.create(), 'COMPLETED');
	}
	const options: Partial<PollOptions> = {
		wanted: endsOnly,
		judge: (all, source) => judgeByResults(all, { scorecard_score_min: 20 }, source),
	};
	const failing = sourceOf(service, {
		page: (query) => (query.scorecard_score_min ? Promise.reject(new Error('unavailable')) : service.page(query)),
	});
	for (let round = 0; round < 16; round++) expect((await poll(failing, options)).told).toEqual([]);
	service.requests = 0;
	const { events } = await poll(service, options);
	expect(events).toHaveLength(960);
	expect(events.every(({ row }) => Number(row.scorecardScore) >= 20)).toBe(true);
	expect(service.requests).toBeLessThan(20);
});

it('reports again what ended within the hours to report again, however long before it was created', async () => {
	const { service, poll } = watching();
	const old = service.create(service.now - 300 * minute);
	service.addHistory(5_000, service.now - 200 * minute, service.now - 100 * minute);
	await poll();
	service.move(old, 'COMPLETED');
	await poll();
	const again: string[] = [];
	for (let round = 0; round < 2; round++)
		again.push(...(await poll(service, round === 0 ? { recheckMs: minute } : {})).told);
	expect(again).toEqual(['ended 01 null > COMPLETED']);
});

/** Reads the record of each event. */
const wholeRecords: PollOptions['judge'] = async (events, source) => {
	const verdicts = new Map<StatusEvent, ListedRow | null>(events.map((event) => [event, event.row]));
	await readInFull(verdicts, source);
	return verdicts;
};

it('reads the record of a completion without a date once, also where events carry it and so wait for it', async () => {
	const { service, poll } = watching(undated);
	await poll();
	const [one, other] = [service.create(), service.create()];
	await poll();
	const read: string[] = [];
	const source = sourceOf(service, {
		read: (id) => {
			read.push(id);
			return service.read(id);
		},
	});
	service.move(one, 'COMPLETED');
	service.move(other, 'FAILED');
	const failing = sourceOf(service, { read: () => Promise.reject(new Error('unavailable')) });
	expect((await poll(failing, { judge: wholeRecords })).told).toEqual([]);
	const { told } = await poll(source, { judge: wholeRecords });
	expect(told).toEqual(['ended 01 PLANNING > COMPLETED', 'ended 02 PLANNING > FAILED']);
	expect(read.sort()).toEqual([one.id, other.id].sort());
});

it.each<[string, World, number]>([
	['none of the newest rows has ended', {}, 60],
	['rows carry no dates', undated, 0],
])('does not read the history at its activation where %s', async (_, options, running) => {
	const { service, poll, polls } = watching(options, { limits: { page: 50 } });
	service.addHistory(2_000, service.now - 30 * 1_440 * minute, service.now - 60 * minute);
	const inquiries = Array.from({ length: running }, (__, index) => service.create(service.now - (60 - index) * 500));
	expect((await poll()).told).toEqual([]);
	expect(service.requests).toBeLessThanOrEqual(8);
	for (const inquiry of inquiries.slice(0, 2)) service.move(inquiry, 'COMPLETED');
	expect(await polls(5)).toHaveLength(Math.min(2, running));
});

it('reports the next completion of an inquiry that ran again between its row and its record', async () => {
	const { service, poll } = watching(undated, { wanted: endsOnly });
	service.addHistory(30, service.now - 90 * minute, service.now - 60 * minute);
	await poll();
	const inquiry = service.create();
	await poll();
	const source = sourceOf(service, {
		read: (id) => {
			if (Service.last(inquiry).status === 'COMPLETED') service.move(inquiry, 'RUNNING');
			return service.read(id);
		},
	});
	service.move(inquiry, 'COMPLETED');
	const told = (await poll(source)).events;
	told.push(...(await poll()).events);
	service.now += 4_000;
	service.move(inquiry, 'COMPLETED');
	service.now += minute;
	told.push(...(await poll()).events);
	expect(told.map(({ row }) => row.completedAt)).toEqual([undefined, '2026-03-09T00:04:04.000Z']);
});

it.each(['RUNNING', 'PLANNING'])(
	'reports at once that an inquiry of long ago, which it has forgotten, is in %s again',
	async (status) => {
		const { service, poll, known } = watching({ rows: 'full' });
		const inquiry = service.create();
		service.end(inquiry, 'COMPLETED');
		service.passTo(service.now + 60 * minute);
		await poll();
		for (let hours = 0; hours < 3; hours++) {
			service.create();
			service.passTo(service.now + 60 * minute);
			await poll();
		}
		expect(known().has(fingerprintOf(inquiry.id))).toBe(false);
		service.run(inquiry, status);
		service.passTo(service.now + minute);
		expect((await poll()).told).toEqual([`changed 01 null > ${status}`]);
		expect((await poll()).told).toEqual([]);
	},
);

it('goes on while the clock of n8n is put back by 30 hours', async () => {
	const { service, poll } = watching();
	let off = 30 * 60 * minute;
	const source = sourceOf(service, {
		hostTime: () => service.hostTime() + off,
	});
	await poll(source);
	off = 0;
	for (let round = 0; round < 3; round++) {
		service.move(service.create(), 'COMPLETED');
		expect((await poll(source)).told).toEqual([
			`created 0${round + 1} null > COMPLETED`,
			`ended 0${round + 1} null > COMPLETED`,
		]);
	}
});

const endsOf = (record: unknown) => (record as { ends: number }).ends;

/** A service of which something may be unknown, beside ten finished inquiries, and a poll a minute. */
function following(world: World, options: Partial<PollOptions> = {}) {
	const service = new Service(world, 1);
	for (let count = 0; count < 10; count++) {
		service.passTo(service.now + minute);
		service.end(service.create(), 'COMPLETED');
	}
	service.passTo(service.now + 30 * minute);
	const { poll } = polling(service, { wanted: endsOnly, ...options });
	const runs = async (polls = 1) => {
		const told: string[] = [];
		for (let left = polls; left > 0; left--)
			told.push(...(await poll()).events.map(({ row: { status, record } }) => `${status} ${endsOf(record)}`));
		return told;
	};
	return { service, poll: runs };
}

it('counts as behind, and reports all in the end, where each event needs its record and time is short', async () => {
	const { service, poll } = watching({ answerMs: 1_000 });
	await poll();
	for (let count = 0; count < 80; count++) service.move(service.create(), 'COMPLETED');
	const reported: string[] = [];
	const behind: number[] = [];
	for (let round = 0; round < 5; round++) {
		const { events, pollsBehind } = await poll(service, { judge: wholeRecords, wanted: endsOnly });
		reported.push(...events.map(({ row }) => row.id));
		behind.push(pollsBehind);
	}
	expect(new Set(reported).size).toBe(80);
	expect(reported).toHaveLength(80);
	expect(behind).toEqual([1, 2, 0, 0, 0]);
});

/** Finishes all at once, and returns what the polls say until all are reported. */
async function pollsOf({ service, poll }: ReturnType<typeof watching>, inquiries: Inquiry[]) {
	for (const inquiry of inquiries) service.move(inquiry, 'COMPLETED');
	const reported: string[] = [];
	const behind: number[] = [];
	for (let round = 0; round < 40 && reported.length < inquiries.length; round++) {
		const { events, trouble, pollsBehind } = await poll();
		expect(trouble).toBeUndefined();
		reported.push(...events.map(({ row }) => row.id));
		behind.push(pollsBehind);
	}
	expect(reported.sort()).toEqual(inquiries.map(({ id }) => id).sort());
	return behind;
}

it('counts as behind while more inquiries are unfinished than it has requests for, with no request failing', async () => {
	const watched = watching({}, { limits: { page: 10, requests: 20 }, wanted: endsOnly });
	const { service, poll } = watched;
	await poll();
	const inquiries = Array.from({ length: 100 }, () => service.create((service.now += 1_000)));
	expect([(await poll()).pollsBehind, (await poll()).pollsBehind]).toEqual([1, 2]);
	expect(await pollsOf(watched, inquiries)).toEqual([0]);
});

it('counts as behind while it searches for inquiries that finished far apart', async () => {
	const watched = watching({}, { limits: { page: 10, requests: 20 }, wanted: endsOnly });
	const { service, poll, polls } = watched;
	const inquiries = Array.from({ length: 30 }, () => {
		service.addHistory(9, (service.now += 10_000), (service.now += 10_000));
		return service.create();
	});
	await polls(2);
	expect((await poll()).pollsBehind).toBe(0);
	expect(await pollsOf(watched, inquiries)).toEqual([1, 2, 0]);
});

it('asks once for the missing inquiries of one second, also where it is not answered', async () => {
	const { service, poll } = watching();
	await poll();
	const gone = [0, 1, 2].map(() => service.create());
	await poll();
	for (const inquiry of gone) service.vanish(inquiry);
	let searches = 0;
	const page: StatusSource['page'] = (query) =>
		query.created_at_to === undefined ? service.page(query) : Promise.reject(new Error(`unavailable ${++searches}`));
	await poll(sourceOf(service, { page }));
	// Among those that have finished, and among all.
	expect(searches).toBe(2);
});

it('reports nothing from before its activation of a crowd of which the newest page shows a part', async () => {
	const { service, polls } = watching({}, { limits: { page: 5 }, wanted: endsOnly });
	service.passTo(service.now + minute);
	const crowd = Array.from({ length: 8 }, () => service.create());
	service.passTo(service.now + 20_000);
	for (const inquiry of crowd) service.end(inquiry, 'COMPLETED');
	service.passTo(service.now + minute);
	expect(await polls(8)).toEqual([]);
});

it('begins each round of the sweep with the oldest inquiries, also while new ones come', async () => {
	const { service, poll } = watching({}, { limits: { page: 5 }, wanted: endsOnly });
	service.addHistory(10, service.now - 300 * minute, service.now - 200 * minute);
	await poll();
	const told: string[] = [];
	for (let round = 0; round < 60; round++) {
		service.move(service.create(), 'COMPLETED');
		if (round === 30) for (const status of ['RUNNING', 'FAILED']) service.move(service.inquiries[0], status);
		told.push(...(await poll()).told);
	}
	expect(told.filter((event) => event.endsWith('FAILED'))).toEqual(['ended 01 null > FAILED']);
});

it('names the first failure of a poll, not the last', async () => {
	const { service, poll } = watching();
	service.addHistory(5, service.now - 60 * minute, service.now - 30 * minute);
	await poll();
	let asked = 0;
	const page: StatusSource['page'] = (query) =>
		++asked > 1 ? Promise.reject(new Error(`failure ${asked}`)) : service.page(query);
	expect((await poll(sourceOf(service, { page }))).trouble).toEqual(new Error('failure 2'));
	expect(asked).toBeGreaterThan(2);
});

it('loses nothing after a change of filters where the Date header is four minutes ahead', async () => {
	const { service, poll } = watching({ dateOffMs: 4 * minute }, { wanted: endsOnly });
	service.addHistory(20, service.now - 60 * minute, service.now - 30 * minute);
	await poll();
	await poll();
	await poll(service, { filters: 'other' });
	const [, old, other] = service.inquiries;
	service.move(old, 'RUNNING');
	service.move(old, 'FAILED');
	service.move(other, 'RUNNING');
	service.move(other, 'COMPLETED');
	const { told } = await poll(service, { filters: 'other' });
	expect(told.map((event) => event.slice(0, 8))).toEqual(['ended 02', 'ended 03']);
});

it.each([
	['right', 0],
	['three hours ahead', 180 * minute],
])('tells a completion with a late date from the next one, if the clock of n8n is %s', async (_, hostOffMs) => {
	const { service, poll } = following({ lateDateMs: [100_000], hostOffMs });
	await poll();
	const inquiry = service.create();
	await poll();
	service.end(inquiry, 'FAILED');
	expect(await poll()).toEqual(['FAILED 1']);
	expect(await poll(8)).toEqual([]);
	service.run(inquiry);
	service.end(inquiry, 'FAILED');
	expect([await poll(), await poll(), await poll()]).toEqual([[], [], ['FAILED 2']]);
});

it('reports once a completion that shows the date of the run before it until its date comes', async () => {
	const late: World = { rows: 'full', whileRunning: 'kept', lateDateMs: [100_000], lateDateShows: 'old' };
	const { service, poll } = following(late);
	await poll();
	const inquiry = service.create();
	service.end(inquiry, 'FAILED');
	service.passTo(service.now + 2 * minute);
	service.run(inquiry);
	service.passTo(service.now + 10_000);
	service.end(inquiry, 'FAILED');
	expect(await poll()).toEqual(['FAILED 2']);
	expect(await poll(4)).toEqual([]);
});

it('reports nothing from before its activation where times have no zone and nothing happened for half an hour', async () => {
	const { service, poll } = following({ zoneHours: 0 }, { limits: { page: 5 } });
	const [old] = service.inquiries;
	service.run(old);
	service.passTo(service.now + minute);
	service.end(old, 'FAILED');
	service.passTo(service.now + 5 * minute);
	expect(await poll(8)).toEqual([]);
});

it('reports nothing from before its activation of a run that an older copy shows as finished before', async () => {
	const { service, poll } = following({ rows: 'full', replicasMs: [120_000, 0, 120_000] });
	const [inquiry] = service.inquiries;
	service.run(inquiry);
	service.end(inquiry, 'FAILED');
	service.passTo(service.now + 5 * minute);
	service.run(inquiry);
	service.passTo(service.now + minute);
	expect(await poll(2)).toEqual([]);
	service.end(inquiry, 'COMPLETED');
	expect(await poll(4)).toEqual(['COMPLETED 3']);
});

/** Rows from an older copy, which show this status; the list of unfinished ones is right. */
const olderRows = (service: Service, status: string, read?: StatusSource['read']) =>
	sourceOf(service, {
		page: async (query) => {
			const page = await service.page(query);
			const isOld = query.status !== 'PLANNING,RUNNING,ENRICHING';
			return isOld ? { ...page, rows: page.rows.map((row) => ({ ...row, status })) } : page;
		},
		...(read ? { read } : {}),
	});

it('reports at once the completion that a record shows, where the row is of the run before it', async () => {
	const { service, poll } = watching(undated, { wanted: endsOnly });
	await poll();
	const inquiry = service.create();
	await poll();
	service.move(inquiry, 'COMPLETED');
	expect((await poll(olderRows(service, 'FAILED'))).told).toEqual(['ended 01 PLANNING > COMPLETED']);
	for (let round = 0; round < 8; round++) expect((await poll()).told).toEqual([]);
});

it('reports the completion of a run that one answer of a poll shows, and all others not', async () => {
	const { service, poll } = watching(undated, { wanted: endsOnly });
	const inquiry = service.create();
	await poll();
	service.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 PLANNING > COMPLETED']);
	const record = await service.read(inquiry.id);
	service.move(inquiry, 'RUNNING');
	expect((await poll(olderRows(service, 'COMPLETED', async () => record))).told).toEqual([]);
	service.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 COMPLETED > COMPLETED']);
	expect((await poll()).told).toEqual([]);
});

it('reports the next completion although the record of the first was outdated, if a poll saw the run after it', async () => {
	const { service, poll } = watching(undated, { wanted: endsOnly });
	const inquiry = service.create();
	await poll();
	service.move(inquiry, 'FAILED');
	const older = await service.read(inquiry.id);
	service.now += 30_000;
	service.move(inquiry, 'RUNNING');
	expect((await poll()).told).toEqual([]);
	service.move(inquiry, 'FAILED');
	const { events } = await poll(sourceOf(service, { read: async () => older }));
	expect(events.map(({ row }) => row.completedAt)).toEqual([older !== 'gone' && older.completedAt]);
	expect((await poll()).told).toEqual(['ended 01 FAILED > FAILED']);
	for (let round = 0; round < 8; round++) expect((await poll()).told).toEqual([]);
});

/** Seventy inquiries of one second are more than a page. */
const crowded: Partial<PollOptions> = { wanted: endsOnly, limits: { page: 50 } };

it('gets past a crowd of the last millisecond of a second, which an inclusive bound shows again and again', async () => {
	const { service, poll } = watching({ bounds: 'inclusive', answerMs: 200 }, crowded);
	service.passTo(Math.ceil(service.now / 1_000) * 1_000 - 1);
	const polls = [await poll()];
	service.passTo(Math.ceil(service.now / 1_000) * 1_000 - 1);
	for (let left = 120; left > 0; left--) service.create();
	polls.push(await poll());
	const later = service.create();
	service.passTo(service.now + minute);
	service.end(later, 'FAILED');
	for (let round = 0; round < 3; round++) polls.push(await poll());
	expect(polls.flatMap(({ events }) => events.map(({ row }) => row.id))).toEqual([later.id]);
	expect(polls.map(({ pollsBehind }) => pollsBehind)).toEqual([0, 0, 0, 0, 0]);
});

it('keeps up with a crowd of one instant in changing order behind a cache, and reads it no longer than needed', async () => {
	const { service, poll } = watching({ ties: 'random', cacheMs: 59_000, digits: 's' }, crowded);
	const polls: string[] = [];
	let reported = 0;
	for (let round = 0; round < 7; round++) {
		for (let left = round === 1 ? 70 : 1; left > 0; left--) service.end(service.create(), 'COMPLETED');
		service.requests = 0;
		const { events, pollsBehind } = await poll();
		reported += events.length;
		polls.push(`${pollsBehind} behind, ${service.requests > 4 ? 'many' : 'few'} requests`);
	}
	expect(reported).toBe(75);
	expect(polls.slice(1).every((said) => said.startsWith('0 behind'))).toBe(true);
	expect(polls).toContain('0 behind, few requests');
});

it('finds what finished in five crowds in changing order, although one of each was deleted, and requests are slow', async () => {
	const { service, poll, polls } = watching({ ties: 'random', answerMs: 800 }, crowded);
	await poll();
	const crowds = [0, 1, 2, 3, 4].map(() => {
		service.passTo(service.now + 2_000);
		return Array.from({ length: 70 }, () => service.create());
	});
	for (const [, , ...others] of crowds) for (const inquiry of others) service.end(inquiry, 'COMPLETED');
	for (let round = 0; round < 12; round++) {
		service.end(service.create(), 'COMPLETED');
		await poll();
	}
	for (const [gone, inquiry] of crowds) {
		service.vanish(gone);
		service.end(inquiry, 'FAILED');
	}
	expect(await polls(3)).toEqual(Array(5).fill(expect.stringMatching(/PLANNING > FAILED$/)));
});

it('reports the completion of an inquiry that was created just before the activation and shown after it', async () => {
	const { service, poll } = watching(undated, { wanted: endsOnly });
	service.addHistory(5, service.now - 30 * minute, service.now - 10 * minute);
	service.now += minute;
	const late = service.create(service.now - 30_000, service.now + 20_000);
	expect((await poll()).told).toEqual([]);
	service.move(late, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 06 null > COMPLETED']);
	expect((await poll()).told).toEqual([]);
});

it('asks for 300 inquiries in statuses that nobody knows together, for a day', async () => {
	const { service, poll, known } = watching();
	const inquiries = Array.from({ length: 300 }, () => ((service.now += 1_000), service.create()));
	await poll();
	for (const inquiry of inquiries) service.move(inquiry, 'ON_HOLD');
	await poll();
	service.requests = 0;
	await poll();
	expect(service.requests).toBeLessThanOrEqual(6);
	for (const inquiry of inquiries.slice(1)) service.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toHaveLength(299);
	const isFollowed = () => known().has(fingerprintOf(inquiries[0].id));
	const passed: boolean[] = [];
	for (const ms of [0, 1_000]) {
		service.now = inquiries[0].createdAt + 1_440 * minute + ms;
		service.create();
		await poll();
		passed.push(isFollowed());
	}
	expect(passed).toEqual([true, false]);
});

it('follows an inquiry in an unknown status until a poll has seen it, however long n8n was off', async () => {
	const { service, poll } = watching(undated);
	const [inquiry] = [service.create(), service.create()];
	await poll();
	service.move(inquiry, 'ON_HOLD');
	await poll();
	service.now += 60 * 60 * minute;
	service.create();
	service.move(inquiry, 'COMPLETED');
	const unfinishedOnly = sourceOf(service, {
		page: async ({ status, ...query }) => {
			if (!status?.includes('RUNNING')) throw new Error('unavailable');
			const page = await service.page({ ...query, status });
			const rows = page.rows.filter((row) => status.includes(row.status));
			return { ...page, rows, total: rows.length };
		},
	});
	expect((await poll(unfinishedOnly)).told).toEqual(['created 03 null > PLANNING']);
	expect((await poll()).told).toEqual(['ended 01 ON_HOLD > COMPLETED']);
});

it('reports nothing again where the level has just reached a completion, and its date is written rounded up', async () => {
	const { service, poll } = watching({}, { wanted: endsOnly });
	await poll();
	service.now += 700;
	service.move(service.create(), 'COMPLETED');
	const { events } = await poll();
	expect(events).toHaveLength(1);
	service.now = Date.parse(events[0].row.completedAt!) + 10 * minute;
	service.create();
	await poll();
	const up = (text: string | null | undefined) => text && new Date(Date.parse(text) + 300).toISOString();
	const rounded = sourceOf(service, {
		page: async (query) => {
			const page = await service.page(query);
			return { ...page, rows: page.rows.map((row) => ({ ...row, completedAt: up(row.completedAt) })) };
		},
	});
	for (let round = 0; round < 3; round++) expect((await poll(rounded)).told).toEqual([]);
});

it('reports later what memory has no room for', async () => {
	const { service, poll, polls, known } = watching({}, { limits: { known: 3 } });
	await poll();
	const inquiries = Array.from({ length: 5 }, () => ((service.now += 1_000), service.create()));
	await poll();
	expect(known().size).toBe(3);
	for (const inquiry of inquiries) service.move(inquiry, 'COMPLETED');
	const told: string[] = [];
	for (let round = 0; round < 6; round++) {
		service.move(service.create(), 'COMPLETED');
		told.push(...(await polls(10)));
	}
	const ended = told.filter((event) => event.startsWith('ended')).map((event) => event.slice(6, 8));
	expect(ended).toEqual(['01', '02', '03', '04', '05', '06', '07', '08', '09', '0a', '0b']);
});

it('goes on with a list where it failed, so that no length of it is too much', async () => {
	const { service, poll, polls } = watching({}, { limits: { page: 10 } });
	await poll();
	for (let index = 0; index < 100; index++) {
		service.now += 1_000;
		service.move(service.create(), 'COMPLETED');
	}
	let answers = 0;
	const failing = sourceOf(service, {
		page: (query) => (++answers % 4 === 0 ? Promise.reject(new Error('unavailable')) : service.page(query)),
	});
	const told = await polls(12, failing);
	expect(told.filter((event) => event.startsWith('ended'))).toHaveLength(100);
});

it('reads pages of reported completions before the sweep comes to them, if many wait for it, so that memory drops them', async () => {
	const { service, poll, known } = watching({}, { limits: { page: 10 } });
	const finish = (count: number) => {
		for (let index = 0; index < count; index++) {
			service.now += 1_000;
			service.move(service.create(), 'COMPLETED');
		}
	};
	await poll();
	finish(100);
	await poll();
	const polls: string[] = [];
	for (let round = 0; round < 12; round++) {
		service.requests = 0;
		finish(1);
		await poll();
		polls.push(`${service.requests} requests, ${known().size} in memory`);
	}
	// Ten minutes after the last of the hundred, ten pages more: the sweep has read one of them.
	expect(polls.slice(7)).toEqual([
		'3 requests, 108 in memory',
		'3 requests, 109 in memory',
		'13 requests, 10 in memory',
		'3 requests, 11 in memory',
		'3 requests, 10 in memory',
	]);
});

it('loses no second run in a crowd where the pages of reported completions are read before the sweep', async () => {
	const { service, poll, polls } = watching({}, { limits: { page: 10 }, wanted: endsOnly });
	service.addHistory(500, service.now - 500 * minute, service.now - 60 * minute);
	await poll();
	const finish = (created: Inquiry[]) => created.forEach((inquiry) => service.move(inquiry, 'COMPLETED'));
	const crowd = Array.from({ length: 30 }, () => service.create());
	finish(crowd);
	expect((await poll()).told).toHaveLength(30);
	for (let round = 0; round < 3; round++) {
		service.create();
		expect((await poll()).told).toEqual([]);
	}
	for (const status of ['RUNNING', 'FAILED']) service.move(crowd[29], status);
	service.now += minute;
	finish(Array.from({ length: 70 }, () => service.create((service.now += 1_000))));
	expect(await polls(2)).toHaveLength(70);
	const told: string[] = [];
	for (let round = 0; round < 80; round++) {
		service.create();
		told.push(...(await poll()).told);
	}
	expect(told.map((event) => event.slice(-6))).toEqual(['FAILED']);
});

it('reports at once the end of what ran at the activation, also by a clock that is behind', async () => {
	const { service, poll } = watching({ rows: 'full' }, { limits: { page: 5 }, wanted: endsOnly });
	const inquiry = service.create(service.now - 60 * minute);
	service.addHistory(10, service.now - 50 * minute, service.now - 40 * minute);
	await poll();
	inquiry.skew = -2 * minute;
	service.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 PLANNING > COMPLETED']);
	expect((await poll()).told).toEqual([]);
});

it('shows at once what was created and finished between two polls where times are local', async () => {
	const { service, poll } = watching({ zoneHours: 9 }, { limits: { page: 5 }, wanted: endsOnly });
	service.addHistory(30, service.now - 90 * minute, service.now - 5 * minute);
	await poll();
	for (const status of ['COMPLETED', 'FAILED']) service.move(service.create((service.now += 1_000)), status);
	expect((await poll()).told).toEqual(['ended 1f null > COMPLETED', 'ended 20 null > FAILED']);
	expect((await poll()).told).toEqual([]);
});

it.each<[string, World]>([
	['the Date header is a day behind', { dateOffMs: -1_440 * minute }],
	['the clock of n8n is a day behind', { hostOffMs: -1_440 * minute }],
])('reports nothing from before its activation where %s', async (_, options) => {
	const { service, polls } = watching(options, { limits: { page: 5 }, wanted: endsOnly });
	service.addHistory(20, service.now - 90 * minute, service.now - 5 * minute);
	expect(await polls(8)).toEqual([]);
	service.move(service.create(), 'COMPLETED');
	expect(await polls(8)).toEqual(['ended 15 null > COMPLETED']);
});

it('reports in its first poll all of the hours to include, however many pages they fill', async () => {
	const { service, poll } = watching({}, { limits: { page: 5 }, wanted: endsOnly, lookBackMs: 60 * minute });
	service.addHistory(30, service.now - 300 * minute, service.now - 120 * minute);
	service.addHistory(20, service.now - 50 * minute, service.now - 10 * minute);
	expect((await poll()).told).toHaveLength(20);
	expect((await poll()).told).toEqual([]);
});
