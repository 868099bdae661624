import { at } from '../kit/operation';
import { Failure, isUnknownRecord, type Json, notAgain, type Service } from '../kit/service';
import { defaultSort, inquiry as inquiryAnswer } from '../document/answers';
import { momentOf } from '../document/vocabulary';
import { routes } from '../document/routes';
import { type WaitingOptions, waitingTimes } from '../fields/shared';
import { inquiryIdOf, inquiryIn, isFinal, mayStillFill } from './record';

export const readInquiry = (id: string) =>
	({ ...at(routes.inquiry, { inquiry_id: id }), kind: 'read', answer: inquiryAnswer }) as const;

/** What was just created or is listed may not be shown yet: then `none`. Any other failure is one. */
export const orNone = <T>(asked: Promise<T>, none: T): Promise<T> =>
	asked.catch((error: unknown) => (isUnknownRecord(error) ? none : Promise.reject(error)));

/**
 * Waits until the status of an inquiry is final, and its `businesses` are there or were waited for. `known` is an earlier
 * response about it; `extra` is added to the output. With `reRunWait`, a final status counts only if the inquiry was seen
 * running, if its `startedAt` or `completedAt` has changed, or if `reRunWait` has passed.
 */
export async function untilFinished(
	service: Service,
	id: string,
	options: WaitingOptions & { waitForBusinesses?: number; reRunWait?: number },
	known: Json,
): Promise<{ inquiry: Json; extra: Json }> {
	const restarts = options.reRunWait !== undefined;
	const businessesMs = (options.waitForBusinesses ?? 0) * 1000;
	const reRunEndsAt = service.uptime() + (options.reRunWait ?? 0) * 1000;
	const seen = {
		/** The inquiry ran again since it was `known`, so a final status is a new one. */
		restart: !isFinal(known),
		running: 'status' in known && !isFinal(known),
		/** Undefined as long as it has not finished. Its `businesses` may come later. */
		finishedAt: undefined as number | undefined,
	};
	/** To be called with every response, in their order. */
	const isDone = (inquiry: Json): boolean => {
		const now = service.uptime();
		const { startedAt, completedAt } = inquiry;
		seen.restart ||= !isFinal(inquiry) || startedAt !== known.startedAt || completedAt !== known.completedAt;
		seen.running ||= !isFinal(inquiry);
		const isFinished = isFinal(inquiry) && (seen.restart || now >= reRunEndsAt);
		seen.finishedAt = isFinished ? (seen.finishedAt ?? now) : undefined;
		if (seen.finishedAt === undefined) return false;
		if (!mayStillFill(inquiry) || now >= seen.finishedAt + businessesMs) return true;
		// One that finished long ago and still has none gets none.
		return !seen.running && Date.now() - momentOf(String(completedAt)) > businessesMs;
	};

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
		isDone,
		isKnown: known.id !== undefined,
		isFresh: 'status' in known && (restarts || !isFinal(known)),
		...waitingTimes(options),
	});
	if (!timedOut || seen.finishedAt !== undefined) {
		if (businessesMs > 0 && mayStillFill(record)) service.remark(withoutBusinesses);
		return { inquiry: record, extra: restarts ? { restartSeen: seen.restart } : {} };
	}
	const last = { ...known, ...record };
	const facts = `Its last status was ${String(last.status ?? 'unknown')}.`;
	return { inquiry: last, extra: unfinished('Inquiry', id, options, facts) };
}

/** What a record that did not finish within 'Max Wait' has beside its last state, unless its item fails. */
export function unfinished(
	what: 'Batch' | 'Inquiry',
	id: string,
	{ onTimeout, maxWait }: WaitingOptions,
	facts?: string,
): Json {
	if (onTimeout === 'lastState') return { isFinal: false, timedOut: true };
	throw new Failure(`${what} ${id} did not finish within ${maxWait} ${maxWait === 1 ? 'minute' : 'minutes'}`, {
		id,
		facts,
		description: `${notAgain}: run '${what}: Wait' with this ID for the result.`,
		cause: 'temporarily-unavailable',
	});
}

const withoutBusinesses =
	"Finished without 'businesses', which the service may add later. To read them then, use 'Inquiry: Get'.";
