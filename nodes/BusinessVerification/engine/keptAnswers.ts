/**
 * What a process keeps of the answers to writes, as JSON, bounded by its length. When there is too much, the oldest lose
 * first what does not identify them, and only then go: a place whose answer is shortened is still never sent to again.
 */
export class KeptAnswers {
	private readonly whole = new Map<string, string>();
	private readonly shortened = new Map<string, string>();
	private size = 0;

	constructor(private readonly limit: number) {}

	get(key: string): unknown {
		const json = this.whole.get(key) ?? this.shortened.get(key);
		return json === undefined ? undefined : JSON.parse(json);
	}

	set(key: string, value: object): void {
		this.delete(key);
		this.put(this.whole, key, JSON.stringify(value));
		while (this.size > this.limit) this.shrink();
	}

	delete(key: string): void {
		this.take(this.whole, key);
		this.take(this.shortened, key);
	}

	private shrink(): void {
		const [key] = this.whole.keys();
		if (key === undefined) {
			const [oldest] = this.shortened.keys();
			this.take(this.shortened, oldest);
			return;
		}
		const json = this.take(this.whole, key);
		this.put(this.shortened, key, JSON.stringify(identifying(JSON.parse(json))));
	}

	private put(entries: Map<string, string>, key: string, json: string): void {
		entries.set(key, json);
		this.size += key.length + json.length;
	}

	private take(entries: Map<string, string>, key: string): string {
		const json = entries.get(key);
		if (json === undefined) return '';
		entries.delete(key);
		this.size -= key.length + json.length;
		return json;
	}
}

const longestIdentifier = 200;

/** By its IDs and its status a record is found again. */
function identifying(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.slice(0, 10).map((entry) => identifying(entry));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, entry]) => [name, identifying(entry, name)] as const);
		return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
	}
	const identifies = /(^|_)(id|status)$|[a-z]I[dD]$|^(message|submission|httpCode|at)$/.test(key);
	return identifies && String(value).length <= longestIdentifier ? value : undefined;
}
