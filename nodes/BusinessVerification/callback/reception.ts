import { absorb, type CallbackMemory, forget, judge, pack, remember } from './memory';
import { redactHeaders } from './headers';
import { bodyDigest, type Delivery, findIdentifier, readReport } from './report';
import { type Refused, verifyCallback } from './signing';

export interface Call extends Delivery {
	query: Record<string, unknown>;
	pathSegment?: unknown;
	rawUrl?: string;
}

export interface ReceptionRules {
	/** Undefined: the user chose not to authenticate callbacks. */
	secrets?: string[];
	audience: string;
	maxBytes: number;
	requestIdPath: string;
	sellerIdPath: string;
	includeHeaders: boolean;
	/** A test in the editor may show the same report again and leaves no trace. */
	isTest: boolean;
	/** Reads the report back from the service. Undefined: it knows no such request. Throws: it could not be asked. */
	fetchReport?: (requestId: string) => Promise<unknown>;
}

export type RefusalReason =
	Refused | 'replayed' | 'tooLarge' | 'empty' | 'unreadable' | 'noRequestId' | 'unconfirmed' | 'serviceUnavailable';

export type Reception =
	| { status: 200; item: ReportItem }
	| { status: 200; item?: undefined }
	| { status: 401 | 413 | 422 | 503; reason: RefusalReason; message: string };

export interface ReportItem {
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
	private readonly memory: CallbackMemory = new Map();
	/** Claims whose report is being read back; the next call with the same claim waits for the outcome. */
	private readonly underWay = new Map<string, Promise<unknown>>();
	private absorbed?: unknown;

	/** What other processes, or this one before a restart, have accepted. */
	absorb(packed: unknown): void {
		if (packed === this.absorbed) return;
		absorb(this.memory, packed);
		this.absorbed = packed;
	}

	packed(): string {
		return pack(this.memory);
	}

	forget({ deduplicationKey }: ReportItem): void {
		forget(this.memory, deduplicationKey);
	}

	async receive(call: Call, rules: ReceptionRules, now: number): Promise<Reception> {
		const claims = claimsOf(call, rules, now);
		if (!claims.ok) return refusal(401, claims.reason, refusedBecause[claims.reason]);
		const read = readReport(call, rules.maxBytes);
		if (!read.ok) return refusal(read.status, read.reason, read.message);

		const requestId = findIdentifier(read.report, ['request_id', 'requestId'], rules.requestIdPath);
		const identity = requestId ?? bodyDigest(call, read.report);
		const claim = claims.nonce ?? identity;
		const accept = (report: unknown): Reception => {
			if (!rules.isTest) remember(this.memory, claim, identity);
			return { status: 200, item: itemOf(claims.ref, claim, requestId, report, call, rules) };
		};

		while (this.underWay.has(claim)) await this.underWay.get(claim);
		// From here to `accept` nothing waits, unless the claim is held: two copies cannot both be new.
		const verdict = rules.isTest ? 'new' : judge(this.memory, claim, identity);
		if (verdict === 'duplicate') return { status: 200 };
		if (verdict === 'replayed') return refusal(401, 'replayed', 'This callback URL has served another request already');
		if (rules.fetchReport === undefined) return accept(read.report);
		if (requestId === undefined)
			return refusal(422, 'noRequestId', 'The report names no request ID, so it cannot be read back');
		return await this.held(claim, async () => confirmed(requestId, rules.fetchReport!, accept));
	}

	private async held<T>(claim: string, task: () => Promise<T>): Promise<T> {
		const work = task();
		this.underWay.set(claim, work);
		try {
			return await work;
		} finally {
			this.underWay.delete(claim);
		}
	}
}

async function confirmed(
	requestId: string,
	fetchReport: (requestId: string) => Promise<unknown>,
	accept: (report: unknown) => Reception,
): Promise<Reception> {
	let report: unknown;
	try {
		report = await fetchReport(requestId);
	} catch {
		return refusal(
			503,
			'serviceUnavailable',
			'The report could not be read back from the service; send it again later',
		);
	}
	const answeredFor = findIdentifier(report, ['request_id', 'requestId']);
	if (report === undefined || (answeredFor !== undefined && answeredFor !== requestId)) {
		return refusal(401, 'unconfirmed', 'The service does not know this request');
	}
	return accept(report);
}

function itemOf(
	ref: string,
	claim: string,
	requestId: string | undefined,
	report: unknown,
	{ headers }: Call,
	{ sellerIdPath, includeHeaders }: ReceptionRules,
): ReportItem {
	return {
		ref: ref === '' ? null : ref,
		requestId: requestId ?? null,
		sellerId: findIdentifier(report, ['seller_id', 'sellerId'], sellerIdPath) ?? null,
		report,
		deduplicationKey: claim,
		...(includeHeaders ? { headers: redactHeaders(headers) } : {}),
	};
}

type Claims = { ok: true; ref: string; nonce?: string } | { ok: false; reason: Refused };

function claimsOf({ query, pathSegment, rawUrl }: Call, { secrets, audience }: ReceptionRules, now: number): Claims {
	if (secrets !== undefined) return verifyCallback({ query, pathSegment, rawUrl, audience, secrets, now });
	// Without signatures a plain `ref` in the URL still finds its way back.
	return { ok: true, ref: typeof query.ref === 'string' ? query.ref : '' };
}

function refusal(status: 401 | 413 | 422 | 503, reason: RefusalReason, message: string): Reception {
	return { status, reason, message };
}

const refusedBecause: Record<Refused, string> = {
	noSecret: 'This trigger has no callback secret and accepts nothing',
	missing: 'The callback URL is not signed',
	ambiguous: 'The callback URL is signed more than once',
	malformed: 'The signature of the callback URL is damaged',
	forged: 'The signature of the callback URL does not fit',
	expired: 'The callback URL has expired',
};
