import fc from '../harness/seed';
import { Reader, Writer } from '../../nodes/BusinessVerification/watch/packing';

type Call = ['natural' | 'integer', field: string, value: number, kind?: number];

const written = (calls: Call[]) => {
	const writer = new Writer();
	expect(calls.map(([how, ...call]) => writer[how](...call))).toEqual(calls.map(([, , value]) => value));
	return writer.text;
};

/** The reader is given 7 each time, which must not matter. */
const read = (text: string, calls: Call[]) => {
	const reader = new Reader(text);
	return calls.map(([how, field, , kind]) => reader[how](field, 7, kind));
};

it.each<[string, Call[]]>([
	// 64 signs stand for 64 parts of the interval, 1 for the lower half: a digit 0 leaves the parts 32 to 63.
	['_', [['natural', 'a', 0]]],
	// Digits 1, 0, 0 (one digit follows, it is 0) leave the parts 24 to 31.
	['f', [['natural', 'a', 1]]],
	// 2 and -1 are written as 1, 0, 1 and 1, 0, 0: the parts 16 to 23, and 24 to 31.
	['X', [['natural', 'a', 2]]],
	['f', [['integer', 'a', -1]]],
	// Each 0 is likelier after the ones before: the upper 1/2, then 3/4 of it, then 5/6: the parts 44 to 63.
	['_', ['a', 'a', 'a'].map((field): Call => ['natural', field, 0])],
	// Each field and each kind has odds of its own: the parts 32 to 63, 48 to 63, and by 1, 0, 0 then 54 to 55.
	['3', [...['a', 'b'].map((field): Call => ['natural', field, 0]), ['natural', 'b', 1, 1]]],
])('writes %s', (text, calls) => {
	expect(written(calls)).toBe(text);
	expect(read(text, calls)).toEqual(calls.map(([, , value]) => value));
});

const natural = fc.oneof(
	fc.nat(3),
	fc.nat(1_000),
	fc.maxSafeNat().map((value) => Math.floor(value / 4)),
);
const call: fc.Arbitrary<Call> = fc
	.tuple(fc.constantFrom<Call[0]>('natural', 'integer'), fc.constantFrom('a', 'b'), natural, fc.boolean(), fc.nat(2))
	.map(([how, field, value, isBelow, kind]) => [how, field, how === 'integer' && isBelow ? 0 - value : value, kind]);

it('reads what it wrote', () => {
	fc.assert(
		fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
			expect(read(written(calls), calls)).toEqual(calls.map(([, , value]) => value));
		}),
	);
});

it.each([0, 1])('reads what it wrote after surprises that were thought hardly possible, in a row of %d', (usual) => {
	const calls = Array.from({ length: 20_000 }, (_, index): Call => [
		'natural',
		'a',
		index % 4_999 === 4_998 ? 2 ** 50 * (1 - usual) : usual,
	]);
	const text = written(calls);
	expect(read(text, calls)).toEqual(calls.map(([, , value]) => value));
	// Four surprises of some 100 bits; the others take hardly any.
	expect(text.length).toBeLessThan(150);
});
