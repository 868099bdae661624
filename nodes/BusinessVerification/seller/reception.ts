import {
	bodyDigest,
	ofAnotherSearch,
	readReport,
	type ReportRules,
	requestIdIn,
	sellerIdIn,
	type CallbackContent,
} from './report';
import { type CallbackCall, digestOf, proofName, Refusal, secretParts, verifyCallback } from './signing';
import { isSearchComplete } from '../document/sellers';
import { isObject } from '../document/vocabulary';
import { withoutSecrets } from '../engine/redaction';
import { asFailure } from '../engine/runErrors';
import { exclusive } from '../engine/turns';
import { isSegment } from '../kit/operation';
import type { Json } from '../kit/service';

/**
 * Which callbacks were accepted: for each claim (the nonce of a signed URL; if nothing is signed, the report's identity)
 * the identity that used it first, and the hour in which the URL was issued. Claims and identities are short digests.
 *
 * The memory is bounded and drops what was issued first. A URL issued before `mark` may have been dropped, so it is
 * refused unless it is remembered, or was issued in the last 24 hours: no report that takes less than a day is lost. In
 * return, a younger URL may start a second execution if more callbacks than fit were accepted since.
 */
export const rememberedCallbacks = 5_000;

const claimLength = 8;
const identityLength = 4;
const packedEntry = /^[\w-]{12}\d{1,9}$/;
const released = '';

const dayMs = 86_400_000;
const hourOf = (time: number) => Math.floor(time / 3_600_000);

export class CallbackMemory {
	private readonly accepted = new Map<string, { identity: string; hour: number }>();
	private mark = 0;

	/** `used`: for another report, or before the memory begins, so that nobody can tell for which. */
	judge(claim: string, identity: string, issuedAt: number, now: number): 'new' | 'duplicate' | 'used' {
		const known = this.accepted.get(digest(claim, claimLength));
		if (known === undefined) return hourOf(issuedAt) < this.mark && now - issuedAt > dayMs ? 'used' : 'new';
		if (known.identity === released) return 'new';
		return known.identity === digest(identity, identityLength) ? 'duplicate' : 'used';
	}

	remember(claim: string, identity: string, issuedAt: number): void {
		const entry = { identity: digest(identity, identityLength), hour: hourOf(issuedAt) };
		this.accepted.set(digest(claim, claimLength), entry);
		this.shrink();
	}

	/**
	 * For an accepted callback for which n8n could not start an execution: its next copy must count as new. The claim is
	 * not deleted, because another call may have stored it, and `absorb` would restore it.
	 */
	release(claim: string): void {
		const known = this.accepted.get(digest(claim, claimLength));
		if (known !== undefined) known.identity = released;
	}

	/** As text for static data. */
	pack(): string {
		const entries = [...this.accepted].filter(([, { identity }]) => identity !== released);
		return [this.mark, ...entries.map(([claim, { identity, hour }]) => claim + identity + hour)].join(' ');
	}

	/** Adds what another process or an earlier run stored. Claims of this process take precedence. */
	absorb(packed: unknown): void {
		if (typeof packed !== 'string') return;
		const [mark, ...entries] = packed.split(' ');
		this.mark = Math.max(this.mark, Number(mark) || 0);
		for (const entry of entries) {
			const claim = entry.slice(0, claimLength);
			if (this.accepted.has(claim) || !packedEntry.test(entry)) continue;
			const identity = entry.slice(claimLength, claimLength + identityLength);
			this.accepted.set(claim, { identity, hour: Number(entry.slice(claimLength + identityLength)) });
		}
		this.shrink();
	}

	private shrink(): void {
		if (this.accepted.size <= rememberedCallbacks) return;
		const oldestFirst = [...this.accepted].sort(([, one], [, other]) => one.hour - other.hour);
		for (const [claim, { hour }] of oldestFirst.slice(0, -rememberedCallbacks)) {
			this.accepted.delete(claim);
			this.mark = Math.max(this.mark, hour + 1);
		}
	}
}

const digest = (text: string, length: number) => digestOf(text).slice(0, length);

export interface ReceptionRules extends ReportRules {
	/** Undefined if 'Callback Authentication' is 'None'. */
	secrets?: string[];
	audience: string;
	/** Reads the report from the service. */
	fetchReport?: (requestId: string) => Promise<unknown>;
}

export type Reception = { kind: 'accepted'; item: Json } | { kind: 'duplicate' };

/** The state of one trigger in one process. */
export class ReceptionState {
	readonly memory = new CallbackMemory();

	/** `isStarted` waits for n8n to start the execution of an accepted call, or to fail. */
	async receive(call: Call, rules: ReceptionRules, now: number, isStarted: () => Promise<boolean>): Promise<Reception> {
		const { secrets, audience } = rules;
		// Before the body is read. A nonce may be used once.
		const signed = secrets && verifyCallback({ ...call, audience, secrets, now });
		const brought = readReport(call);
		const requestId = requestIdIn(brought, rules.requestIdPath);
		const identity = requestId ?? bodyDigest(call, brought);
		const claim = signed?.nonce ?? identity;
		const issuedAt = signed?.issuedAt ?? now;
		const judged = async (): Promise<Reception> => {
			const verdict = this.memory.judge(claim, identity, issuedAt, now);
			if (verdict === 'duplicate') return { kind: verdict };
			if (verdict === 'used') throw new Refusal(401, alreadyUsed);
			const report = await believed(brought, requestId, rules);
			this.memory.remember(claim, identity, issuedAt);
			const item = {
				ref: signed?.ref || null,
				requestId: requestId ?? null,
				sellerId: sellerIdIn(report, rules.sellerIdPath) ?? null,
				// Others can read it.
				report: withoutSecrets(signed && secretParts(call.query[proofName], call.pathSegment), report),
				// The same for every copy of a callback, even if several processes accepted one each.
				deduplicationKey: claim,
			};
			return { kind: 'accepted', item };
		};
		// Copies of the call wait until its execution has started. If it could not, the next one counts as new.
		return await new Promise((resolve, reject) => {
			exclusive(`callback ${audience} ${claim}`, async () => {
				const outcome = await judged();
				resolve(outcome);
				if (outcome.kind === 'accepted' && !(await isStarted())) this.memory.release(claim);
			}).catch(reject);
		});
	}
}

const alreadyUsed = 'This callback URL was already used for another request, or is too old to tell';

/** With 'Callback Authentication: None', anyone can make this n8n ask the service for an ID. */
const longestId = 200;

/** The report of the call, or the service's copy of it with 'Fetch Report From Service'. */
async function believed(
	brought: unknown,
	requestId: string | undefined,
	{ fetchReport }: ReceptionRules,
): Promise<unknown> {
	if (fetchReport === undefined) return brought;
	if (requestId === undefined || requestId.length > longestId || !isSegment(requestId))
		throw new Refusal(422, "The report has no valid request ID, so it cannot be fetched. Check 'Request ID Path'.");
	const report = await fetchReport(requestId).catch((error: unknown) => {
		const { message, details } = asFailure(error);
		const why = `The report could not be fetched: ${message}. ${details.description ?? ''}`;
		throw new Refusal(503, 'The report could not be fetched from the service. Send it again later.', why);
	});
	if ((requestIdIn(report) ?? requestId) !== requestId) throw new Refusal(401, ofAnotherSearch);
	if (isStatusAlone(report))
		throw new Refusal(503, 'The service has no report of this search yet. Send it again later.');
	return report;
}

const fieldsOfStatus = ['status', 'request_id', 'message', 'detail'];

/**
 * Taken for the report, the status of a search under way would make the call that brings the report a duplicate. A report
 * may have a status of its own beside other fields.
 */
const isStatusAlone = (answer: unknown): boolean =>
	isObject(answer) &&
	'status' in answer &&
	!isSearchComplete(answer) &&
	Object.keys(answer).every((name) => fieldsOfStatus.includes(name));

export type Call = CallbackContent & Pick<CallbackCall, 'query' | 'pathSegment'>;
