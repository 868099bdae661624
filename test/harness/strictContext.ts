type Granted<T> = { [Key in keyof T]?: T[Key] extends (...args: never[]) => unknown ? unknown : Granted<T[Key]> };

/**
 * A stand-in for an n8n context that knows only what the test granted. Whatever else the node touches throws, so a
 * test can never pass on an undefined it did not notice. Plain objects inside (`helpers`, `logger`) are strict too.
 *
 * 	const context = strictContext<IWebhookFunctions>({ getBodyData: () => body, logger: { warn: jest.fn() } });
 */
export function strictContext<T extends object>(granted: Granted<T>, path = 'this'): T {
	const nested = new Map<PropertyKey, unknown>();
	return new Proxy(granted, {
		get(target, key) {
			// Test runners and `await` look for these on anything they are handed.
			if (typeof key === 'symbol' || (key === 'then' && !(key in target))) {
				return Reflect.get(target, key) as unknown;
			}
			if (!Object.hasOwn(target, key)) throw new Error(`${path}.${key} was used but the test did not grant it`);
			const value: unknown = Reflect.get(target, key);
			if (!isPlainObject(value)) return value;
			if (!nested.has(key)) nested.set(key, strictContext<object>(value, `${path}.${key}`));
			return nested.get(key);
		},
		// A feature test (`'isToolExecution' in this`) must see exactly what was granted.
		has: (target, key) => Object.hasOwn(target, key),
		set(_target, key) {
			throw new Error(`${path}.${String(key)} was assigned; a context is read-only for a node`);
		},
	}) as unknown as T;
}

/**
 * `getNodeParameter` for a double. Reading a parameter that was not set throws unless the node brings a fallback, as
 * in n8n itself. A dotted name reads into a collection. `parameters` may be a function of the item index.
 */
export function parameters(values: object | ((itemIndex: number) => object)) {
	return (name: string, second?: unknown, third?: unknown): unknown => {
		// Execution contexts take (name, itemIndex, fallback); webhook, hook and poll contexts take (name, fallback).
		const itemIndex = typeof values === 'function' && typeof second === 'number' ? second : 0;
		const fallback = typeof values === 'function' ? third : second;
		let found: unknown = typeof values === 'function' ? values(itemIndex) : values;
		for (const part of name.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
		if (found === undefined && fallback === undefined) throw new Error(`Parameter "${name}" was not set by the test`);
		return found === undefined ? fallback : found;
	};
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
