import { Ledger } from '../../nodes/BusinessVerification/watch/ledger';
import { fingerprintOf, type Known, WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import type { ListedRow } from '../../nodes/BusinessVerification/watch/rows';
import { eachLine } from './table';

// The rule, cell by cell, with all that is told and stored. Times in seconds from the one up to which completions are
// covered: the poll is at +3000, the service answers at +2993, and the poll before was at +2940. `-` is none.

const now = 1_780_000_000;
const covered = now - 3_000;
const level = covered;
const iso = (time: number) => new Date((covered + time) * 1_000).toISOString();
const relative = (time: number) => (time === 0 ? '-' : `${time < covered ? '' : '+'}${time - covered}`);
const relatively = (text: string) =>
	text.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, (time) => relative(Date.parse(time) / 1_000));

const rows: Record<string, Partial<ListedRow>> = {
	waits: { status: 'PLANNING' },
	'waits+1': { status: 'PLANNING', startedAt: iso(1) },
	runs: { status: 'RUNNING' },
	'runs-100': { status: 'RUNNING', startedAt: iso(-100) },
	'runs+0': { status: 'RUNNING', startedAt: iso(0) },
	'runs+1': { status: 'RUNNING', startedAt: iso(1) },
	'runs+100': { status: 'RUNNING', startedAt: iso(100) },
	'runs,dated+0': { status: 'RUNNING', completedAt: iso(0) },
	ends: { status: 'COMPLETED' },
	'ends+0': { status: 'COMPLETED', completedAt: iso(0) },
	'ends+1': { status: 'COMPLETED', completedAt: iso(1) },
	'ends+2': { status: 'COMPLETED', completedAt: iso(2) },
	'ends+100': { status: 'COMPLETED', startedAt: iso(50), completedAt: iso(100) },
	'ends+200,started+300': { status: 'COMPLETED', startedAt: iso(300), completedAt: iso(200) },
	fails: { status: 'FAILED' },
	'fails+0': { status: 'FAILED', completedAt: iso(0) },
	'fails+100': { status: 'FAILED', completedAt: iso(100) },
	unread: { status: 'COMPLETED', detail: 'unread', listedAt: covered + 2_000 },
	full: { status: 'COMPLETED', detail: 'full' },
	'full+2939': { status: 'COMPLETED', detail: 'full', completedAt: iso(2_939) },
	'full+2940': { status: 'COMPLETED', detail: 'full', completedAt: iso(2_940) },
};

/** What memory has of an inquiry, as `<state> <seconds since when>`, or that it is not there. */
function setUp(was: string, isCertain: boolean, inMemory = 10) {
	const [state, ago] = was.split(' ');
	const memory = new WatchMemory('o', 'a', 'f');
	const created = state === 'new' ? covered + 50 : covered - 5_000;
	Object.assign(memory, { steps: [{ from: 0, level }], startLevel: covered - 10, lastServiceTime: now - 60 });
	const status = ['covered', 'doubted'].includes(state) ? 'COMPLETED' : 'RUNNING';
	const entry = { state, since: now - Number(ago), created, coveredTo: covered, status } as Known;
	if (ago) memory.known.set(fingerprintOf('x'), entry);
	const clocks = { now, latestPossible: () => now, lastAnswerAt: () => now - 7 };
	const ledger = new Ledger({ memory, ...clocks, limits: { inMemory }, isCertain, wanted: () => true });
	const rowOf = (name: string): ListedRow => ({
		id: 'x',
		status: '',
		createdAt: iso(created - covered),
		...rows[name],
	});
	const told = () =>
		ledger.events.map(({ kind, key, previousStatus, waited }) =>
			relatively(`${kind} ${key} ${previousStatus ?? '-'}${waited ? ` waited ${waited}` : ''}`),
		);
	const kept = () => {
		const entry = memory.known.get(fingerprintOf('x'));
		return entry
			? `${entry.state} ${entry.status || '-'} ${now - entry.since} ${relative(entry.coveredTo)}`
			: 'not in memory';
	};
	return { memory, ledger, rowOf, told, kept };
}

eachLine(`
	known           the rows show         told, or asked                                          kept: state, status, seconds since when, covered to
	new             waits                 created x:created -                                     unfinished PLANNING 0 -
	new             runs                  created x:created -, changed x:RUNNING: -               unfinished RUNNING 0 -
	new             ends+100              created x:created -, ended x:COMPLETED:+100 -           covered COMPLETED 0 +100
	new             ends+0                created x:created -, ended x:COMPLETED:+0 -             covered COMPLETED 0 +50
	new             ends                  asks COMPLETED +2993                                    not in memory
	new             ends > fails          asks FAILED +2993                                       not in memory
	new             full                  created x:created -, ended x:COMPLETED: -               covered COMPLETED 0 +2993
	new             unread                created x:created -, ended x:COMPLETED: -               covered COMPLETED 0 +2000
	old             waits                 -                                                       unfinished PLANNING 0 +0
	old             runs-100              -                                                       unfinished RUNNING 0 -101
	old             runs+0                -                                                       unfinished RUNNING 0 -1
	old             runs+1                changed x:RUNNING:+0 -                                  unfinished RUNNING 0 +0
	old             runs+100              changed x:RUNNING:+0 -                                  unfinished RUNNING 0 +0
	old             waits+1               changed x:PLANNING:+0 -                                 unfinished PLANNING 0 +0
	old             ends                  -                                                       not in memory
	old             full                  -                                                       not in memory
	old             ends+0                -                                                       not in memory
	old             ends+1                ended x:COMPLETED:+1 -                                  covered COMPLETED 0 +1
	old, certain    ends                  -                                                       covered COMPLETED 0 -9
	old, certain    ends+0                -                                                       covered COMPLETED 0 +0
	unfinished 60   waits                 changed x:PLANNING:+0 RUNNING                           unfinished PLANNING 60 +0
	unfinished 60   waits+1               changed x:PLANNING:+0 RUNNING                           unfinished PLANNING 60 +0
	unfinished 60   ends                  asks COMPLETED +2993                                    unfinished RUNNING 60 +0
	unfinished 60   unread                -                                                       unfinished RUNNING 60 +0
	unfinished 60   ends+1                ended x:COMPLETED:+1 RUNNING                            covered COMPLETED 0 +1
	unfinished 60   ends+200,started+300  ended x:COMPLETED:+300 RUNNING                          covered COMPLETED 0 +2993
	unfinished 60   runs+1 > ends+100     ended x:COMPLETED:+100 RUNNING                          doubted COMPLETED 0 +100
	unfinished 60   full+2939             ended x:COMPLETED:+2939 RUNNING                         doubted COMPLETED 0 +2939
	unfinished 60   full+2940             ended x:COMPLETED:+2940 RUNNING                         covered COMPLETED 0 +2940
	unfinished 299  ends+0                -                                                       unfinished RUNNING 299 +0
	unfinished 300  ends+0                ended x:COMPLETED:+0:+3000 RUNNING                      covered COMPLETED 0 +2993
	unfinished 60, certain  ends          ended x:COMPLETED::+3000 RUNNING                        covered COMPLETED 0 +2993
	postponed 60    runs+1                -                                                       unfinished RUNNING 60 +0
	postponed 60    runs                  -                                                       unfinished RUNNING 60 +0
	postponed 60    ends                  asks COMPLETED +2993                                    postponed RUNNING 60 +0
	postponed 60    ends+0                -                                                       postponed RUNNING 60 +0
	postponed 60    ends+100              ended x:COMPLETED:+100 RUNNING waited 1                 covered COMPLETED 0 +100
	postponed 300   ends+0                ended x:COMPLETED:+0:+3000 RUNNING waited 5             covered COMPLETED 0 +2993
	covered 60      runs+0                -                                                       doubted COMPLETED 60 +0
	covered 60      runs+1                changed x:RUNNING:+0 COMPLETED                          unfinished RUNNING 0 +0
	covered 60      runs,dated+0          changed x:RUNNING:+0 COMPLETED                          unfinished RUNNING 0 +0
	covered 299     runs                  -                                                       doubted COMPLETED 299 +0
	covered 300     runs                  changed x:RUNNING:+0 COMPLETED                          unfinished RUNNING 0 +0
	covered 60      ends                  -                                                       covered COMPLETED 60 +0
	covered 300     ends+1                -                                                       covered COMPLETED 300 +0
	covered 60      ends+2                ended x:COMPLETED:+2 COMPLETED                          covered COMPLETED 0 +2
	covered 60      fails                 asks FAILED +2993                                       covered COMPLETED 60 +0
	covered 60      fails+0               -                                                       doubted COMPLETED 60 +0
	covered 300     fails+0               ended x:FAILED:+0:+3000 COMPLETED                       covered FAILED 0 +2993
	covered 60      fails+100             ended x:FAILED:+100 COMPLETED                           covered FAILED 0 +100
	covered 60      runs > ends+0         -                                                       doubted COMPLETED 60 +0
	covered 60, certain  runs             changed x:RUNNING:+0 COMPLETED                          unfinished RUNNING 0 +0
	doubted 60      runs                  -                                                       doubted COMPLETED 60 +0
	doubted 300     runs                  changed x:RUNNING:+0 COMPLETED                          unfinished RUNNING 0 +0
	doubted 60      runs+1                changed x:RUNNING:+0 COMPLETED                          unfinished RUNNING 0 +0
	doubted 60      ends+100              ended x:COMPLETED:+100 COMPLETED                        covered COMPLETED 0 +100
	doubted 60      ends                  asks COMPLETED +2993                                    doubted COMPLETED 60 +0
	doubted 60      full                  -                                                       covered COMPLETED 60 +0
	doubted 60      ends+0                -                                                       covered COMPLETED 60 +0
	doubted 60      fails+0               -                                                       doubted COMPLETED 60 +0
	doubted 300     fails+0               ended x:FAILED:+0:+3000 COMPLETED                       covered FAILED 0 +2993
	doubted 86399   unread                -                                                       doubted COMPLETED 86399 +0
	doubted 86400   unread                -                                                       covered COMPLETED 86400 +0
`)('%s; %s: %s, %s', (was, shown, expected, entry) => {
	const [known, certain] = was.split(', ');
	const { ledger, rowOf, told, kept } = setUp(known, certain !== undefined);
	for (const name of shown.split(' > ')) ledger.see(rowOf(name));
	const asked = [...ledger.undated.values()].map(({ status, listedAt }) => `asks ${status} ${relative(listedAt!)}`);
	expect([...asked, ...told()].join(', ') || '-').toBe(expected);
	expect(kept()).toBe(entry);
});

eachLine(`
	is there          adopted as
	waits             unfinished PLANNING 0 -5120
	runs+1            unfinished RUNNING 0 +0
	ends              covered COMPLETED 0 -9
	ends+100          covered COMPLETED 0 +100
	ends+200,started+300  covered COMPLETED 0 +300
`)('at the activation, %s: %s, and nothing told', (shown, entry) => {
	const { ledger, rowOf, told, kept } = setUp('old', false);
	ledger.adopt(ledger.readTimes(rowOf(shown)));
	expect([kept(), told()]).toEqual([entry, []]);
});

eachLine(`
	known          kept
	new            postponed - 0 -
	unfinished 60  postponed RUNNING 0 +0
	postponed 60   postponed RUNNING 60 +0
	covered 60     postponed COMPLETED 0 +0
`)('a completion of one that is %s and cannot be reported now: %s', (was, entry) => {
	const { ledger, rowOf, kept } = setUp(was, false);
	ledger.see(rowOf('ends+100'));
	ledger.postpone(ledger.events.at(-1)!);
	expect(kept()).toBe(entry);
});

eachLine(`
	known          shown     refused from, and what is kept
	new            waits     +50 not in memory
	old            runs+1    -5000 not in memory
	old            ends+100  -5000 not in memory
	old            ends      +Infinity not in memory
	unfinished 60  ends+100  +Infinity covered COMPLETED 0 +100
`)('without room in memory, %s; %s: %s', (was, shown, expected) => {
	const { ledger, rowOf, told, kept } = setUp(was, false, was.includes('unfinished') ? 1 : 0);
	ledger.see(rowOf(shown));
	expect(`${relative(ledger.refusedFrom)} ${kept()}`).toBe(expected);
	expect(told()).toHaveLength(kept() === 'not in memory' ? 0 : 1);
});

eachLine(`
	a row created at     latest time shown
	+3000Z               +3000
	+3001Z               +1
	+89400               +89400
	+89401               +1
`)('%s, while no clock shows more than +3000: %s', (created, latest) => {
	const { ledger, memory } = setUp('old', false);
	const [, time, zone] = /(\d+)(Z?)/.exec(created)!;
	const createdAt = iso(Number(time)).replace('Z', zone);
	ledger.see({ id: 'x', status: 'RUNNING', createdAt, startedAt: iso(1) });
	expect(relative(memory.latestShown)).toBe(latest);
});

it('names a status that is unknown and of which the user was not told', () => {
	const { ledger, memory } = setUp('old', false);
	memory.toldStatuses.push('TOLD');
	for (const status of ['RUNNING', 'DONE', 'TOLD', '']) ledger.see({ id: 'x', status });
	expect(ledger.unknownStatus).toBe('DONE');
});
