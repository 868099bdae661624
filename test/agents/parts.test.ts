import fc from '../harness/seed';
import { firstOf, partsOf, sizeOf } from '../../nodes/BusinessVerification/agents/parts';

const big = fc.oneof(
	fc.json({ maxDepth: 8 }).map((text) => JSON.parse(text) as unknown),
	fc.array(fc.dictionary(fc.string({ maxLength: 200 }), fc.jsonValue()), { minLength: 5 }),
	fc.string({ unit: 'binary', minLength: 1000, maxLength: 6000 }),
);

/** All that is no list and no object, in order: texts in one piece, whatever they were cut into. */
const told = (value: unknown): string =>
	typeof value === 'object' && value !== null ? Object.values(value).map(told).join('') : String(value);

it('each part is small enough, and all of them tell all', () => {
	fc.assert(
		fc.property(big, fc.integer({ min: 1500, max: 4000 }), (value, room) => {
			const parts = [...partsOf(value, room)];
			for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(room);
			expect(parts.map(told).join('')).toBe(told(value));
		}),
		{ numRuns: 300 },
	);
});

it('is cut between fields, under the names that lead to each', () => {
	const value = { id: 'a', report: { first: 'x'.repeat(500), second: 'y'.repeat(500) }, last: [1, 2] };
	expect([...partsOf(value, 700)]).toEqual([
		{ id: 'a', report: { first: 'x'.repeat(500) } },
		{ report: { second: 'y'.repeat(500) }, last: [1, 2] },
	]);
});

it('is one part if it has just the size of one', () => {
	const value = { id: 'a', report: 'x'.repeat(400) };
	expect([...partsOf(value, 422)]).toEqual([value]);
	expect([...partsOf(value, 421)]).toHaveLength(2);
	expect([...partsOf({ id: 'a' }, 10)]).toEqual([{ id: 'a' }]);
	// JSON leaves out what is undefined.
	expect([...partsOf({ id: 'a', problem: undefined }, 10)]).toHaveLength(1);
});

it('endlessly nested records and endless names are answered as well', () => {
	let nested: unknown = 'the heart';
	for (let depth = 0; depth < 3000; depth++) nested = { inner: nested };
	const parts = [...partsOf({ nested, ['\u0001'.repeat(5000)]: 'x'.repeat(5000) }, 2000)];
	for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(2000);
	expect(JSON.stringify(parts)).toContain('the heart');
});

it('of records as many as fit, each with its first fields', () => {
	const records = Array.from({ length: 20 }, (_, index) => ({
		id: index,
		report: 'x'.repeat(index === 3 ? 50_000 : 10),
	}));
	const { shown, areWhole } = firstOf(records, 12_000);
	expect(shown).toHaveLength(20);
	expect(areWhole).toBe(false);
	expect(sizeOf(shown)).toBeLessThanOrEqual(12_000);
	expect(shown[2]).toEqual({ id: 2, report: 'xxxxxxxxxx' });
	// Of equal ones, each gets its share, and the last is among them.
	const equal = firstOf(Array(20).fill({ report: 'x'.repeat(5000) }), 12_000);
	expect(equal.shown).toEqual(Array(20).fill({ report: 'x'.repeat(584) }));
	// Three of 299 characters and their commas fill 900.
	expect(firstOf(Array(10).fill({ report: 'x'.repeat(286) }), 902).shown).toHaveLength(3);
	const many = firstOf(
		Array.from({ length: 2000 }, (_, row) => ({ row, text: 'y'.repeat(100) })),
		12_000,
	);
	expect(many.shown.length).toBeGreaterThan(60);
	expect(sizeOf(many.shown)).toBeLessThanOrEqual(12_000);
});

it.each([
	['a text', 'x'.repeat(500)],
	['many names', Object.fromEntries(Array.from({ length: 50 }, (_, name) => [`name ${name}`, name]))],
	['a text inside of objects', { report: { text: 'x'.repeat(500) } }],
])('what is too long by %s is not written out as a whole to find that out', (_title, long) => {
	let written = 0;
	const probe = { toJSON: () => String(++written) };
	expect([...partsOf({ long, probe }, 450)].length).toBeGreaterThan(1);
	// Once for its size; the caller writes the part itself.
	expect(written).toBe(1);
});
