import type { Json } from '../kit/service';
import { inView, type Outputs, type View } from '../fields/outputs';
import { depthOf } from '../kit/objects';
import { inquiryAnswerFields, isEnd, isKnownStatus } from '../document/inquiries';

/** The document does not show under which key the rows of a batch carry the ID of the inquiry. */
export const inquiryIdOf = ({ id, inquiryId }: Json): string | undefined =>
	[id, inquiryId].find((value): value is string => typeof value === 'string' && value !== '');

export const isFinal = ({ status }: Json) => isEnd(status);

/** What we add beside the service's own fields; that a status is not one of the document's is said where it is so. */
export const withFinality = (inquiry: Json): Json => ({
	isFinal: isFinal(inquiry),
	...(!isKnownStatus(inquiry.status) && { statusKnown: false }),
});

/** What is known of an inquiry besides the record: how it came about, and the name it was submitted with. */
export interface Besides {
	extra?: Json;
	submittedName?: unknown;
}

const added = ['alsoSentAs', 'businessName', 'isFinal', 'problem', 'restartSeen', 'reused', 'statusKnown', 'timedOut'];

const view = ({ extra, submittedName }: Besides): View => ({
	id: 'id',
	known: [...inquiryAnswerFields, ...added],
	raw: (inquiry) => ({ ...inquiry, ...withFinality(inquiry), ...extra }),
	simplified: (inquiry) => ({
		businessName: inquiry.businessName ?? inquiry.businessDba ?? submittedName,
		status: inquiry.status,
		scorecardScore: inquiry.scorecardScore,
		externalId: inquiry.externalId,
		id: inquiry.id,
		createdAt: inquiry.createdAt,
		completedAt: inquiry.completedAt,
		businessesSummary: summaryOf(inquiry.businesses),
		links: inquiry.links,
		...withFinality(inquiry),
		...extra,
	}),
});

export const inquiryOutput = (inquiry: Json, outputs: Outputs, besides: Besides = {}): Json =>
	inView([inquiry], outputs, view(besides))[0];

export const inquiryOutputs = (inquiries: readonly Json[], outputs: Outputs, besides: Besides = {}): Json[] =>
	inView(inquiries, outputs, view(besides));

/** Of businesses the document shows no field, so they are told by number, size and depth. */
function summaryOf(businesses: unknown): string | null {
	if (!Array.isArray(businesses)) return null;
	if (businesses.length === 0) return 'no businesses';
	const number = businesses.length === 1 ? '1 business' : `${businesses.length} businesses`;
	const deepest = Math.max(...businesses.map(depthOf));
	const kilobytes = (JSON.stringify(businesses).length / 1000).toFixed(1);
	return `${number}, ${kilobytes} kB, ${deepest} ${deepest === 1 ? 'level' : 'levels'} deep`;
}
