import {
	bodyDigest,
	readReport,
	redactHeaders,
	type ReportRules,
	requestIdIn,
	sellerIdIn,
	type CallbackContent,
} from './report';
import { type Refusal, refusal, isRefusal } from './refusals';
import { type CallbackCall, digestOf, proofName, secretParts, verifyCallback, verifySignature } from './signing';
import { withoutSecrets } from '../engine/redaction';
import type { Json } from '../kit/service';
import { orMade } from '../kit/objects';

/**
 * `CallbackMemory` holds which callbacks were accepted. Each claim (the nonce of a signed URL; if nothing is signed,
 * the report's identity) maps to the identity that used it first. Both are short digests, grouped by the hour in which
 * the URL was issued.
 *
 * The memory is bounded. A URL issued before `mark` may have been forgotten, so it is refused unless it is remembered.
 * `mark` never reaches into the last 24 hours, so no report that takes less than a day is lost. In return, a younger
 * URL may start a second execution if more callbacks than fit were accepted since it was issued.
 */
export const rememberedInProcess = 50_000;
/** In the workflow's static data. n8n writes all of it with each save, so it holds fewer. */
export const rememberedAcrossRestarts = 5_000;

const version = '2';
const claimLength = 8;
const identityLength = 4;
const entryLength = claimLength + identityLength;
const entryShape = /(.{8})(.{4})/g;
const open = '';

const hourOf = (time: number) => Math.floor(time / 3_600_000);
/** A report that took less than 24 hours must not be refused, so `mark` stays before them. */
const latestMark = (now: number) => hourOf(now) - 24;

/** `replayed`: the claim was used for another report. `forgotten`: the memory does not reach back to the URL. */
type Verdict = 'new' | 'duplicate' | 'replayed' | 'forgotten';

export class CallbackMemory {
	/** By the hour in which the URL was issued, or of the call if nothing is signed. */
	private readonly hours = new Map<number, Hour>();
	/** The hour that holds a claim. */
	private readonly hourWith = new Map<string, Hour>();
	private mark = Number.NEGATIVE_INFINITY;

	judge(claim: string, identity: string, issuedAt: number): Verdict {
		const key = digest(claim, claimLength);
		const known = this.hourWith.get(key)?.claims.get(key);
		if (known === undefined) return hourOf(issuedAt) < this.mark ? 'forgotten' : 'new';
		if (known === open) return 'new';
		return known === digest(identity, identityLength) ? 'duplicate' : 'replayed';
	}

	remember(claim: string, identity: string, issuedAt: number, now: number): void {
		this.keep(hourOf(issuedAt), digest(claim, claimLength), digest(identity, identityLength));
		while (this.hourWith.size > rememberedInProcess) this.dropOldest(now);
	}

	/** For an accepted callback for which n8n could not start an execution: its next copy must count as new. */
	forget(claim: string): void {
		const key = digest(claim, claimLength);
		const hour = this.hourWith.get(key);
		if (hour === undefined) return;
		// Marked as open rather than deleted: another call may have stored the claim, and `absorb` would restore it.
		hour.claims.set(key, open);
		hour.packed = [...hour.claims].map(entryOf).join('');
	}

	/** Returns the latest claims as text for static data. Runs with every call, so it joins hours rather than claims. */
	pack(now: number): string {
		let left = rememberedAcrossRestarts * entryLength;
		let { mark } = this;
		const kept: string[] = [];
		for (const [hour, { packed }] of [...this.hours].sort(([one], [other]) => other - one)) {
			const isWhole = left > 0 && packed.length <= left;
			const entries = packed.slice(Math.max(0, packed.length - left));
			if (!isWhole) mark = Math.max(mark, Math.min(hour + 1, latestMark(now)));
			if (entries !== '') kept.push(`${hour}:${entries}`);
			if (!isWhole) break;
			left -= entries.length;
		}
		return [version, Number.isFinite(mark) ? mark : '', ...kept].join(' ');
	}

	/** Adds what another process or an earlier run stored. Claims of this process take precedence. */
	absorb(packed: unknown): void {
		if (typeof packed !== 'string') return;
		const [writtenBy, mark, ...hours] = packed.split(' ');
		if (writtenBy !== version) return;
		// The stored mark belongs to a smaller memory, so it only counts as long as this process has none.
		if (this.hourWith.size === 0 && /^\d+$/.test(mark)) this.mark = Number(mark);
		for (const text of hours) {
			const [, hour, entries = ''] = /^(\d{1,9}):([\w-]+)$/.exec(text) ?? [];
			// Skips hours that this process has just written.
			if (this.hours.get(Number(hour))?.packed.includes(entries)) continue;
			for (const [, claim, identity] of entries.matchAll(entryShape))
				if (!this.hourWith.has(claim)) this.keep(Number(hour), claim, identity);
		}
	}

	private keep(hour: number, claim: string, identity: string): void {
		this.hourWith.get(claim)?.claims.delete(claim);
		const kept = orMade(this.hours, hour, () => ({ claims: new Map(), packed: '' }));
		kept.claims.set(claim, identity);
		kept.packed += claim + identity;
		this.hourWith.set(claim, kept);
	}

	private dropOldest(now: number): void {
		const hour = Math.min(...this.hours.keys());
		const kept = this.hours.get(hour)!;
		this.mark = Math.max(this.mark, Math.min(hour + 1, latestMark(now)));
		const [oldest] = kept.claims;
		if (oldest === undefined) return void this.hours.delete(hour);
		const [claim] = oldest;
		kept.claims.delete(claim);
		kept.packed = kept.packed.slice(entryOf(oldest).length);
		this.hourWith.delete(claim);
	}
}

interface Hour {
	/** The identity of each claim. */
	claims: Map<string, string>;
	/** The entries of `claims`, in the same order. */
	packed: string;
}

/** Open claims are not packed. */
const entryOf = ([claim, identity]: [string, string]) => (identity === open ? '' : claim + identity);

const digest = (text: string, length: number) => digestOf(text).slice(0, length);

export interface ReceptionRules extends ReportRules {
	/** Undefined if 'Callback Authentication' is 'None'. */
	secrets?: string[];
	audience: string;
	/** Empty if the service does not sign its callbacks. */
	signingSecrets: string[];
	includeHeaders: boolean;
	/** A test in the editor may repeat a report, so it has a state to itself. */
	isTest: boolean;
	/** Reads the report from the service: undefined if it has no such request, throws if it fails to answer. */
	fetchReport?: (requestId: string) => Promise<unknown>;
}

interface Accepted {
	status: 200;
	item: Json;
	/** Must be called once, with whether an execution was started. Copies of the call wait for it. */
	settle(isStarted: boolean): void;
}

export type Reception = Accepted | { status: 200; item?: undefined } | Refusal;

/** The state of one trigger in one process. */
export class ReceptionState {
	readonly memory = new CallbackMemory();
	/** Claims whose first call is in progress. The next call with the same claim waits for it. */
	private readonly underWay = new Map<string, Promise<void>>();

	async receive(call: Call, rules: ReceptionRules, now: number): Promise<Reception> {
		if (rules.isTest) return await new ReceptionState().receive(call, { ...rules, isTest: false }, now);
		const claims = claimsOf(call, rules, now);
		if (isRefusal(claims)) return claims;
		const read = readReport(call, rules.maxBytes);
		if (isRefusal(read)) return read;

		const requestId = requestIdIn(read.report, rules.requestIdPath);
		const identity = requestId ?? bodyDigest(call, read.report);
		const claim = claims.claim ?? identity;
		while (this.underWay.has(claim)) await this.underWay.get(claim);
		const verdict = this.memory.judge(claim, identity, claims.issuedAt);
		if (verdict === 'duplicate') return { status: 200 };
		if (verdict !== 'new') return refusal(verdict);
		// No `await` since the check of `underWay`, so two copies cannot both be new.
		const release = this.hold(claim);
		const found = await believed(read.report, requestId, rules);
		if (isRefusal(found)) {
			release();
			return found;
		}
		this.memory.remember(claim, identity, claims.issuedAt, now);
		return {
			status: 200,
			item: {
				ref: claims.ref || null,
				requestId: requestId ?? null,
				sellerId: sellerIdIn(found.report, rules.sellerIdPath) ?? null,
				report: withoutSecrets(claims.proofs, found.report),
				// The same for every copy of a callback, even if several processes accepted one each.
				deduplicationKey: claim,
				...(rules.includeHeaders && { headers: redactHeaders(call.headers) }),
			},
			settle: (isStarted) => {
				if (!isStarted) this.memory.forget(claim);
				release();
			},
		};
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

/** With 'Callback Authentication: None', anyone can make this n8n ask the service for an ID. */
const longestId = 200;

/** The report of the call, or the service's copy of it with 'Fetch Report From Service'. */
async function believed(
	brought: unknown,
	requestId: string | undefined,
	{ fetchReport }: ReceptionRules,
): Promise<{ report: unknown } | Refusal> {
	if (fetchReport === undefined) return { report: brought };
	if (requestId === undefined) return refusal('noRequestId');
	if (requestId.length > longestId)
		return refusal('noRequestId', `The request ID has more than ${longestId} characters`);
	let report: unknown;
	try {
		report = await fetchReport(requestId);
	} catch {
		return refusal('serviceUnavailable');
	}
	const answeredFor = requestIdIn(report) ?? requestId;
	return report === undefined || answeredFor !== requestId ? refusal('unconfirmed') : { report };
}

export type Call = CallbackContent & Pick<CallbackCall, 'query' | 'pathSegment' | 'rawUrl'>;

/** Checks the proof in a call before its body is read. The `claim` in it may be used once. */
function claimsOf(call: Call, { secrets, audience, signingSecrets }: ReceptionRules, now: number) {
	const { query, pathSegment } = call;
	const signature = verifySignature(call, signingSecrets, now);
	if (isRefusal(signature)) return signature;
	if (secrets === undefined) {
		// Without a signature, a plain `ref` in the URL is returned too.
		const ref = typeof query.ref === 'string' ? query.ref : '';
		return { ref, claim: signature.id, issuedAt: now, proofs: [] };
	}
	const proof = verifyCallback({ ...call, audience, secrets, now });
	if (isRefusal(proof)) return proof;
	const { ref, nonce, issuedAt } = proof;
	// Removed from the report, which others can read.
	const proofs = secretParts(query[proofName], pathSegment);
	return { ref, claim: nonce, issuedAt, proofs };
}
