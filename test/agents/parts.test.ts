import fc, { character } from '../harness/seed';
import { partsOf, jsonLength } from '../../nodes/BusinessVerification/agents/toolAnswer';

const big = fc.oneof(
	fc.json({ maxDepth: 8 }).map((text) => JSON.parse(text) as unknown),
	fc.array(fc.dictionary(fc.string({ maxLength: 200 }), fc.jsonValue()), { minLength: 5 }),
	fc.string({ unit: character, minLength: 1000, maxLength: 6000 }),
);

it('each part fits, and all of them together are the JSON of the value', () => {
	fc.assert(
		fc.property(big, fc.integer({ min: 1, max: 4000 }), (value, room) => {
			const parts = partsOf(value, room);
			const json = JSON.stringify(value);
			if (json.length <= room) return expect(parts).toEqual([value]);
			expect(parts.join('')).toBe(json);
			// A single character, escaped and in quotation marks, may need eight.
			expect(parts.filter((part) => jsonLength(part) > Math.max(room, 14))).toEqual([]);
		}),
		{ numRuns: 300 },
	);
});

it('a value that has just the size of one part is one part', () => {
	const value = { id: 'a', report: 'x'.repeat(400) };
	expect(partsOf(value, 422)).toEqual([value]);
	expect(partsOf(value, 421)).toHaveLength(3);
	expect(partsOf({ id: 'a' }, 10)).toEqual([{ id: 'a' }]);
	// JSON leaves out what is undefined.
	expect(partsOf({ id: 'a', problem: undefined }, 10)).toHaveLength(1);
});

it('a text is never cut between the halves of a character', () => {
	for (const room of [2, 3, 4, 5, 6, 7, 30])
		for (const part of partsOf('😀'.repeat(20), room)) expect(Buffer.from(String(part)).toString()).toBe(part);
});
