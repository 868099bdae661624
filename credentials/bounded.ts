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
