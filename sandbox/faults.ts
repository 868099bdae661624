/** Something that goes wrong on purpose with the next matching requests. */
export interface Fault {
	method?: string;
	/** Start of the path, or a pattern. */
	path?: string | RegExp;
	/** Only requests whose body, as text, holds this. */
	bodyContains?: string;
	/** Matching requests to let pass first. */
	skip?: number;
	/** Requests to spoil: 1 when not given; Infinity (null in JSON) for all. */
	times?: number | null;
	/** The request is processed first, then the answer is spoilt. */
	after?: boolean;
	/** Real time to wait before answering. Alone, it only makes the answer slow. */
	delayMs?: number;
	/** Answered as soon as so many requests are in flight at once. Alone, it only makes the answer wait. */
	together?: number;
	/** The request is performed once more than the client sent it, as proxies do that repeat. */
	twice?: boolean;
	/** The connection is cut at once, and the request performed this much later, by the sandbox's clock. */
	performedAfterMs?: number;
	/** The connection is cut instead of answered. */
	drop?: boolean;
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	redirect?: string;
	/** An HTML page, as a proxy or a log-in wall would send; status 200 when none is given. */
	html?: boolean;
}

interface Armed {
	fault: Fault;
	toSkip: number;
	left: number;
}

export class Faults {
	private armed: Armed[] = [];

	add(fault: Fault): void {
		const left = fault.times === undefined ? 1 : (fault.times ?? Infinity);
		this.armed.push({ fault, toSkip: fault.skip ?? 0, left });
	}

	clear(): void {
		this.armed = [];
	}

	/** The fault for this request, counted as used. */
	take(method: string, path: string, bodyText: string): Fault | undefined {
		for (const armed of this.armed) {
			if (armed.left <= 0 || !matches(armed.fault, method, path, bodyText)) continue;
			if (armed.toSkip > 0) {
				armed.toSkip -= 1;
				continue;
			}
			armed.left -= 1;
			return armed.fault;
		}
		return undefined;
	}
}

function matches(fault: Fault, method: string, path: string, bodyText: string): boolean {
	if (fault.method && fault.method.toUpperCase() !== method) return false;
	if (typeof fault.path === 'string' && !path.startsWith(fault.path)) return false;
	if (fault.path instanceof RegExp && !fault.path.test(path)) return false;
	return fault.bodyContains === undefined || bodyText.includes(fault.bodyContains);
}
