import { at, Failure, type Json, type Service, type Watch } from '../../definition';
import { defaultSort, inquiry as inquiryAnswer, routes } from '../../document';
import { type InquiryWaitingOptions, waitingTimes } from '../../fields/waitingOptions';
import { idOf, isFinal } from './inquiryRecord';

export interface Ended {
	inquiry: Json;
	/** What we know of how it ended, for the output. */
	extra: Json;
}

export const readInquiry = (id: string) =>
	({ ...at(routes.inquiry, { inquiry_id: id }), kind: 'read', answer: inquiryAnswer }) as const;

/**
 * Waits until an inquiry has ended. `known` is what was read of it just before. With a grace (in seconds), after an
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
			idOf,
			createdAtOf: (row) => (typeof row.createdAt === 'string' ? row.createdAt : undefined),
		},
		// A row that does not tell is worth a read.
		mayBeDone: (row) => typeof row.status !== 'string' || isFinal(row),
		note,
		isDone,
		createdAt: typeof known.createdAt === 'string' ? known.createdAt : undefined,
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
