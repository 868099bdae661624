/** What is kept under a key; made where nothing is. */
export function orMade<K, V extends object | string>(kept: Kept<K, V>, key: K, make: () => V): V {
	const known = kept.get(key);
	if (known !== undefined) return known;
	const made = make();
	kept.set(key, made);
	return made;
}

interface Kept<K, V> {
	get(key: K): V | undefined;
	set(key: K, value: V): unknown;
}
