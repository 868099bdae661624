import { createHash } from 'node:crypto';
import fc from '../harness/seed';
import { recall, save, type State } from '../../nodes/BusinessVerification/watch/packing';
import { emptyMemory, levelAt, type Memory, print, raise } from '../../nodes/BusinessVerification/watch/memory';

import type { Known } from '../../nodes/BusinessVerification/watch/occurrence';

const now = Date.UTC(2026, 5, 1, 12) / 1_000;
const entry = (values: Partial<Known>): Known => ({
	created: now,
	began: 0,
	date: 0,
	own: true,
	told: 0,
	first: false,
	open: 1,
	status: 'RUNNING',
	astray: 0,
	waits: 0,
	silent: false,
	...values,
});

const time = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 253_402_300_799 }));
const justNow = fc.integer({ min: now - 300, max: now });
const sometime = fc.oneof(fc.constant(0), fc.integer({ min: now - 20_000, max: now + 20_000 }));

const known = fc.record({
	created: fc.integer({ min: 0, max: now + 86_400 * 365 }),
	began: time,
	date: time,
	status: fc.constantFrom('', 'PLANNING', 'RUNNING', 'COMPLETED', 'FAILED', 'ON_HOLD', 'ON HOLD 2'),
	kind: fc.oneof(
		fc.record({ open: fc.oneof(fc.constant(1), justNow), told: fc.constant(0), own: fc.boolean() }),
		fc.record({ open: fc.constant(0), told: fc.oneof(fc.constant(0), justNow), own: fc.boolean() }),
		fc.record({ open: fc.constant(0), told: fc.integer({ min: 1, max: now }), own: fc.constant(false) }),
	),
	first: fc.boolean(),
	astray: sometime,
	waits: sometime,
	silent: fc.boolean(),
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
	.record({ entries: fc.array(fc.tuple(fc.uuid().map(print), known), { maxLength: 40 }), steps })
	.map(({ entries, steps: levels }): Memory => ({
		...emptyMemory('o', 'a', 'all'),
		at: now * 1_000 + 5,
		steps: levels,
		known: new Map(entries.map(([id, { kind, ...rest }]) => [id, { ...rest, ...kind }])),
	}));

const sorted = (memory: Memory | undefined) =>
	memory && { ...memory, known: [...memory.known].sort(([a], [b]) => (a < b ? -1 : 1)) };

it('comes back from JSON as it was', () => {
	fc.assert(
		fc.property(memories, (memory) => {
			expect(sorted(recall(JSON.parse(JSON.stringify(save(memory)))))).toEqual(sorted(memory));
		}),
	);
});

const header = (forgiven = '', aged = '') =>
	'{"organisation":"o","account":"a","filters":"all","shift":0,"zoneless":false,"floor":1780314600,"names":{},' +
	'"top":1780314900,"cursors":{"active":{"at":0,"offset":0},"fresh":{"at":0,"offset":0},"sweep":{"at":0,"offset":0}},' +
	`"debt":0,${forgiven}"width":3600,"order":["active","fresh","missing","sweep"],${aged}"counts":false,` +
	'"strained":0,"words":[]}\nAog61jqDm_86h1B3hB\n';

/** What such a memory has looked like; where this text changes, it needs a new version and joins the earlier ones. */
const written = {
	version: 9,
	at: now * 1_000,
	sum: 'fcCWZ5Vz0GIRAA_L',
	text:
		'{"host":1780315190,"organisation":"o","account":"a","filters":"all","floor":1780314600,"top":1780314900}\n' +
		'ASDFGHJKqwertyui\nUAAAABV4ov7AAAAAKvFGDAcbtxkrn16OhdN3AMjor8',
};
const sample: Memory = {
	...emptyMemory('o', 'a', 'all'),
	at: now * 1_000,
	host: now - 10,
	floor: now - 600,
	top: now - 300,
	steps: [
		{ from: 0, level: now - 60 },
		{ from: now - 90, level: now - 600 },
	],
	known: new Map([
		[
			'qwertyui',
			entry({
				created: now - 400,
				began: now - 390,
				date: now - 20,
				told: now - 10,
				first: true,
				open: 0,
				status: 'COMPLETED',
			}),
		],
		['ASDFGHJK', entry({ created: now - 100, astray: now - 120 })],
	]),
};

it('is written as its version says', () => {
	expect(save(sample)).toEqual(written);
	expect(recall(written)).toEqual(sample);
});

const forgiven = '"forgiven":false,';
/** Whole, with the sums they were saved with. */
const earlier: Array<[string, unknown]> = [
	[
		'the form with ages',
		{
			version: 1,
			at: now * 1_000,
			sum: 'eS-eahI071sBdEUj',
			text: `${header(forgiven, '"aged":0,')}w186h1BOHhCAAEM0vBsJLsAAAACBCCAA`,
		},
	],
	...[1, 2].map((version): [string, unknown] => [
		`the form that counted waiting, as version ${version}`,
		{
			version,
			at: now * 1_000,
			sum: 'MHqYBSpWDBD-9o-G',
			text: `${header(forgiven)}w186h1BOHhCAAEC0vBsJLsAAAACBCCA`,
		},
	]),
	[
		'the form with fewer bits of an ID',
		{
			version: 3,
			at: now * 1_000,
			sum: 'KZ7Gjxkg_WKZll-O',
			text: `${header()}w186h1BOHhCAAEC0vBsJLsAAAACBC5DAA`,
		},
	],
	[
		"the form without the host's clock",
		{
			version: 4,
			at: now * 1_000,
			sum: '0e-Ls4ltIqhdC22J',
			text: `${header()}w186h1BEizRoAAAA0vBsJCxCLAAAAAC5DAA`,
		},
	],
	[
		'the form in which nothing was waited for since a time to come',
		{
			version: 5,
			at: now * 1_000,
			sum: 'GMN-kbGlr5n5-vVv',
			text: `{"host":1780315190,${header().slice(1)}w186h1BEizRoAAAA0vBsJCxCLAAAAAC5DAA`,
		},
	],
	[
		'the form without starts of runs',
		{
			version: 6,
			at: now * 1_000,
			sum: 'WHNiAwb87Aeq5ziB',
			text: `{"host":1780315190,${header().slice(1)}w186h1BEizRoAAAA0vBsJCxCLAAAAACnBAA`,
		},
	],
	[
		'the form that stored what an empty memory has',
		{
			version: 7,
			at: now * 1_000,
			sum: 'bLo-qofSzhTKPPmb',
			text: `{"host":1780315190,"distance":0,"last":0,"ahead":0,${header().slice(1).replace('"shift":0,', '').replace('"names":{}', '"cut":0')}w186h1BkszRoAAAAsBmXKsJiyCLAAAAACAAnBA`,
		},
	],
	[
		'the form in which each inquiry stood for itself',
		{
			version: 8,
			at: now * 1_000,
			sum: 'u_bmPOa_Dt8MUT1i',
			text: '{"host":1780315190,"organisation":"o","account":"a","filters":"all","floor":1780314600,"top":1780314900}\nAog61jqDm_86h1B3hB\nw186h1BkszRoAAAAsBmXKsJiyCLAAAAACAAnBA',
		},
	],
];

it('is not recalled when one sign of it differs', () => {
	fc.assert(
		fc.property(memories, fc.nat(), (memory, place) => {
			const state = save(memory);
			const at = place % state.text.length;
			const other = state.text[at] === 'A' ? 'B' : 'A';
			expect(recall({ ...state, text: state.text.slice(0, at) + other + state.text.slice(at + 1) })).toBeUndefined();
			expect(recall({ ...state, at: state.at + 1 })).toBeUndefined();
		}),
	);
});

it.each<[string, unknown]>([
	['nothing', undefined],
	['null', null],
	['a text', 'state'],
	['a list', [1, 2]],
	['an empty object', {}],
	['another version', { ...save(emptyMemory('o', 'a', '')), version: 99 }],
	['a number for the text', { ...save(emptyMemory('o', 'a', '')), text: 1e300 }],
	['NaN', { ...save(emptyMemory('o', 'a', '')), at: NaN }],
	['half of the text', half(save(emptyMemory('o', 'a', '')))],
	...earlier,
])('takes %s for no memory', (_, saved) => {
	expect(recall(saved)).toBeUndefined();
});

function half(state: State): State {
	return { ...state, text: state.text.slice(0, state.text.length / 2) };
}

it('refuses five megabytes without reading them', () => {
	const text = '9%'.repeat(2_500_000);
	const at = now * 1_000;
	const sum = createHash('sha256').update(`${at}${text}`).digest('base64url').slice(0, 16);
	expect(recall({ version: written.version, at, sum, text })).toBeUndefined();
});

it('takes 9.5 bytes at most for a known completion, and nine for an unfinished inquiry, as its version says', () => {
	const [unfinished, ended] = [{}, { open: 0, first: true, status: 'COMPLETED' }].map((values) => {
		const memory = { ...emptyMemory('o', 'a', ''), at: now * 1_000 };
		for (let index = 0; index < 1_000; index++) {
			const created = now + Math.floor(index / 8);
			const date = values.status ? created + 90 + (index % 60) : 0;
			memory.known.set(print(`id ${index}`), entry({ created, began: date && created + 2, date, ...values }));
		}
		return save(memory);
	});
	expect(unfinished.text.length).toBeLessThanOrEqual(9_000);
	expect(ended.text.length).toBeLessThanOrEqual(9_500);
	// As `written`: they change only with the version. They hold what a short text does not show.
	expect([unfinished.sum, ended.sum]).toEqual(['WEFMYGjDouNhKLqa', 'JDf5NHbvisXzCbJO']);
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
