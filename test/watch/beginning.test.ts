import { beginningOf, type BeginningOptions, newestPageFrom } from '../../nodes/BusinessVerification/watch/beginning';
import { type Known, WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import { Poll } from '../../nodes/BusinessVerification/watch/poll';
import type { ListedRow } from '../../nodes/BusinessVerification/watch/rows';
import { eachLine } from './table';

// Where a poll starts from, in seconds from now: this poll is at 0, the one before it was at -60, when it was -70 at the
// service, whose latest time shown was -80.

const now = 1_780_000_000;
const iso = (time: number) => new Date((now + time) * 1_000).toISOString();
const usual = { organization: 'o', account: 'a', filters: 'f' };
const second = 1_000;

const savedMemory = () =>
	Object.assign(new WatchMemory('o', 'a', 'f'), {
		...{ at: (now - 60) * second, lastServiceTime: now - 70, latestShown: now - 80, startLevel: now - 5_000 },
		...{ newestFrom: now - 300, continueAt: 5 },
		steps: [
			{ from: 0, level: now - 700 },
			{ from: now - 1_000, level: now - 650 },
		],
	});

const textOf = ({ steps, startLevel, newestFrom, continueAt, account, filters }: WatchMemory) =>
	`${steps.map(({ level }) => level - now).join(' ')} / ${startLevel - now} / ${newestFrom - now} / ${continueAt} / ${account}${filters}`;

it.each<[string, Partial<BeginningOptions>, number, string]>([
	['nothing else', {}, 0, '-700 -650 / -5000 / -300 / 5 / af'],
	['another key', { account: 'b' }, 0, '-700 -650 / -5000 / -300 / 5 / bf'],
	['other filters', { filters: 'g' }, 0, '-70 / -70 / -300 / 0 / ag'],
	['other filters, a day later', { filters: 'g' }, 86_340, '-70 / -70 / -300 / 0 / ag'],
	['other filters, a day and 100 s later', { filters: 'g' }, 86_440, '30 / 30 / -300 / 0 / ag'],
	['a re-check of 600 s', { recheckMs: 600 * second }, 0, '-700 -680 / -5000 / -680 / 5 / af'],
	['a re-check of 1,000 s', { recheckMs: 1_000 * second }, 0, '-1080 -1080 / -5000 / -1080 / 5 / af'],
	['a re-check of ever', { recheckMs: 1e9 }, 0, '-5000 -5000 / -5000 / -5000 / 5 / af'],
])('goes on with %s', (_, options, later, expected) => {
	const at = (now + later) * second;
	const { memory, backMs, notice } = beginningOf(savedMemory(), { ...usual, ...options }, at);
	expect([textOf(memory), memory.at, backMs, notice]).toEqual([expected, at, undefined, undefined]);
});

const starting = 'The credential has another organization or Base URL now, so the trigger starts over';
const damaged = 'The saved data of this trigger is damaged or from another version. It continues from its last poll';
const saved = savedMemory();

const later = Object.assign(savedMemory(), { at: (now + 9) * second });

it.each<[string, WatchMemory | undefined, Partial<BeginningOptions>, number, string]>([
	['at its activation', undefined, {}, 0, ''],
	['at its activation, with a look-back', undefined, { lookBackMs: 7_000 }, 7_000, ''],
	[
		'with the time of its last poll alone',
		undefined,
		{ lookBackMs: 7_000, lastPollAt: (now - 9) * second },
		9_000,
		damaged,
	],
	['with a time that is still to come', undefined, { lastPollAt: (now + 9) * second }, 0, damaged],
	['with another organization', saved, { organization: 'p', lookBackMs: 7_000 }, 0, starting],
	['without its name', saved, { organization: 'p', isNamed: false, lookBackMs: 7 }, 60_000, ''],
	['without its name, by a clock that went back', later, { organization: 'p', isNamed: false }, 0, ''],
])('starts over %s', (_, memory, options, backMs, notice) => {
	const beginning = beginningOf(memory, { ...usual, ...options }, now * second);
	expect(beginning).toMatchObject({ backMs, memory: { at: now * second, startLevel: 0, account: 'a', filters: 'f' } });
	expect(beginning.memory).not.toBe(memory);
	expect([beginning.notice ?? '', beginning.memory.known.size]).toEqual([notice, 0]);
});

eachLine(`
	state       since  covered to  after a re-check of 500 s
	covered     -559   -90         postponed - 0 nothing
	covered     -560   -90         postponed - 0 nothing
	covered     -561   -90         covered COMPLETED -561 -90
	doubted     -200   -90         postponed - 0 nothing
	covered     -200   -4999       covered COMPLETED -200 -4999
	covered     -200   -4998       postponed - 0 nothing
	unfinished  -200   -90         unfinished COMPLETED -200 -90
	postponed   -200   -90         postponed COMPLETED -200 -90
`)('%s since %s, covered to %s: after a re-check %s', (state, since, coveredTo, expected) => {
	const memory = savedMemory();
	const entry = { state, since: now + Number(since), created: now - 4_000, coveredTo: now + Number(coveredTo) };
	memory.known.set('x', { ...entry, status: 'COMPLETED' } as Known);
	const { known } = beginningOf(memory, { ...usual, recheckMs: 500 * second }, now * second).memory;
	const after = known.get('x')!;
	const covered = after.coveredTo === 0 ? 'nothing' : after.coveredTo - now;
	expect(`${after.state} ${after.status || '-'} ${after.since - now} ${covered}`).toBe(expected);
});

eachLine(`
	rows created     shown  Date   n8n    back   level, and new from  newest from
	-                -      -      0      -      -1780000000 -1779999999  -1780000000
	-                -      0      0      -      -1 0                 -1780000000
	-100 -50         -      0      0      -      -1 -99               -170
	-2000 -50        -      0      0      -      -1 -600              -170
	-2000 -50        -40    0      0      500    -501 -500            -501
	-2000 -1500      -      0      -1400  -      -1401 -1999          -1620
	-2000 -1500      -30    0      -1400  -      -31 -630             -1499
	-2000 -2999      local  0      0      -      -1 -600              -2120
	-3000 -3000      local  0      0      -      -3001 -3000          -3120
	-9 -8 -7 -6 -5   -      0      0      -      -1 -8                -125
`)('rows at %s, latest %s, Date %s, n8n %s, back %s: %s, %s', (times, shown, date, host, back, levels, from) => {
	const rows = (times === '-' ? [] : times.split(' ')).map((time, place): ListedRow => ({
		id: `i${place}`,
		status: 'COMPLETED',
		createdAt: iso(Number(time)).replace('Z', shown === 'local' ? '' : 'Z'),
		completedAt: Number(shown) ? iso(Number(shown)) : null,
	}));
	const source = { hostTime: () => (now + Number(host)) * second, remainingMs: () => 9_000, page: fail, read: fail };
	const lookBackMs = back === '-' ? undefined : Number(back) * second;
	const poll = new Poll(source, undefined, { ...usual, lookBackMs });
	if (date !== '-') poll.budget.dateHeader = now + Number(date);
	poll.beginWith(rows);
	const { memory, ledger } = poll;
	const [all, late] = memory.steps;
	expect(`${all.level - now} ${late.from - now}`).toBe(levels);
	expect([late.level, all.from, memory.startLevel]).toEqual([late.from - 1, 0, all.level]);
	expect(String(memory.newestFrom - now)).toBe(from);
	expect([memory.known.size, ledger.events.length]).toEqual(back === '-' ? [rows.length, 0] : [2, 3]);
});

const fail = () => Promise.reject(new Error('not asked'));

it.each([
	[[9, 1, 8, 2, 7, 3, 6, 4, 5, 10], 10, 4],
	[[9, 1, 8, 2, 7, 3, 6, 4, 5, 10], 5, 8],
	[[9, 1, 8], 10, 0],
	[[990, 991, 992, 993, 994], 5, 880],
])('of pages created at %j, of %i rows, the newest is read from %i on', (created, size, expected) => {
	expect(newestPageFrom({ latestShown: 1_000 } as WatchMemory, created, size)).toBe(expected);
});
