import type { StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
import { fingerprintOf, WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import { Poll, type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { eachLine } from './table';

// The clocks of a poll, and what becomes of its events. Times in seconds from now.

const now = 1_780_000_000;
const second = 1_000;
const source = (host = 0) => ({
	...{ hostTime: () => (now + host) * second, remainingMs: () => 60_000 },
	...{ page: async () => ({ rows: [] }), read: async () => 'gone' as const },
});
const options: PollOptions = { organization: 'o', account: 'a', filters: 'f' };
const savedAt = (time: number, values: object = {}) =>
	Object.assign(new WatchMemory('o', 'a', 'f'), { at: (now + time) * second, ...values });

eachLine(`
	shown  zone   Date    n8n    at the service, at most, when it answered
	-100   Z      -50     -20    -50 -20 -50
	-100   Z      -50     -200   -100 -50 -50
	-100   Z      -50     9999   -50 9999 -50
	-100   Z      9999    -20    -20 9999 9999
	-10    Z      -50     -20    -10 -20 -10
	-100   Z      none    -20    -100 -20 -20
	-3000  Z      0       0      0 0 0
	-3000  local  0       0      -3000 0 0
	-2999  local  0       0      0 0 0
`)('with %s as the latest time shown in %s, Date %s, n8n %s: %s', (shown, zone, date, host, expected) => {
	const poll = new Poll(source(Number(host)), undefined, options);
	Object.assign(poll.memory, { latestShown: now + Number(shown), zoneless: zone === 'local' });
	poll.budget.dateHeader = date === 'none' ? 0 : now + Number(date);
	const times = [poll.serviceTime, poll.latestPossible(), poll.lastAnswerAt()];
	expect(times.map((time) => time - now).join(' ')).toBe(expected);
	expect(poll.end([]).next.lastServiceTime).toBe(times[0]);
});

it.each([
	[-89, 0, 0, 1],
	[-90, 0, 0, 2],
	[-5_400, 0, 0, 90],
	[-60, -100_000, -59, 1],
])('after a poll at %i, one at %i by the clock of n8n is at %i, %i minutes later', (last, host, at, minutes) => {
	const poll = new Poll(source(host), savedAt(last), options);
	expect([poll.now - now, poll.minutes, poll.memory.at]).toEqual([at, minutes, (now + at) * second]);
	expect(new Poll(source(host), undefined, options).minutes).toBe(0);
});

it.each<[string, Partial<Poll>, number, number]>([
	['all was read', {}, Infinity, 0],
	['something was left to the next poll', { isCut: true }, Infinity, 4],
	['a request failed', { failure: new Error('503') }, Infinity, 4],
	['memory had no room', {}, now, 4],
])('counts the polls in a row that are behind: %s', (_, values, refusedFrom, expected) => {
	const poll = Object.assign(new Poll(source(), savedAt(-60, { incompletePolls: 3 }), options), values);
	poll.ledger.refusedFrom = refusedFrom;
	expect(poll.end([]).next.incompletePolls).toBe(expected);
});

const at = new Date(now * second).toISOString();
const row = (id: string, status: string) => ({ id, status, createdAt: at, startedAt: at });
const allOf = (events: StatusEvent[], id?: string) =>
	new Map(events.map((event) => [event, id === undefined ? null : { ...event.row, id }]));
const judges: Record<string, PollOptions['judge']> = {
	'decides on none': async () => new Map(),
	'rejects all': async (events) => allOf(events),
	'gives other rows': async (events) => allOf(events, 'x'),
	'reads in vain': async (_, { read, page }) =>
		allOf([await read('1'), await page({ limit: 1, offset: 0 })].filter(Boolean) as never),
};

eachLine(`
	a judge           told                                              cut and failed
	is not there      created 1, changed 1, created 2, ended 2          false false
	decides on none   created 1, changed 1, created 2, 2 is postponed   false false
	rejects all       -                                                 false false
	gives other rows  created x, changed x, created x, ended x          false false
	reads in vain     created 1, changed 1, created 2, 2 is postponed   true true
`)('with a judge that %s: %s; cut and failed: %s', async (name, expected, isCut) => {
	const poll = new Poll(source(), savedAt(-60), { ...options, judge: judges[name] });
	const read = () => Promise.reject(new Error('503'));
	if (name === 'reads in vain') Object.assign(poll.budget, { read, allows: jest.fn().mockReturnValueOnce(true) });
	poll.ledger.see(row('1', 'RUNNING'));
	poll.ledger.see(row('2', 'FAILED'));
	const told = (await poll.judgedEvents()).map((event) => `${event.kind} ${event.row.id}`);
	if (poll.memory.known.get(fingerprintOf('2'))!.state === 'postponed') told.push('2 is postponed');
	expect(told.join(', ') || '-').toBe(expected);
	expect(`${poll.isCut} ${poll.failure instanceof Error}`).toBe(isCut);
});

it('repeats in a re-check no submission of an inquiry that memory has dropped, but its completion', () => {
	const saved = savedAt(-60, { latestShown: now, steps: [{ from: 0, level: now - 600 }] });
	const poll = new Poll(source(), saved, { ...options, recheckMs: 3_600 * second });
	for (const [id, created] of Object.entries({ dropped: now - 600, late: now - 599 }))
		poll.ledger.see({ id, status: 'FAILED', createdAt: new Date(created * second).toISOString(), completedAt: at });
	const told = poll.ledger.events.map(({ kind, row: { id } }) => `${kind} ${id}`);
	expect(told).toEqual(['ended dropped', 'created late', 'ended late']);
});

it('stops to ask once it has as many events as it may', () => {
	const poll = new Poll(source(), savedAt(-60), { ...options, limits: { events: 3 } });
	poll.ledger.see(row('1', 'RUNNING'));
	expect(poll.allows()).toBe(true);
	poll.ledger.see(row('2', 'FAILED'));
	expect(poll.allows()).toBe(false);
});
