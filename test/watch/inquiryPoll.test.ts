import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiryPoll';
import { fingerprintOf, type Known, recall, save, WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import { type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import type { ListedRow, PageQuery, StatusSource } from '../../nodes/BusinessVerification/watch/rows';
import { Service, type World } from './service';
import { eachLine } from './table';

// What one poll reads of a list, with how much of its budget, and what it keeps in memory. Times in seconds from now.

const now = 1_780_000_000;
const second = 1_000;
const minute = 60_000;
const iso = (time: number) => new Date((now + time) * second).toISOString();
const secondsIn = (text: string | undefined, otherwise: number) => (text ? Date.parse(text) / second - now : otherwise);
const options: PollOptions = { organization: 'o', account: 'a', filters: 'f' };

/** The poll before was `minutes` ago. */
const savedMemory = (values: object, minutes = 1) =>
	Object.assign(new WatchMemory('o', 'a', 'f'), { at: (now - minutes * 60) * second, latestShown: now - 9, ...values });

const newestFrom = now - 5_000;

/** What is missing is searched for between the first and the last of it, which are not far apart here. */
const kindOf = ({ status, created_at_from: from, created_at_to: to }: PageQuery) => {
	if (status) return status.includes('RUNNING') ? 'unfinished' : 'finished';
	if (to === undefined) return 'newest';
	return secondsIn(to, 0) - secondsIn(from, -9_999) < 100 ? 'search' : 'sweep';
};

it.each([
	[undefined, 40],
	// One is kept for the judge.
	[async () => new Map(), 39],
])('leaves parts of its budget to what it reads later', async (judge, unfinished) => {
	const asked: Record<string, number> = { unfinished: 0, newest: 0, finished: 0, search: 0, sweep: 0, records: 0 };
	const source: StatusSource = {
		async page(query) {
			asked[kindOf(query)]++;
			const from = Math.ceil(secondsIn(query.created_at_from, -9_000));
			const status = query.status?.split(',')[0] ?? 'COMPLETED';
			const rows = [1, 2].map((next) => ({ id: `${status}${from + next}`, status, createdAt: iso(from + next) }));
			return { rows, total: Infinity };
		},
		read: async () => (asked.records++, Promise.reject(new Error('unavailable'))),
		remainingMs: () => 60_000,
		hostTime: () => now * second,
	};
	const entry = { state: 'unfinished', since: now - 60, coveredTo: 0, status: 'RUNNING' } as const;
	const known = new Map<string, Known>();
	for (let place = 0; place < 30; place++) known.set(`missing${place}`, { ...entry, created: now - 8_990 + place });
	const memory = savedMemory({ known, newestFrom, steps: [{ from: 0, level: now - 9_999 }] }, 60);
	const limits = { page: 2, requests: 100 };
	await pollInquiries(source, memory, { ...options, limits, judge: judge as PollOptions['judge'] });
	expect(asked).toEqual({ unfinished, newest: 25, finished: 10, search: 0, sweep: 5, records: 20 });
});

/** A list whose every answer is of this moment. */
function listing(rows: ListedRow[], failing: string[] = [], records: Record<string, ListedRow | 'gone'> = {}) {
	const asked: string[] = [];
	const source: StatusSource = {
		async page(query) {
			const [from, to] = [secondsIn(query.created_at_from, -Infinity), secondsIn(query.created_at_to, Infinity)];
			asked.push(`${kindOf(query)} ${Math.ceil(from)} ${to}`);
			if (failing.includes(kindOf(query))) throw new Error('unavailable');
			const isIn = ({ createdAt, status }: ListedRow) => {
				const created = secondsIn(createdAt!, 0);
				return created >= from && created < to && (!query.status || query.status.split(',').includes(status));
			};
			const found = rows.filter(isIn).sort((a, b) => a.createdAt!.localeCompare(b.createdAt!));
			return { rows: found.slice(query.offset, query.offset + query.limit), total: found.length };
		},
		read: async (id) => (asked.push(`read ${id}`), records[id] ?? Promise.reject(new Error('unavailable'))),
		remainingMs: () => 60_000,
		hostTime: () => now * second,
	};
	return { source, asked };
}

eachLine(`
	state       since  created  covered to  row       is kept, where all was read, and where the search and the sweep failed
	covered     -300   -900     -601        shown     no no
	covered     -299   -900     -601        shown     yes yes
	covered     -300   -900     -600        shown     yes yes
	covered     -300   -601     -700        shown     no no
	covered     -300   -600     -700        shown     yes yes
	covered     -300   -900     -601        missing   no no
	covered     -300   -5100    -5050       missing   no yes
	doubted     -299   -900     -601        shown     yes yes
	unfinished  -300   -600     -700        missing   no no
	unfinished  -300   -599     -700        missing   yes yes
	unfinished  -300   -5100    -5100       missing   no yes
	postponed   -300   -5100    -5100       missing   no yes
	unfinished  -300   -5100    -5100       running   yes yes
	unfinished  -300   -86401   -86401      held      no yes
	unfinished  -300   -86400   -86400      held      yes yes
	postponed   -300   -86401   -86401      waits     yes yes
`)('%s since %s, of %s, to %s, row %s: %s', async (state, since, created, coveredTo, row, expected) => {
	const kept: string[] = [];
	const status = { shown: 'COMPLETED', waits: 'COMPLETED', running: 'RUNNING', held: 'ON_HOLD' }[row];
	const judge = row === 'waits' ? async () => new Map() : undefined;
	for (const failing of [[], ['search', 'sweep', ...(status === 'ON_HOLD' ? ['unfinished'] : [])]]) {
		const id = 'inquiry';
		const times = { since: now + Number(since), created: now + Number(created), coveredTo: now + Number(coveredTo) };
		const known = { state, ...times, status: row === 'waits' ? 'ON_HOLD' : (status ?? 'COMPLETED') } as Known;
		const memory = savedMemory({ newestFrom, steps: [{ from: 0, level: now - 90_000 }] });
		const shown: ListedRow = { id, status: status!, createdAt: iso(Number(created)) };
		if (status === 'COMPLETED') shown.completedAt = iso(Number(coveredTo));
		const latest = { id: 'latest', status: 'PLANNING', createdAt: iso(0) };
		const { source } = listing([latest, ...(status ? [shown] : [])], failing);
		memory.known.set(fingerprintOf(id), known);
		const { next } = await pollInquiries(source, memory, { ...options, judge });
		kept.push(next.known.size === 2 ? 'yes' : 'no');
	}
	expect(kept.join(' ')).toBe(expected);
});

/** Rows without times, of what memory has for so many seconds, and a memory of them. */
function bare(known: Record<string, Partial<Known>>) {
	const rows = Object.keys(known).map((id, place) => ({ id, status: 'COMPLETED', createdAt: iso(-900 + place) }));
	const usual = { state: 'unfinished', since: now - 60, created: now - 900, coveredTo: 0, status: 'RUNNING' } as const;
	const entries = Object.entries(known).map(([id, values]) => [fingerprintOf(id), { ...usual, ...values }] as const);
	return { rows, memory: savedMemory({ newestFrom, known: new Map(entries) }) };
}

eachLine(`
	its record            is told                       and kept
	COMPLETED -5          ended COMPLETED               covered COMPLETED -5
	COMPLETED             ended COMPLETED               covered COMPLETED 0
	FAILED -5             ended FAILED                  doubted FAILED -5
	RUNNING               ended COMPLETED               doubted COMPLETED 0
	gone                  ended COMPLETED               covered COMPLETED 0
	unreadable            ended COMPLETED               covered COMPLETED 0
`)('of a completion without times, the record is read: %s; %s, %s', async (record, expected, entry) => {
	const { rows, memory } = bare({ x: {} });
	const [status, date] = record.split(' ');
	const read = { ...rows[0], status, ...(date && { completedAt: iso(Number(date)) }) };
	const records: Record<string, ListedRow | 'gone'> =
		record === 'unreadable' ? {} : { x: record === 'gone' ? record : read };
	const { source, asked } = listing(rows, [], records);
	const { events, next } = await pollInquiries(source, memory, options);
	const { state, status: known, coveredTo } = next.known.get(fingerprintOf('x'))!;
	expect(events.map(({ kind, row }) => `${kind} ${row.status}`).join()).toBe(expected);
	expect(`${state} ${known} ${coveredTo - now}`).toBe(entry);
	expect(asked.filter((request) => request.startsWith('read'))).toEqual(['read x']);
});

eachLine(`
	the answers of one poll, in turn         tell               and keep
	unfinished RUNNING, newest COMPLETED     ended COMPLETED    doubted COMPLETED
	newest COMPLETED, sweep FAILED           ended COMPLETED    doubted COMPLETED
	finished COMPLETED, sweep RUNNING        ended COMPLETED    doubted COMPLETED
	search RUNNING, sweep FAILED             ended FAILED       doubted FAILED
`)('judges what each request shows of an inquiry: %s; %s, %s', async (answers, expected, entry) => {
	const { rows, memory } = bare({ x: {} });
	const { source } = listing([]);
	source.page = async (query) => {
		const status = new RegExp(`${kindOf(query)} (\\w+)`).exec(answers)?.[1];
		const completedAt = status === 'RUNNING' ? null : iso(-5);
		return { rows: status ? [{ ...rows[0], status, completedAt }] : [], total: 1 };
	};
	const { events, next } = await pollInquiries(source, memory, options);
	expect(events.map(({ kind, row }) => `${kind} ${row.status}`).join()).toBe(expected);
	const { state, status } = next.known.get(fingerprintOf('x'))!;
	expect(`${state} ${status}`).toBe(entry);
});

it('comes to a completion although more inquiries are gone than one poll can look for', async () => {
	const entry = { state: 'unfinished', since: now - 900, coveredTo: 0, status: 'RUNNING' } as const;
	const finished = (id: string, created: number, at: number): ListedRow => ({
		...{ id, status: 'COMPLETED', createdAt: iso(created), startedAt: iso(created), completedAt: iso(at) },
	});
	const known = new Map<string, Known>();
	const rows: ListedRow[] = [{ id: 'latest', status: 'PLANNING', createdAt: iso(0) }];
	for (let place = 0; place < 40; place++) {
		const created = -9_800 + place * 100;
		known.set(fingerprintOf(`gone${place}`), { ...entry, created: now + created });
		for (const next of [10, 20, 30]) rows.push(finished(`other${created + next}`, created + next, -5_050));
	}
	rows.push(finished('wanted', -5_500, -30));
	known.set(fingerprintOf('wanted'), { ...entry, created: now - 5_500 });
	const { source } = listing(rows);
	let memory = savedMemory({ known, newestFrom, steps: [{ from: 0, level: now - 700 }] });
	const reported: string[][] = [];
	for (let poll = 0; poll < 9; poll++) {
		const { events, next } = await pollInquiries(source, memory, { ...options, limits: { page: 2, requests: 30 } });
		reported.push(events.filter(({ kind }) => kind === 'ended').map(({ row }) => row.id));
		memory = recall(save(next))!;
	}
	expect(reported.flat()).toEqual(['wanted']);
});

it('leaves the records for which there is no time to the next poll', async () => {
	const states = {
		a: { since: now - 500 },
		b: { state: 'doubted', since: now - 300, status: 'COMPLETED' },
		c: { state: 'postponed', since: now - 400 },
	} as const;
	const { rows, memory } = bare(states);
	const { source, asked } = listing(rows);
	const { next } = await pollInquiries(source, memory, { ...options, limits: { requests: 5 } });
	expect([asked, next.incompletePolls]).toEqual([
		['unfinished -Infinity Infinity', 'newest -5000 Infinity', 'sweep -Infinity -5000', 'read a', 'read b'],
		1,
	]);
});

it.each([
	[1, 1, 1],
	[1, 3, 0],
	[0, 0, 0],
])('is behind with %i missing where %i requests are left to search for it: %i', async (missing, left, incomplete) => {
	const { memory } = bare(missing ? { x: {} } : {});
	const { next } = await pollInquiries(listing([]).source, memory, { ...options, limits: { requests: 2 + left } });
	expect(next.incompletePolls).toBe(incomplete);
});

it.each([
	[60, 300, 'search -800 -740', 0],
	[59, 300, undefined, 59],
	[60, 299, undefined, 60],
])('reads the pages of %i completions, reported %i s ago, to drop them: %s', async (count, ago, expected, kept) => {
	const entry = { state: 'covered', since: now - ago, coveredTo: now - 700, status: 'COMPLETED' } as const;
	const known = new Map(
		Array.from({ length: count }, (_, place) => [`${place}`, { ...entry, created: now - 800 + place }]),
	);
	const { source, asked } = listing([{ id: 'x', status: 'PLANNING', createdAt: iso(0) }]);
	const memory = savedMemory({ known, newestFrom: now - 100, continueAt: now - 150 });
	const { next } = await pollInquiries(source, memory, options);
	expect([asked[3], next.known.size - 1]).toEqual([expected, kept]);
});

it('passes no inquiry for which memory has no room', async () => {
	const rows = [-900, -800, -700].map((time) => ({ id: `at${time}`, status: 'RUNNING', createdAt: iso(time) }));
	const memory = savedMemory({ newestFrom, steps: [{ from: 0, level: now - 6_000 }] });
	const { next } = await pollInquiries(listing(rows).source, memory, { ...options, limits: { inMemory: 1, page: 2 } });
	expect([next.known.size, next.newestFrom - now, next.incompletePolls]).toEqual([1, -800, 1]);
	expect(next.steps).toEqual([
		{ from: 0, level: now - 609 },
		{ from: now - 800, level: now - 6_000 },
	]);
});

it('asks for those in unknown statuses together with the other unfinished ones', async () => {
	const { rows, memory } = bare({ x: { status: 'ON_HOLD' }, y: { status: 'ON_HOLD' } });
	const { source } = listing(rows);
	const page = jest.spyOn(source, 'page');
	await pollInquiries(source, memory, options);
	expect(page.mock.calls[0][0].status).toBe('PLANNING,RUNNING,ENRICHING,ON_HOLD');
});

eachLine(`
	from, up to   minutes  most pages  the sweep asks for                        and goes on from
	0 -700        1        40          -Infinity/-700                            -996
	0 -700        3        40          -Infinity/-700 -996/-700 -992/-700        start
	0 -700        3        2           -Infinity/-700 -996/-700                  -992
	-994 -700     1        40          -994/-700                                 -990
	-984 -700     1        40          -984/-700                                 start
	-700 -700     1        40          -Infinity/-700                            -996
`)('a sweep from %s, after %s minutes, %s pages: %s, %s', async (at, minutes, sweepPages, asks, next) => {
	const [continueAt, from] = at.split(' ').map((time) => (time === '0' ? 0 : now + Number(time)));
	const rows = [0, 1, 2, 3, 4, 5].map((place) => ({
		id: `${place}`,
		status: 'FAILED',
		createdAt: iso(-1_000 + 2 * place),
		completedAt: iso(-999),
	}));
	const { source, asked } = listing([
		...rows,
		{ id: 'late', status: 'FAILED', createdAt: iso(-980), completedAt: iso(-970) },
	]);
	const memory = savedMemory({ continueAt, newestFrom: from, steps: [{ from: 0, level: now - 900 }] }, Number(minutes));
	const after = await pollInquiries(source, memory, {
		...options,
		limits: { page: 3, sweepPages: Number(sweepPages) },
	});
	const sweeps = asked
		.filter((request) => request.startsWith('sweep'))
		.map((request) => request.slice(6).replace(' ', '/'));
	expect(sweeps.join(' ') || '-').toBe(asks);
	expect(after.next.continueAt === 0 ? 'start' : `${after.next.continueAt - now}`).toBe(next);
});

/** A trigger that polls each minute. A poll returns how many completions it reports. */
function watching(world: World, more: Partial<PollOptions> = {}) {
	const service = new Service({ answerMs: 0, ...world }, 1);
	let state: ReturnType<typeof save> | undefined;
	const poll = async () => {
		service.deadline = service.now + 36_000;
		const { events, next } = await pollInquiries(service, recall(state), { ...options, ...more });
		state = save(next);
		service.passTo(service.now + minute);
		return events.filter(({ kind }) => kind === 'ended').length;
	};
	return { service, poll };
}

it.each([
	[10, 500],
	[2_000, 50],
])('asks for a page of each kind when nothing happens, for any history: %i, pages of %i', async (size, pageCap) => {
	const { service, poll } = watching({ pageCap });
	service.addHistory(size, service.now - 30 * 1_440 * minute, service.now - minute);
	await poll();
	for (let count = 0; count < 2_500; count++) service.move(service.create((service.now += 10_000)), 'COMPLETED');
	expect(await poll()).toBe(2_500);
	service.requests = 0;
	await poll();
	expect(service.requests).toBe(3);
});

it('reports in its first poll all of the hours to include, however many pages they fill', async () => {
	const { service, poll } = watching({}, { limits: { page: 5 }, lookBackMs: 60 * minute });
	service.addHistory(30, service.now - 300 * minute, service.now - 120 * minute);
	service.addHistory(20, service.now - 50 * minute, service.now - 10 * minute);
	expect([await poll(), await poll()]).toEqual([20, 0]);
});
