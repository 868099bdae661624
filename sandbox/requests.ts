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

	static get [Symbol.species]() {
		return Array;
	}

	enter(entry: LoggedRequest): void {
		this.push(entry);
		if (this.length > KEPT) this.shift();
		this.total += 1;
		this.inFlight += 1;
		this.peakInFlight = Math.max(this.peakInFlight, this.inFlight);
	}

	leave(entry: LoggedRequest, status: number): void {
		entry.status = status;
		this.inFlight -= 1;
	}

	clear(): void {
		this.length = 0;
		this.total = 0;
		this.peakInFlight = this.inFlight;
	}
}
