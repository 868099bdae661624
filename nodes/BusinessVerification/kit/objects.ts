import type { Json } from './service';

export function orMade<K, V extends object | string>(
	cache: { get(key: K): V | undefined; set(key: K, value: V): unknown },
	key: K,
	make: () => V,
): V {
	const known = cache.get(key);
	if (known !== undefined) return known;
	const made = make();
	cache.set(key, made);
	return made;
}

/** Shares one task, also while it is under way. A failure is not kept, so the next caller begins again. */
export const orBegun = <T>(tasks: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> =>
	orMade(tasks, key, () => {
		const begun = begin();
		begun.catch(() => tasks.delete(key));
		return begun;
	});

/** A map that drops its oldest entries, so that memory kept across executions does not grow. */
export class Bounded<V> extends Map<string, V> {
	constructor(private readonly limit: number) {
		super();
	}

	override set(key: string, value: V): this {
		this.delete(key);
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.limit) this.delete(oldest);
		return this;
	}
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

/** Deep nesting would break n8n when it stores the execution, and everything here that walks through a value. */
const deepest = 100;

export const isTooDeep = (value: unknown, levels = deepest): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels < 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));

/** The part of a value at a path such as `data.0.seller_id`. What objects inherit does not count. */
export const partAt = (value: unknown, path: string | ReadonlyArray<string | number>): unknown =>
	(typeof path === 'string' ? path.split('.') : path).reduce<unknown>(
		(part, name) =>
			typeof part === 'object' && part !== null && Object.hasOwn(part, name)
				? (part as Record<string | number, unknown>)[name]
				: undefined,
		value,
	);

export const sentences = (...parts: Array<string | false | undefined>) => parts.filter(Boolean).join(' ') || undefined;
