/** Labels as a list shows them: in one order on every machine, whatever its language. */
export function alphabetically(a: string, b: string): number {
	const [first, second] = [a.toLowerCase(), b.toLowerCase()];
	return first < second ? -1 : Number(first > second);
}
