import type { Json } from './service';
import { isObject } from '../document/vocabulary';

export function orMade<K, V extends object | string>(kept: Kept<K, V>, key: K, make: () => V): V {
	const known = kept.get(key);
	if (known !== undefined) return known;
	const made = make();
	kept.set(key, made);
	return made;
}

/** What was asked once. A failure is not kept, so the next one asks again. */
export function orAsked<K, T>(kept: Kept<K, Promise<T>> & { delete(key: K): unknown }, key: K, ask: () => Promise<T>) {
	const asked = kept.get(key) ?? ask();
	kept.set(key, asked);
	asked.catch(() => kept.delete(key));
	return asked;
}

interface Kept<K, V> {
	get(key: K): V | undefined;
	set(key: K, value: V): unknown;
}

export function without<T extends object, Name extends keyof T>(record: T, ...names: Name[]): Omit<T, Name> {
	const left = { ...record };
	for (const name of names) delete left[name];
	return left;
}

/** At most five, unless all are needed, because n8n shows a message as one paragraph. */
export const few = (texts: readonly string[], separator = ', ', most = 5): string =>
	(texts.length > most ? [...texts.slice(0, most), `and ${texts.length - most} more`] : texts).join(separator);

export const present = (fields: Json): Json =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A path to a part of a record. It leads through lists: `businesses.name` is the name of each business. */
export type Path = readonly string[];

export const pathOf = (text: string): Path => text.split('.').map((name) => name.trim());

/** The parts at the paths, nested as in the record; null for a part that is missing. */
export function selected(value: unknown, paths: readonly Path[]): unknown {
	if (paths.some((path) => path.length === 0)) return value ?? null;
	if (Array.isArray(value)) return value.map((entry) => selected(entry, paths));
	if (!isObject(value)) return null;
	const names = [...new Set(paths.map(([name]) => name))];
	return Object.fromEntries(
		names.map((name) => {
			const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
			return [name, selected(Object.hasOwn(value, name) ? value[name] : undefined, inside)];
		}),
	);
}

export interface Unknown {
	path: Path;
	/** The part of the path that exists, and the names in it. */
	within: Path;
	names: string[];
}

/** The first name of a path that none of the values has; undefined if there are no values to compare with. */
export function unknownIn(values: readonly unknown[], path: Path, known: readonly string[]): Unknown | undefined {
	let reached = values;
	for (let depth = 0; depth < path.length; depth++) {
		const entries = reached.flat(Infinity).filter((entry) => entry !== null && entry !== undefined);
		if (entries.length === 0) return undefined;
		const objects = entries.filter(isObject);
		const names = new Set([...(depth === 0 ? known : []), ...objects.flatMap((entry) => Object.keys(entry))]);
		// An empty object does not show which names it can have.
		if (names.size === 0 && objects.length > 0) return undefined;
		if (!names.has(path[depth])) return { path, within: path.slice(0, depth), names: [...names].sort() };
		reached = objects.map((entry) => entry[path[depth]]);
	}
	return undefined;
}
