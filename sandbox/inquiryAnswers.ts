import { hasEnded, type Inquiry } from './inquiries';
import { processesOf } from './inquiryProcesses';
import type { Service } from './service';
import { externalIdAs } from './spelling';
import type { Switches } from './switches';
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
		externalId: externalIdAs(service.switches, inquiry),
		...times(service, inquiry),
		progress: progressOf(inquiry),
		processStatuses: processStatuses(service, inquiry),
		links: { self: `/v1/inquiries/${inquiry.id}`, pdf: `/v1/inquiries/${inquiry.id}/pdf` },
		scorecardScore: inquiry.scorecardScore,
		...businesses(service, inquiry),
	};
}

function processStatuses(service: Service, inquiry: Inquiry) {
	const processes = processesOf(service, inquiry);
	switch (service.switches.processStatusesForm) {
		case 'byTask':
			return Object.fromEntries(
				processes.map(({ taskId, processType, status, phase }) => [taskId, { processType, status, phase }]),
			);
		case 'list':
			return processes.map(({ taskId, processType, status, phase }) => ({ taskId, processType, status, phase }));
		case 'byType':
			return Object.fromEntries(processes.map(({ processType, status }) => [processType, status]));
		case 'counts': {
			const counts: Record<string, number> = {};
			for (const { status } of processes) counts[status] = (counts[status] ?? 0) + 1;
			return counts;
		}
	}
}

/** Row of the inquiry list: whether it is the full record is an open point. */
export function inquiryRow(service: Service, inquiry: Inquiry) {
	const { listRows, listRowsCompletedAt, listRowsExternalId } = service.switches;
	const { id, ...basis } = rowBasis(service, inquiry);
	return {
		...idEntry(service.switches, id),
		...basis,
		...(listRowsExternalId && { externalId: externalIdAs(service.switches, inquiry) }),
		...(listRowsCompletedAt && times(service, inquiry)),
		...(listRows === 'full' && {
			progress: progressOf(inquiry),
			scorecardScore: inquiry.scorecardScore,
			links: { self: `/v1/inquiries/${inquiry.id}` },
			...businesses(service, inquiry),
		}),
	};
}

/** A row of a list may be a record of its own. */
export const bothIds = (id: string) => ({ id: `row-${id.slice(0, 8)}`, inquiryId: id });

function idEntry({ listRowsId }: Switches, id: string) {
	if (listRowsId === 'none') return {};
	if (listRowsId === 'both') return bothIds(id);
	return listRowsId === 'nested' ? { inquiry: { id } } : { [listRowsId]: id };
}

/** Under the names of the create request, in every answer that has an inquiry. */
export function echoedNames({ echoBusinessName }: Switches, { submitted: { businessName, businessDba } }: Inquiry) {
	return echoBusinessName ? { businessName: businessName ?? null, businessDba: businessDba ?? null } : {};
}

function rowBasis({ switches }: Service, inquiry: Inquiry) {
	return {
		id: inquiry.id,
		status: inquiry.status,
		submittedBy: inquiry.submittedBy,
		createdAt: timestamp(inquiry.createdAt, switches.timestampForm),
		...echoedNames(switches, inquiry),
	};
}

function times(service: Service, inquiry: Inquiry) {
	const { timestampForm, completedAtDelayMs } = service.switches;
	const { startedAt, completedAt } = inquiry;
	const isFilled =
		completedAtDelayMs === 0 || (completedAt !== null && completedAt + completedAtDelayMs <= service.clock.now());
	return {
		startedAt: timestampOrNull(startedAt, timestampForm),
		completedAt: timestampOrNull(isFilled ? completedAt : null, timestampForm),
	};
}

/** "filled only after processing completes and clustering finishes" */
function businesses({ switches, clock }: Service, inquiry: Inquiry) {
	const { completedAt } = inquiry;
	const clustered = hasEnded(inquiry) && completedAt !== null && completedAt + switches.clusteringMs <= clock.now();
	if (!clustered) {
		if (switches.businessesBeforeClustering === 'absent') return {};
		return { businesses: switches.businessesBeforeClustering === 'empty' ? [] : null };
	}
	if (inquiry.status === 'FAILED') return { businesses: [] };
	const { businessName, businessDba, businessCity, businessState } = inquiry.submitted;
	return { businesses: [{ name: businessName ?? businessDba, city: businessCity, state: businessState }] };
}
