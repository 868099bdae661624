import type { Batch } from './batches';
import { inquirySources } from './billing';
import { hasEnded, type Inquiry } from './inquiries';
import { progressOf } from './inquiryAnswers';
import type { Service } from './service';
import type { Status } from './statuses';
import { timestamp } from './timestamps';

/** "Batch status": counts of inquiries overall and per status. ENRICHING has no count of its own. */
export function batchAnswer(service: Service, batch: Batch) {
	const { switches } = service;
	const present = service.inquiries.present(batch.inquiries);
	const count = (status: Status) => present.filter((inquiry) => inquiry.status === status).length;
	const enriching = switches.enrichingCountedAs === 'running' ? count('ENRICHING') : 0;
	const done = present.filter(hasEnded).length;
	const fraction = batch.inquiries.length === 0 ? 1 : done / batch.inquiries.length;
	return {
		batchId: batch.id,
		batchName: batch.name,
		operationType: 'CREATE',
		status: done === batch.inquiries.length ? 'DONE' : 'IN_PROGRESS',
		total: batch.inquiries.length,
		planning: count('PLANNING'),
		running: count('RUNNING') + enriching,
		completed: count('COMPLETED'),
		partialSuccess: count('PARTIAL_SUCCESS'),
		failed: count('FAILED'),
		progressPercentage: switches.progressScale === 'percent' ? fraction * 100 : fraction,
		createdAt: timestamp(batch.createdAt, switches.timestampForm),
		phaseProgress: null,
		sourceRecordTotals: null,
		timingSummary: null,
	};
}

/** "Each batch-inquiry item includes the inquiry status, its progress and its source record count." */
export function batchInquiryRow(service: Service, inquiry: Inquiry) {
	const { batchRowsId, batchRowsExternalId, timestampForm } = service.switches;
	const { billable } = service.organisations.byId(inquiry.organisationId)!;
	return {
		...(batchRowsId !== 'none' && { [batchRowsId]: inquiry.id }),
		...(batchRowsExternalId && { externalId: inquiry.externalId }),
		status: inquiry.status,
		progress: progressOf(inquiry),
		sourceRecordCount: hasEnded(inquiry) ? inquirySources(inquiry.submitted, billable).length : 0,
		createdAt: timestamp(inquiry.createdAt, timestampForm),
	};
}
