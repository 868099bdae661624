/**
 * Combinations in which every two values of every two factors meet at least once. Greedy and without chance, so that a
 * failing combination keeps its number. A factor is given by how many values it has.
 */
export function pairwise(factors: number[]): number[][] {
	const open = new Set(pairsOf(factors));
	const combinations: number[][] = [];
	while (open.size > 0) {
		const [firstOpen] = open;
		const combination = new Map<number, number>(parse(firstOpen));
		const order = factors.map((_, factor) => (factor + combinations.length) % factors.length);
		for (const factor of order) {
			if (combination.has(factor)) continue;
			const gain = (value: number) =>
				[...combination].filter(([other, its]) => open.has(pair(factor, value, other, its))).length;
			const start = combinations.length % factors[factor];
			const values = Array.from({ length: factors[factor] }, (_, step) => (start + step) % factors[factor]);
			combination.set(
				factor,
				values.reduce((best, value) => (gain(value) > gain(best) ? value : best)),
			);
		}
		const values = factors.map((_, factor) => combination.get(factor)!);
		for (const covered of pairsIn(values)) open.delete(covered);
		combinations.push(values);
	}
	return combinations;
}

/** Every pair that has to meet. */
export function pairsOf(factors: number[]): string[] {
	const values = (factor: number) => Array.from({ length: factors[factor] }, (_, value) => value);
	return factors.flatMap((_, a) =>
		factors.slice(a + 1).flatMap((_, distance) => {
			const b = a + 1 + distance;
			return values(a).flatMap((va) => values(b).map((vb) => pair(a, va, b, vb)));
		}),
	);
}

/** The pairs that meet in one combination. */
export const pairsIn = (combination: number[]): string[] =>
	combination.flatMap((va, a) => combination.slice(a + 1).map((vb, distance) => pair(a, va, a + 1 + distance, vb)));

const pair = (a: number, va: number, b: number, vb: number) =>
	a < b ? `${a}=${va} ${b}=${vb}` : `${b}=${vb} ${a}=${va}`;

const parse = (text: string) => text.split(' ').map((part) => part.split('=').map(Number) as [number, number]);
