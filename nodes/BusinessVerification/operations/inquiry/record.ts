import type { Json } from '../../definition/service';
import { isEnd, isKnownStatus } from '../../document/statuses';

/** The document does not show under which key the rows of a batch carry the ID of the inquiry. */
export const idOf = ({ id, inquiryId }: Json): string | undefined =>
	[id, inquiryId].find((value): value is string => typeof value === 'string' && value !== '');

export const isFinal = ({ status }: Json) => isEnd(status);

export interface Shape {
	simple: boolean;
	outputFields?: string[];
}

/** What we add stands beside the service's own fields; `extra` says more of how this record came about. */
export function shaped(inquiry: Json, { simple, outputFields = [] }: Shape, extra: Json = {}): Json {
	const added = { isFinal: isFinal(inquiry), statusKnown: isKnownStatus(inquiry.status), ...extra };
	if (outputFields.length > 0) {
		const whole: Json = { ...inquiry, ...added };
		return Object.fromEntries(['id', ...outputFields].map((name) => [name, whole[name]]));
	}
	if (!simple) return { ...inquiry, ...added };
	const { id, status, externalId, scorecardScore, createdAt, completedAt, businesses } = inquiry;
	return {
		id,
		status,
		externalId,
		scorecardScore,
		createdAt,
		completedAt,
		businessCount: Array.isArray(businesses) ? businesses.length : null,
		...added,
	};
}
