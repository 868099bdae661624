import { hasEnded, type Inquiry } from './inquiries';
import { processesOf } from './inquiryProcesses';
import type { Service } from './service';
import { timestamp, timestampOrNull } from './timestamps';

const stages = { PLANNING: 'planning', RUNNING: 'acquisition', ENRICHING: 'enrichment' } as const;

export const progressOf = (inquiry: Inquiry) =>
	inquiry.status in stages
		? {
				stage: stages[inquiry.status as keyof typeof stages],
				current_step: Object.keys(stages).indexOf(inquiry.status) + 1,
				total_steps: 3,
			}
		: { stage: 'done', current_step: 3, total_steps: 3 };

/** Response of create and get. */
export function inquiryAnswer(service: Service, inquiry: Inquiry) {
	return {
		...rowBasis(service, inquiry),
		externalId: inquiry.externalId,
		...times(service, inquiry),
		progress: progressOf(inquiry),
		processStatuses: Object.fromEntries(
			processesOf(service, inquiry).map(({ taskId, processType, status, phase }) => [
				taskId,
				{ processType, status, phase },
			]),
		),
		links: { self: `/v1/inquiries/${inquiry.id}`, pdf: `/v1/inquiries/${inquiry.id}/pdf` },
		scorecardScore: inquiry.scorecardScore,
		...businesses(service, inquiry),
	};
}

/** Row of the inquiry list: whether it is the full record is an open point. */
export function inquiryRow(service: Service, inquiry: Inquiry) {
	const { listRows, listRowsCompletedAt, listRowsExternalId } = service.switches;
	return {
		...rowBasis(service, inquiry),
		...(listRowsExternalId && { externalId: inquiry.externalId }),
		...(listRowsCompletedAt && times(service, inquiry)),
		...(listRows === 'full' && {
			progress: progressOf(inquiry),
			scorecardScore: inquiry.scorecardScore,
			links: { self: `/v1/inquiries/${inquiry.id}` },
			...businesses(service, inquiry),
		}),
	};
}

function rowBasis({ switches }: Service, inquiry: Inquiry) {
	const { businessName, businessDba } = inquiry.submitted;
	return {
		id: inquiry.id,
		status: inquiry.status,
		submittedBy: inquiry.submittedBy,
		createdAt: timestamp(inquiry.createdAt, switches.timestampForm),
		...(switches.echoBusinessName && { businessName: businessName ?? null, businessDba: businessDba ?? null }),
	};
}

const times = ({ switches }: Service, inquiry: Inquiry) => ({
	startedAt: timestampOrNull(inquiry.startedAt, switches.timestampForm),
	completedAt: timestampOrNull(inquiry.completedAt, switches.timestampForm),
});

/** "filled only after processing completes and clustering finishes" */
function businesses({ switches, clock }: Service, inquiry: Inquiry) {
	const clustered =
		hasEnded(inquiry) && inquiry.endedAt !== null && inquiry.endedAt + switches.clusteringMs <= clock.now();
	if (!clustered) {
		if (switches.businessesBeforeClustering === 'absent') return {};
		return { businesses: switches.businessesBeforeClustering === 'empty' ? [] : null };
	}
	if (inquiry.status === 'FAILED') return { businesses: [] };
	const { businessName, businessDba, businessCity, businessState } = inquiry.submitted;
	return { businesses: [{ name: businessName ?? businessDba, city: businessCity, state: businessState }] };
}
