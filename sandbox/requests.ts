/** The last requests that reached the service, and how many were in flight at once. */

export interface LoggedRequest {
	method: string;
	path: string;
	/** The endpoint as printed in the document, when one was met. */
	endpoint: string | null;
	query: Record<string, unknown>;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
	/** Null while it is being served, 0 when the connection was cut. */
	status: number | null;
	at: number;
}

const KEPT = 5_000;

export class RequestLog extends Array<LoggedRequest> {
	/** All requests since the last clear, also those no longer kept. */
	total = 0;
	inFlight = 0;
	peakInFlight = 0;
	/** Performed after their connection was cut. */
	readonly late: Promise<unknown>[] = [];
	private awaited: Array<{ count: number; go: () => void }> = [];

	static get [Symbol.species]() {
		return Array;
	}

	enter(entry: LoggedRequest): void {
		this.push(entry);
		if (this.length > KEPT) this.shift();
		this.total += 1;
		this.inFlight += 1;
		this.peakInFlight = Math.max(this.peakInFlight, this.inFlight);
		for (const { count, go } of this.awaited) if (this.inFlight >= count) go();
		this.awaited = this.awaited.filter(({ count }) => this.inFlight < count);
	}

	/** Settles as soon as `count` requests are in flight at once. */
	async reached(count: number): Promise<void> {
		if (this.inFlight < count) await new Promise<void>((go) => void this.awaited.push({ count, go }));
	}

	leave(entry: LoggedRequest, status: number): void {
		entry.status = status;
		this.inFlight -= 1;
	}

	clear(): void {
		this.length = 0;
		this.late.length = 0;
		this.total = 0;
		this.peakInFlight = this.inFlight;
	}
}
