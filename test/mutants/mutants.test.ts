import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Mutant, root, sample } from '../../scripts/mutants/list';
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
	expect(suitesNear('nodes/BusinessVerification/engine/failures.ts', 'engine', 5)).toEqual(
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

const outcome = (noticed: number, survived: number, refused = 0, hung = 0): Outcome => ({
	...{ seed: 77, day: '2026-01-31', inRoom: 900, noticed, refused, hung },
	survivors: Array.from({ length: survived }, (_, line) => ({ file: 'a.ts', line, code: '<', becomes: '<=' })),
});

it('nine of ten have to be noticed; what the compiler refuses and what hangs does not count', () => {
	expect([outcome(36, 4), outcome(35, 4), outcome(9, 1, 20, 10)].map(isGood)).toEqual([true, false, true]);
	expect(isGood(outcome(7, 2, 20, 10))).toBe(false);
});

it('the page shows the last recorded run of each room, or that there is none', () => {
	const rooms = { kit: { used: [1, 77], last: outcome(27, 9, 2, 1) }, watch: { used: [1] } };
	const page = filled('Before\n<!-- mutants -->\nold\n<!-- end -->\nAfter\n', rooms);
	expect(page).toBe(`Before
<!-- mutants -->

| room | mutants | noticed by a test | survived | share | refused by the compiler | hung | seed | day |
|---|---|---|---|---|---|---|---|---|
| kit | 900 | 27 | 9 | **75 %** | 2 | 1 | 77 | 2026-01-31 |
| watch | | | | not recorded | | | | |

<!-- end -->
After
`);
	expect(filled(page, rooms)).toBe(page);
	expect(isPageCurrent()).toBe(true);
});

it('a seed that was recorded for a room is not recorded again', () => {
	const main = join(root, 'scripts/mutants/main.ts');
	const args = ['--import', 'tsx', main, 'kit', '--seed', '2', '--record'];
	const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
	expect([status, stderr]).toEqual([2, expect.stringMatching(/^Seed 2 was recorded before for kit/)]);
});
