import type { Batch } from './batches';
import { inquirySources } from './sources';
import { hasEnded, type Inquiry } from './inquiries';
import { bothIds, echoedNames, progressOf } from './inquiryAnswers';
import type { Service } from './service';
import { batchNameAs, externalIdAs } from './spelling';
import { inSnakeCase } from './submission';
import type { Status } from './statuses';
import { timestamp } from './timestamps';

/** "Batch status": counts of inquiries overall and per status. ENRICHING has no count of its own. */
export function batchAnswer(service: Service, batch: Batch) {
	const { switches } = service;
	const present = service.inquiries.present(batch.inquiries);
	const count = (status: Status) => present.filter((inquiry) => inquiry.status === status).length;
	const done = present.filter(hasEnded).length;
	const fraction = batch.inquiries.length === 0 ? 1 : done / batch.inquiries.length;
	return {
		batchId: batch.id,
		batchName: batchNameAs(switches, batch),
		operationType: 'CREATE',
		status: done === batch.inquiries.length ? 'DONE' : 'IN_PROGRESS',
		total: batch.inquiries.length,
		planning: count('PLANNING'),
		running: count('RUNNING'),
		completed: count('COMPLETED'),
		partialSuccess: count('PARTIAL_SUCCESS'),
		failed: count('FAILED'),
		progressPercentage: { percent: fraction * 100, fraction, always100: 100, null: null }[switches.progressScale],
		createdAt: timestamp(batch.createdAt, switches.timestampForm),
		phaseProgress: null,
		sourceRecordTotals: null,
		timingSummary: null,
	};
}

const counts = ['total', 'planning', 'running', 'completed', 'partialSuccess', 'failed', 'progressPercentage'];

/** Row of the batch list, whose fields are printed nowhere: the batch status, with what the switches say. */
export function batchRow(service: Service, batch: Batch) {
	const { batchIdKey, batchNameKey, batchListCounts } = service.switches;
	const { batchId, batchName, ...status } = batchAnswer(service, batch);
	const rest = Object.entries(status).filter(([name]) => batchListCounts || !counts.includes(name));
	return {
		[batchIdKey]: batchId,
		...(batchNameKey !== 'none' && { [batchNameKey]: batchName }),
		...Object.fromEntries(rest),
	};
}

/** "Each batch-inquiry item includes the inquiry status, its progress and its source record count." */
export function batchInquiryRow(service: Service, inquiry: Inquiry) {
	const { batchRowsId, batchRowsExternalId, batchRowsShape, timestampForm } = service.switches;
	const printed = {
		status: inquiry.status,
		progress: progressOf(inquiry),
		sourceRecordCount: hasEnded(inquiry) ? inquirySources(inquiry.submitted).length : 0,
	};
	if (batchRowsShape === 'onlyPrinted') return printed;
	const row = {
		...(batchRowsId === 'both' ? bothIds(inquiry.id) : batchRowsId !== 'none' && { [batchRowsId]: inquiry.id }),
		...(batchRowsExternalId && { externalId: externalIdAs(service.switches, inquiry) }),
		...echoedNames(service.switches, inquiry),
		...printed,
		createdAt: timestamp(inquiry.createdAt, timestampForm),
	};
	if (batchRowsShape === 'snakeCase') return inSnakeCase<unknown>(row);
	return batchRowsShape === 'nested' ? { inquiry: row } : row;
}
