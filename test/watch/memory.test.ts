import fc from '../harness/seed';
import {
	fingerprintOf,
	type Known,
	levelAt,
	raise,
	recall,
	save,
	WatchMemory,
} from '../../nodes/BusinessVerification/watch/memory';

const now = Date.UTC(2026, 5, 1, 12) / 1_000;

const entry = (values: Partial<Known>): Known => ({
	created: now,
	state: 'unfinished',
	since: now - 90,
	coveredTo: 0,
	status: 'RUNNING',
	...values,
});

const time = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 253_402_300_799 }));

const known: fc.Arbitrary<Known> = fc.record({
	created: fc.integer({ min: 0, max: now + 86_400 * 365 }),
	state: fc.constantFrom('unfinished', 'postponed', 'covered', 'doubted'),
	since: time,
	coveredTo: time,
	status: fc.constantFrom('', 'PLANNING', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED', 'ON_HOLD', 'ON HOLD;2,"\n'),
});

const step = fc.record({ from: fc.nat(now), level: fc.integer({ min: -1, max: 2 * now }) });
const steps = fc.array(step, { minLength: 1, maxLength: 8 });

const memories = fc
	.record({ entries: fc.array(fc.tuple(fc.uuid().map(fingerprintOf), known), { maxLength: 40 }), steps })
	.map(({ entries, steps: levels }): WatchMemory => ({
		...new WatchMemory('o', 'a', 'all'),
		at: now * 1_000 + 5,
		steps: levels,
		known: new Map(entries),
	}));

const sorted = (memory: WatchMemory | undefined) =>
	memory && { ...memory, known: [...memory.known].sort(([a], [b]) => (a < b ? -1 : 1)) };

it('is recalled as it was saved', () => {
	fc.assert(
		fc.property(memories, (memory) => {
			expect(sorted(recall(JSON.parse(JSON.stringify(save(memory)))))).toEqual(sorted(memory));
		}),
	);
});

/** This text may change only together with its version. */
const written = {
	version: 17,
	at: now * 1_000,
	sum: 'FHmXgvK0',
	text:
		'{"organization":"o","account":"a","filters":"all","latestShown":1780315195,"lastServiceTime":1780315195,"startLevel":1780314600,' +
		'"zoneless":false,"newestFrom":1780314900,"continueAt":0,"incompletePolls":0,"toldStatuses":[],' +
		'"lines":[["covered","FAILED"],["doubted","PARTIAL_SUCCESS"],["unfinished","RUNNING"]]}\n' +
		'0,tfybyc;tfybxi,tfybjc\n' +
		'ASDFGHJKtfybow,tfybro,tfyc00\n' +
		'qwertyuitfybug,tfybzq,tfyc2s\n' +
		'zxcvbnm1tfybx8,tfybxi',
};

const doubted = { state: 'doubted', status: 'PARTIAL_SUCCESS' } as const;

const sample: WatchMemory = {
	...new WatchMemory('o', 'a', 'all'),
	at: now * 1_000,
	latestShown: now - 5,
	lastServiceTime: now - 5,
	startLevel: now - 600,
	newestFrom: now - 300,
	steps: [
		{ from: 0, level: now - 60 },
		{ from: now - 90, level: now - 600 },
	],
	known: new Map([
		['ASDFGHJK', entry({ created: now - 400, since: now - 300, coveredTo: now, state: 'covered', status: 'FAILED' })],
		['qwertyui', entry({ ...doubted, created: now - 200, since: now - 10, coveredTo: now + 100 })],
		['zxcvbnm1', entry({ created: now - 100 })],
	]),
};

it('is written as its version says, with states and statuses by name', () => {
	expect(save(sample)).toEqual(written);
	expect(sorted(recall(written))).toEqual(sorted(sample));
});

it.each<[string, unknown]>([
	['nothing', undefined],
	['the version before', { ...written, version: 16 }],
	['a state that it does not know', { ...written, text: written.text.replace('doubted', 'wanted') }],
	['a number for the text', { ...written, text: 1e300 }],
	['NaN for its time', { ...written, at: NaN }],
	['its time in seconds', { ...written, at: Math.floor(written.at / 1_000) }],
	['a text with one letter changed', { ...written, text: written.text.replace('FAILED', 'FAILEE') }],
	['a text without its last line', { ...written, text: written.text.replace(/\n[^\n]*$/, '') }],
])('takes %s for no memory', (_, saved) => {
	expect(recall(saved)).toBeUndefined();
});

it('raises levels in ranges of creation times only, lowers none, and keeps no step that changes nothing', () => {
	const range = fc.record({ from: fc.nat(12), length: fc.nat(8), isOpen: fc.boolean(), level: fc.nat(9) });
	fc.assert(
		fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
			const levels = Array<number>(21).fill(3);
			let steps = [{ from: 0, level: 3 }];
			for (const { from, length, isOpen, level } of ranges) {
				const to = isOpen ? Infinity : from + length;
				steps = raise(steps, from, to, level);
				for (const created of levels.keys())
					if (created >= from && created < to) levels[created] = Math.max(levels[created], level);
			}
			expect([...levels.keys()].map((created) => levelAt(steps, created))).toEqual(levels);
			expect(steps).toHaveLength(1 + levels.filter((level, place) => place > 0 && level !== levels[place - 1]).length);
		}),
	);
});
