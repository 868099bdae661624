import { type Call, claimsOf, type ProofRules } from './claims';
import { redactHeaders } from './redactedHeaders';
import { CallbackMemory } from './callbackMemory';
import { isRefusal, refusal, type Refusal } from './refusedCalls';
import { requestIdIn, sellerIdIn } from './reportIds';
import { bodyDigest, readReport, type ReportRules } from './sellerReport';

export interface ReceptionRules extends ProofRules, ReportRules {
	includeHeaders: boolean;
	/** A test in the editor may show the same report again and leaves no trace. */
	isTest: boolean;
	/** Reads the report back from the service. Undefined: it knows no such request. Throws: it could not be asked. */
	fetchReport?: (requestId: string) => Promise<unknown>;
}

export interface Accepted {
	status: 200;
	item: ReportItem;
	/** To be called once: whether an execution was started. Copies of the call wait for it. */
	settle(isStarted: boolean): void;
}

export type Reception = Accepted | { status: 200; item?: undefined } | Refusal;

interface ReportItem {
	ref: string | null;
	requestId: string | null;
	sellerId: string | null;
	report: unknown;
	/** The same for every copy of one callback, also where several processes accepted one each. */
	deduplicationKey: string;
	headers?: Record<string, string>;
}

/** What one process knows of one trigger. */
export class ReceptionState {
	readonly memory = new CallbackMemory();
	/** Claims whose first call is being handled; the next call with the same claim waits for the outcome. */
	private readonly underWay = new Map<string, Promise<void>>();

	async receive(call: Call, rules: ReceptionRules, now: number): Promise<Reception> {
		const claims = claimsOf(call, rules, now);
		if (isRefusal(claims)) return claims;
		const read = readReport(call, rules.maxBytes);
		if (isRefusal(read)) return read;

		const requestId = requestIdIn(read.report, rules.requestIdPath);
		const identity = requestId ?? bodyDigest(call, read.report);
		const claim = claims.claim ?? identity;
		const accepted = (report: unknown, settle: Accepted['settle']): Accepted => ({
			status: 200,
			item: {
				ref: claims.ref === '' ? null : claims.ref,
				requestId: requestId ?? null,
				sellerId: sellerIdIn(report, rules.sellerIdPath) ?? null,
				report,
				deduplicationKey: claim,
				...(rules.includeHeaders && { headers: redactHeaders(call.headers) }),
			},
			settle,
		});
		if (rules.isTest) {
			const found = await believed(read.report, requestId, rules);
			return isRefusal(found) ? found : accepted(found.report, () => {});
		}

		while (this.underWay.has(claim)) await this.underWay.get(claim);
		const verdict = this.memory.judge(claim, identity, claims.issuedAt);
		if (verdict === 'duplicate') return { status: 200 };
		if (verdict !== 'new') return refusal(verdict);
		// Nothing was waited for since the last look at what is under way: two copies cannot both be new.
		const release = this.hold(claim);
		const found = await believed(read.report, requestId, rules);
		if (isRefusal(found)) {
			release();
			return found;
		}
		this.memory.remember(claim, identity, claims.issuedAt, now);
		return accepted(found.report, (isStarted) => {
			if (!isStarted) this.memory.forget(claim);
			release();
		});
	}

	private hold(claim: string): () => void {
		let free = () => {};
		this.underWay.set(claim, new Promise((resolve) => void (free = resolve)));
		return () => {
			this.underWay.delete(claim);
			free();
		};
	}
}

/** What the call brought, or what the service itself says of the request. */
async function believed(
	brought: unknown,
	requestId: string | undefined,
	{ fetchReport }: ReceptionRules,
): Promise<{ report: unknown } | Refusal> {
	if (fetchReport === undefined) return { report: brought };
	if (requestId === undefined) return refusal('noRequestId');
	let report: unknown;
	try {
		report = await fetchReport(requestId);
	} catch {
		return refusal('serviceUnavailable');
	}
	const answeredFor = requestIdIn(report);
	return report === undefined || (answeredFor !== undefined && answeredFor !== requestId)
		? refusal('unconfirmed')
		: { report };
}
