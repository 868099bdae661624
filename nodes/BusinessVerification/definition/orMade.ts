/** What is kept under a key; made where nothing is. */
export function orMade<V extends object | string>(kept: Kept<V>, key: string, make: () => V): V {
	const known = kept.get(key);
	if (known !== undefined) return known;
	const made = make();
	kept.set(key, made);
	return made;
}

interface Kept<V> {
	get(key: string): V | undefined;
	set(key: string, value: V): unknown;
}
