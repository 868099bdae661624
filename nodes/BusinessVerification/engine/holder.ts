const holders = new Map<string, Promise<unknown>>();

/**
 * Inside this process only one task at a time holds a key; the others come after it, in order. Keys of several
 * processes (queue mode) do not know each other: the limits page says what that means.
 */
export async function exclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
	const before = holders.get(key) ?? Promise.resolve();
	const mine = before.then(task, task);
	const settled = mine.catch(() => undefined);
	holders.set(key, settled);
	try {
		return await mine;
	} finally {
		if (holders.get(key) === settled) holders.delete(key);
	}
}

/** A map that forgets its oldest entries, for what a process remembers across executions. */
export class Bounded<V> {
	private readonly entries = new Map<string, V>();

	constructor(private readonly limit: number) {}

	get(key: string): V | undefined {
		return this.entries.get(key);
	}

	set(key: string, value: V): void {
		this.entries.delete(key);
		this.entries.set(key, value);
		if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value as string);
	}

	delete(key: string): void {
		this.entries.delete(key);
	}
}
