import fc from '../harness/seed';
import {
	fingerprintOf,
	type Known,
	levelAt,
	raise,
	recall,
	save,
	type State,
	WatchMemory,
} from '../../nodes/BusinessVerification/watch/memory';

const now = Date.UTC(2026, 5, 1, 12) / 1_000;

const entry = (values: Partial<Known>): Known => ({
	created: now,
	coveredTo: 0,
	reportedAt: 0,
	unfinishedSince: 0,
	pendingSince: 0,
	status: 'RUNNING',
	...values,
});

const time = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 253_402_300_799 }));

const known: fc.Arbitrary<Known> = fc.record({
	created: fc.integer({ min: 0, max: now + 86_400 * 365 }),
	coveredTo: time,
	reportedAt: time,
	unfinishedSince: time,
	pendingSince: time,
	status: fc.constantFrom('', 'PLANNING', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED', 'ON_HOLD', 'ON HOLD;2,"\n'),
});

const steps = fc
	.uniqueArray(fc.integer({ min: 1, max: now }), { maxLength: 8 })
	.chain((froms) =>
		fc.tuple(
			...[0, ...froms.sort((a, b) => a - b)].map((from) =>
				fc.integer({ min: -1, max: 2 * now }).map((level) => ({ from, level })),
			),
		),
	);

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
	version: 14,
	at: now * 1_000,
	text:
		'{"organization":"o","account":"a","filters":"all","newest":1780315195,"serviceTime":1780315195,"floor":1780314600,' +
		'"zoneless":false,"newestFrom":1780314900,"continueAt":0,"strained":0,"statuses":["FAILED","PARTIAL_SUCCESS","RUNNING"]}\n' +
		'0,tfybyc;tfybxi,tfybjc\n' +
		'ASDFGHJKtfybow,,b4,2s\n' +
		'qwertyuitfybug,,8c,5a\n' +
		'zxcvbnm1tfybx8,a',
};

const sample: WatchMemory = {
	...new WatchMemory('o', 'a', 'all'),
	at: now * 1_000,
	newest: now - 5,
	serviceTime: now - 5,
	floor: now - 600,
	newestFrom: now - 300,
	steps: [
		{ from: 0, level: now - 60 },
		{ from: now - 90, level: now - 600 },
	],
	known: new Map([
		['ASDFGHJK', entry({ created: now - 400, coveredTo: now, reportedAt: now - 300, status: 'FAILED' })],
		['qwertyui', entry({ created: now - 200, coveredTo: now + 100, reportedAt: now - 10, status: 'PARTIAL_SUCCESS' })],
		['zxcvbnm1', entry({ created: now - 100, unfinishedSince: now - 90 })],
	]),
};

it('is written as its version says, with statuses by name', () => {
	expect(save(sample)).toEqual(written);
	expect(sorted(recall(written))).toEqual(sorted(sample));
});

const half = (state: State) => ({ ...state, text: state.text.slice(0, 60) });

it.each<[string, unknown]>([
	['nothing', undefined],
	['null', null],
	['a text', 'state'],
	['a list', [1, 2]],
	['an empty object', {}],
	['another version', { ...written, version: 99 }],
	['the version before', { ...written, version: 13 }],
	['a number for the text', { ...written, text: 1e300 }],
	['NaN for its time', { ...written, at: NaN }],
	['a time that no clock shows', { ...written, at: -1e300 }],
	['half of the text', half(written)],
	['a text without its last line', { ...written, text: written.text.replace(/\n[^\n]*$/, '') }],
])('takes %s for no memory', (_, saved) => {
	expect(recall(saved)).toBeUndefined();
});

it('raises a level in a range of creation times only, and lowers none', () => {
	const once = raise([{ from: 0, level: 5 }], 10, 20, 9);
	expect(once).toEqual([
		{ from: 0, level: 5 },
		{ from: 10, level: 9 },
		{ from: 20, level: 5 },
	]);
	expect(raise(once, 0, 15, 7)).toEqual([
		{ from: 0, level: 7 },
		{ from: 10, level: 9 },
		{ from: 20, level: 5 },
	]);
	expect(raise(once, 0, Infinity, 9)).toEqual([{ from: 0, level: 9 }]);
	expect([9, 10, 19, 20].map((created) => levelAt(once, created))).toEqual([5, 9, 9, 5]);
});
