import { at } from '../kit/operation';
import { Failure, type Json, type Question, type Service, type Watch } from '../kit/service';
import { defaultSort, inquiry as inquiryAnswer } from '../document/answers';
import { routes } from '../document/routes';
import { type InquiryWaitingOptions, type restartWaitingOptions, waitingTimes } from '../fields/shared';
import { inquiryIdOf, isFinal, inquiryOutput, afterInquiry } from './record';
import type { Input } from '../kit/field';

export interface Ended {
	inquiry: Json;
	/** What we know of how it ended, for the output. */
	extra: Json;
}

export const readInquiry = (id: string) =>
	({ ...at(routes.inquiry, { inquiry_id: id }), kind: 'read', answer: inquiryAnswer }) as const;

/**
 * Waits until an inquiry has ended. `known` is what was answered of it before. With a grace (in seconds), after an
 * addition or a retry, a final state counts only when the inquiry was seen to run again, or its times changed, or the
 * grace has passed.
 */
export async function untilEnded(
	service: Service,
	id: string,
	options: InquiryWaitingOptions,
	known: Json,
	grace?: number,
): Promise<Ended> {
	const restarts = grace !== undefined;
	const graceEnds = service.now() + (grace ?? 0) * 1000;
	let restartSeen = !restarts || !isFinal(known);
	let endedAt: number | undefined;

	const note = (inquiry: Json): void => {
		restartSeen ||=
			!isFinal(inquiry) || inquiry.startedAt !== known.startedAt || inquiry.completedAt !== known.completedAt;
		const hasEnded = isFinal(inquiry) && (restartSeen || service.now() >= graceEnds);
		endedAt = hasEnded ? (endedAt ?? service.now()) : undefined;
	};
	const isDone = ({ businesses }: Json): boolean =>
		endedAt !== undefined && (Array.isArray(businesses) || service.now() >= endedAt + options.waitForBusinesses * 1000);

	const watch: Watch = {
		id,
		read: readInquiry(id),
		list: {
			...at(routes.inquiries),
			query: (created) =>
				created === undefined
					? defaultSort
					: { ...defaultSort, sort_order: 'asc', created_at_from: created.from, created_at_to: created.to },
			idOf: inquiryIdOf,
			createdAtOf: (row) => (typeof row.createdAt === 'string' ? row.createdAt : undefined),
		},
		// A row that does not tell is worth a read.
		mayBeDone: (row) => typeof row.status !== 'string' || isFinal(row),
		note,
		isDone,
		createdAt: typeof known.createdAt === 'string' ? known.createdAt : undefined,
		isKnown: known.id !== undefined,
		isFresh: 'status' in known && (restarts || !isFinal(known)),
		...waitingTimes(options),
	};

	const { record, timedOut } = await service.wait(watch);
	if (!timedOut) return { inquiry: record, extra: restarts ? { restartSeen } : {} };
	const last = { ...known, ...record };
	if (options.onTimeout === 'lastState') return { inquiry: last, extra: { isFinal: false, timedOut: true } };
	throw new Failure(`Inquiry ${id} has not ended within ${options.maxWait} minutes`, {
		wasAskedFor: true,
		description: `Its last status was ${String(last.status ?? 'unknown')}. Raise 'Max Wait', choose another 'On Timeout', or start a workflow with the trigger.`,
	});
}

interface Addition {
	inquiryId: string;
	waitForCompletion: boolean;
	options: Input<typeof restartWaitingOptions>;
}

/** Sends what makes an inquiry run again; on request waits for its new end, not taking the old one for it. */
export async function addAndWait(
	service: Service,
	{ inquiryId, waitForCompletion, options }: Addition,
	write: Omit<Question<Json>, 'kind'>,
): Promise<Json> {
	const before = waitForCompletion ? await service.send(readInquiry(inquiryId)) : undefined;
	const answer = { ...(await service.send({ ...write, kind: 'write' })), inquiryId };
	if (before === undefined) {
		service.advise('Accepted, and the inquiry may run again: do not send this again.', '{inquiry.wait} waits for it.');
		return answer;
	}
	service.accepted(answer);
	const { inquiry, extra } = await untilEnded(service, inquiryId, options, before, options.restartGrace);
	service.advise(...afterInquiry(inquiry));
	return { ...answer, inquiry: inquiryOutput(inquiry, {}, { extra }) };
}
