/** A record without the named entries. */
export function without<T extends object, Name extends keyof T>(record: T, ...names: Name[]): Omit<T, Name> {
	const left = { ...record };
	for (const name of names) delete left[name];
	return left;
}
