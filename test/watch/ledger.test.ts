import { defaultLimits } from '../../nodes/BusinessVerification/watch/budget';
import { Ledger } from '../../nodes/BusinessVerification/watch/ledger';
import { fingerprintOf, type Known, WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import type { Poll } from '../../nodes/BusinessVerification/watch/poll';
import type { ListedRow } from '../../nodes/BusinessVerification/watch/rows';

// The rule, row by row: what an inquiry was, what a row of it shows, what is told, and what the inquiry is then.

const now = 1_780_000_000;
const covered = now - 3_000;
const iso = (time: number) => new Date(time * 1_000).toISOString();

/** What memory has of the inquiry. Its level is a hundred minutes old. */
const before: Record<string, Partial<Known> | undefined> = {
	'above its level': undefined,
	'below its level': undefined,
	'unfinished for a minute': { state: 'unfinished', since: now - 60, coveredTo: covered, status: 'RUNNING' },
	'unfinished for five': { state: 'unfinished', since: now - 300, coveredTo: covered, status: 'RUNNING' },
	'postponed for a minute': { state: 'postponed', since: now - 60, coveredTo: covered, status: 'RUNNING' },
	'reported a minute ago': { state: 'covered', since: now - 60, coveredTo: covered, status: 'COMPLETED' },
	'reported five ago': { state: 'covered', since: now - 300, coveredTo: covered, status: 'COMPLETED' },
	'doubted for a minute': { state: 'doubted', since: now - 60, coveredTo: covered, status: 'COMPLETED' },
};

const rows: Record<string, Partial<ListedRow>> = {
	'waits to run': { status: 'PLANNING', startedAt: null, completedAt: null },
	'runs since': { status: 'RUNNING', startedAt: iso(covered + 100), completedAt: null },
	'runs since before': { status: 'RUNNING', startedAt: iso(covered - 100), completedAt: null },
	'runs, no times': { status: 'RUNNING', startedAt: null, completedAt: null },
	'runs, with the date that is covered': { status: 'RUNNING', startedAt: null, completedAt: iso(covered) },
	'failed, no times': { status: 'FAILED', completedAt: null },
	'finished later': { status: 'COMPLETED', completedAt: iso(covered + 100) },
	'finished as before': { status: 'COMPLETED', completedAt: iso(covered) },
	'failed, no later time': { status: 'FAILED', completedAt: iso(covered) },
	'finished, no times': { status: 'COMPLETED', completedAt: null },
	'finished, record unread': { status: 'COMPLETED', completedAt: null, detail: 'unread' },
	'finished, not even in the record': { status: 'COMPLETED', completedAt: null, detail: 'full' },
};

it.each([
	['above its level', 'waits to run', 'created', 'unfinished'],
	['above its level', 'runs since', 'created changed', 'unfinished'],
	['above its level', 'finished later', 'created ended', 'covered'],
	['above its level', 'finished, no times', 'asks', 'not in memory'],
	['below its level', 'waits to run', '', 'unfinished'],
	['below its level', 'runs since', 'changed', 'unfinished'],
	['below its level', 'runs since before', '', 'unfinished'],
	['below its level', 'finished later', 'ended', 'covered'],
	['below its level', 'finished as before', '', 'not in memory'],
	['below its level', 'finished, no times', '', 'not in memory'],
	['unfinished for a minute', 'waits to run', 'changed', 'unfinished'],
	['unfinished for a minute', 'finished later', 'ended', 'covered'],
	['unfinished for a minute', 'finished as before', '', 'unfinished'],
	['unfinished for a minute', 'finished, no times', 'asks', 'unfinished'],
	['unfinished for five', 'finished as before', 'ended', 'covered'],
	['unfinished for five', 'finished, not even in the record', 'ended', 'covered'],
	['postponed for a minute', 'runs since', '', 'unfinished'],
	['postponed for a minute', 'finished later', 'ended', 'covered'],
	['postponed for a minute', 'finished as before', '', 'postponed'],
	['reported a minute ago', 'runs since', 'changed', 'unfinished'],
	['reported a minute ago', 'runs, no times', '', 'doubted'],
	['reported a minute ago', 'runs, with the date that is covered', 'changed', 'unfinished'],
	['reported a minute ago', 'failed, no times', 'asks', 'covered'],
	['reported a minute ago', 'finished later', 'ended', 'covered'],
	['reported a minute ago', 'finished as before', '', 'covered'],
	['reported a minute ago', 'failed, no later time', '', 'doubted'],
	['reported a minute ago', 'finished, no times', '', 'covered'],
	['reported five ago', 'runs, no times', 'changed', 'unfinished'],
	['reported five ago', 'failed, no later time', 'ended', 'covered'],
	['doubted for a minute', 'runs, no times', '', 'doubted'],
	['doubted for a minute', 'finished, no times', 'asks', 'doubted'],
	['doubted for a minute', 'finished, record unread', '', 'doubted'],
	['doubted for a minute', 'finished, not even in the record', '', 'covered'],
	['doubted for a minute', 'finished later', 'ended', 'covered'],
])('%s; a row %s: %s, then %s', (was, shown, told, is) => {
	const memory = new WatchMemory('o', 'a', 'f');
	const created = was === 'above its level' ? covered + 50 : covered - 5_000;
	memory.steps = [{ from: 0, level: covered }];
	const id = fingerprintOf('x');
	if (before[was]) memory.known.set(id, { created, ...before[was] } as Known);
	const poll: Partial<Poll> = {
		...{ memory, now, limits: defaultLimits, isCertain: false },
		...{ latestPossible: () => now, answeredAt: () => now, wanted: () => true },
	};
	const ledger = new Ledger(poll as Poll);
	ledger.see({ id: 'x', status: '', createdAt: iso(created), ...rows[shown] });
	const asks = ledger.undated.size > 0 ? ['asks'] : [];
	expect([...asks, ...ledger.events.map(({ kind }) => kind)].join(' ')).toBe(told);
	expect(memory.known.get(id)?.state ?? 'not in memory').toBe(is);
});
