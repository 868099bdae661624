import type { Known, Memory } from './memory';

/** The known inquiries, counted. */
export class Kept {
	protected running = 0;
	protected ended = 0;

	constructor(readonly memory: Memory) {
		for (const entry of memory.known.values()) this.count(entry, 1);
	}

	put(id: number, entry: Known): true {
		this.remove(id);
		this.memory.known.set(id, entry);
		this.count(entry, 1);
		return true;
	}

	remove(id: number): void {
		const entry = this.memory.known.get(id);
		if (entry) this.count(entry, -1);
		this.memory.known.delete(id);
	}

	private count({ running }: Known, by: number): void {
		if (running) this.running += by;
		else this.ended += by;
	}
}
