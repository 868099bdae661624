import { without } from '../kit/objects';
import { at } from '../kit/operation';
import { Failure, isUnknownRecord, type Json, type Question, type Service } from '../kit/service';
import { defaultSort, inquiry as inquiryAnswer } from '../document/answers';
import { routes } from '../document/routes';
import { type WaitingOptions, waitingTimes } from '../fields/shared';
import { inquiryIdOf, inquiryIn, isFinal, mayStillFill, inquiryOutput, afterInquiry } from './record';

export const readInquiry = (id: string) =>
	({ ...at(routes.inquiry, { inquiry_id: id }), kind: 'read', answer: inquiryAnswer }) as const;

/** What was just created or is listed may not be shown yet: then `none`. Any other failure is one. */
export const orNone = <T>(asked: Promise<T>, none: T): Promise<T> =>
	asked.catch((error: unknown) => (isUnknownRecord(error) ? none : Promise.reject(error)));

/** Follows an inquiry until its status is final, and its `businesses` are there or were waited for. */
class Completion {
	/** The inquiry ran again since it was read as `before`, so a final status is a new one. */
	restartSeen: boolean;
	/** Undefined as long as it has not finished. Its `businesses` may come later. */
	finishedAt: number | undefined;

	constructor(
		private readonly before: Json,
		private readonly now: () => number,
		private readonly reRunEndsAt: number,
		private readonly businessesMs: number,
	) {
		this.restartSeen = !isFinal(before);
	}

	/** To be called with every response, in their order. */
	isDone(inquiry: Json): boolean {
		const { startedAt, completedAt } = this.before;
		this.restartSeen ||= !isFinal(inquiry) || inquiry.startedAt !== startedAt || inquiry.completedAt !== completedAt;
		const isFinished = isFinal(inquiry) && (this.restartSeen || this.now() >= this.reRunEndsAt);
		this.finishedAt = isFinished ? (this.finishedAt ?? this.now()) : undefined;
		if (this.finishedAt === undefined) return false;
		return !mayStillFill(inquiry) || this.now() >= this.finishedAt + this.businessesMs;
	}
}

/**
 * Waits until an inquiry has finished. `known` is an earlier response about it; `extra` is added to the output. With
 * `reRunWait` (in seconds), for additions and retries, a final status may still be the one from before. So it counts only
 * if the inquiry was seen running, if its `startedAt` or `completedAt` has changed, or if `reRunWait` has passed.
 * `ifLate` is a further way to the result, for the error of a wait that takes too long.
 */
export async function untilFinished(
	service: Service,
	id: string,
	options: WaitingOptions & { waitForBusinesses?: number },
	known: Json,
	{ reRunWait, ifLate }: { reRunWait?: number; ifLate?: string } = {},
): Promise<{ inquiry: Json; extra: Json }> {
	const restarts = reRunWait !== undefined;
	const now = () => service.uptime();
	const { waitForBusinesses = 0 } = options;
	const completion = new Completion(known, now, now() + (reRunWait ?? 0) * 1000, waitForBusinesses * 1000);

	const { record, timedOut } = await service.wait({
		id,
		read: readInquiry(id),
		// The newest first, because most waits are for new inquiries.
		list: { ...at(routes.inquiries), query: defaultSort, idOf: inquiryIdOf },
		// A row without a status may be finished, so the inquiry is read.
		mayBeDone: (row) => {
			const inquiry = inquiryIn(row);
			return typeof inquiry.status !== 'string' || isFinal(inquiry);
		},
		isDone: (inquiry) => completion.isDone(inquiry),
		isKnown: known.id !== undefined,
		isFresh: 'status' in known && (restarts || !isFinal(known)),
		...waitingTimes(options),
	});
	if (!timedOut || completion.finishedAt !== undefined)
		return { inquiry: record, extra: restarts ? { restartSeen: completion.restartSeen } : {} };
	const last = { ...known, ...record };
	if (options.onTimeout === 'lastState') return { inquiry: last, extra: { isFinal: false, timedOut: true } };
	throw new Failure(`Inquiry ${id} did not finish within ${options.maxWait} minutes`, {
		id,
		submission: 'accepted',
		description: [
			`It was accepted, and its last status was ${String(last.status ?? 'unknown')}: do not submit it again.`,
			`To get the result, run 'Inquiry: Wait' with this ID${ifLate === undefined ? '' : `, or ${ifLate}`}.`,
		].join(' '),
	});
}

interface Addition {
	inquiryId: string;
	waitForCompletion: boolean;
	waitingOptions: WaitingOptions;
	options: { advanced: { reRunWait: number } };
}

/**
 * Sends an addition or a retry. Reads the inquiry before it, so that the wait can tell the new completion from the old.
 */
export async function addAndWait(
	service: Service,
	{ inquiryId, waitForCompletion, waitingOptions, options }: Addition,
	write: Omit<Question<Json>, 'kind'>,
): Promise<Json> {
	const before = waitForCompletion ? await service.send(readInquiry(inquiryId)) : undefined;
	const answer = { ...(await service.send({ ...write, kind: 'write' })), inquiryId };
	if (before === undefined) {
		service.remark(
			"The inquiry may run again. For a minute, 'Inquiry: Wait' can return the result from before. 'Wait for Completion' waits for the new one: check 'restartSeen'.",
		);
		service.advise(
			'Accepted, and the inquiry may run again: do not send this again.',
			"'Wait for inquiry' waits for it. For a minute, the result may be the one from before: compare 'completedAt'.",
		);
		return answer;
	}
	service.accepted(answer);
	const { inquiry, extra } = await untilFinished(service, inquiryId, waitingOptions, before, {
		reRunWait: options.advanced.reRunWait,
	});
	// A final status may still be the one from before.
	service.advise(...afterInquiry(extra.timedOut ? without(inquiry, 'status') : inquiry));
	return { ...answer, inquiry: inquiryOutput(inquiry, {}, { extra }) };
}
