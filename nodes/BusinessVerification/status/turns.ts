/** n8n may start a poll while the one before is still running; both would read and write the same memory. */
export class Turns {
	private readonly holders = new Map<string, { since: number }>();

	/** Null while somebody else has the turn. A poll that never came back loses its turn after a while. */
	take(key: string, now: number, longestMs: number): Turn | null {
		const holder = this.holders.get(key);
		if (holder && now - holder.since < longestMs) return null;
		const mine = { since: now };
		this.holders.set(key, mine);
		return {
			isMine: () => this.holders.get(key) === mine,
			end: () => {
				if (this.holders.get(key) === mine) this.holders.delete(key);
			},
		};
	}
}

export interface Turn {
	/** Whether what the poll found may still be used. */
	isMine(): boolean;
	end(): void;
}
