import { type Mutant, sample } from '../../scripts/mutants/list';
import { suitesNear } from '../../scripts/mutants/nearest';
import { filled, isGood, isPageCurrent, type Outcome } from '../../scripts/mutants/page';

const mutants = Array.from({ length: 500 }, (_, from): Mutant => ({
	...{ file: 'a.ts', line: 1, from, to: from + 1 },
	...{ code: '<', becomes: '<=' },
}));
const places = (count: number, seed: number) => sample(mutants, count, seed).map(({ from }) => from);

it('a seed chooses the same mutants each time, more of them after the same first ones, and none twice', () => {
	expect(places(40, 1)).toEqual(places(40, 1));
	expect(places(40, 1).slice(0, 8)).toEqual(places(8, 1));
	expect(places(40, 2)).not.toEqual(places(40, 1));
	expect(new Set(places(500, 1)).size).toBe(500);
	expect(places(600, 1)).toHaveLength(500);
});

it('the suites of a room come first and are all there, and none that drives an n8n', () => {
	const suites = suitesNear('nodes/BusinessVerification/seller/signing.ts', 'seller', 5);
	expect(suites[0]).toBe('test/seller/signing.test.ts');
	expect(suites).toContain('test/docs/generated.test.ts');
	expect(suites.filter((suite) => suite.startsWith('test/e2e/'))).toEqual([]);
	expect(suitesNear('nodes/BusinessVerification/engine/answers.ts', 'engine', 5)).toEqual(
		expect.arrayContaining(['test/engine/lost.test.ts', 'test/engine/errors.test.ts']),
	);
	expect(
		suitesNear('nodes/BusinessVerification/operations/sellerSearch/submit.operation.ts', 'operations', 5),
	).toContain('test/seller/searches.test.ts');
	// Many imports lie between a suite that runs the node and the file.
	const near = suitesNear('nodes/BusinessVerification/seller/search.ts', 'seller', 12);
	expect(near).toContain('test/seller/searches.test.ts');
	const inRoom = near.map((suite) => suite.startsWith('test/seller/'));
	expect(inRoom.indexOf(false)).toBe(inRoom.filter(Boolean).length);
});

const survivor = (why?: string) => ({
	file: 'nodes/BusinessVerification/kit/a.ts',
	text: 'a < b',
	code: '<',
	becomes: '<=',
	why,
});
const outcome = (died: number, ...whys: Array<string | undefined>): Outcome => ({
	...{ room: 'kit', seeds: [1], day: '2026-01-31', inRoom: 900, tried: 40, died, refused: 2, hung: 0 },
	survivors: whys.map(survivor),
});

it('nine of ten have to die, and no more than one of ten may be called equivalent', () => {
	const equivalent = (count: number) => Array<string>(count).fill('nobody can tell');
	expect(isGood(outcome(36, ...equivalent(4)))).toBe(true);
	expect(isGood(outcome(35, ...equivalent(4), undefined))).toBe(false);
	expect(isGood({ ...outcome(36, ...equivalent(5)), tried: 41 })).toBe(false);
});

it('the page shows each room, and every survivor with its reason or as a missing test', () => {
	const page = filled('Before\n<!-- mutants -->\nold\n<!-- end -->\nAfter\n', [outcome(38, 'a | b', undefined)]);
	expect(page).toBe(`Before
<!-- mutants -->

| room | mutants | tried | died | by the compiler | survived | called equivalent | died |
|---|---|---|---|---|---|---|---|
| kit | 900 | 40 | 38 | 2 | 2 | 1 | 95 % |

Seeds and days: kit 1 (2026-01-31).

| survivor | becomes | why it is called equivalent |
|---|---|---|
| kit/a.ts: \`<\` | \`<=\` | a \\| b |
| kit/a.ts: \`<\` | \`<=\` | **a test is missing** |

<!-- end -->
After
`);
	expect(filled(page, [outcome(38, 'a | b', undefined)])).toBe(page);
});

it('the page shows the last runs', () => {
	expect(isPageCurrent()).toBe(true);
});
