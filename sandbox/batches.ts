import { hasEnded, type Inquiry, type Status } from './inquiries';
import type { Service } from './service';
import { timestamp } from './timestamps';

export interface Batch {
	readonly id: string;
	readonly organisationId: string;
	readonly name: string;
	readonly createdAt: number;
	readonly inquiries: Inquiry[];
	/** From when on the batch list shows it. */
	listedAt: number;
}

/** All batches, in the order of their submission. */
export class Batches {
	private readonly byId = new Map<string, Batch>();

	add(batch: Batch): void {
		this.byId.set(batch.id, batch);
	}

	get(id: string): Batch | undefined {
		return this.byId.get(id);
	}

	of(organisationId: string): Batch[] {
		return [...this.byId.values()].filter((batch) => batch.organisationId === organisationId);
	}

	clear(): void {
		this.byId.clear();
	}
}

/** The inquiries of a batch that have not vanished. */
export const presentIn = (service: Service, batch: Batch) =>
	batch.inquiries.filter(({ id }) => service.inquiries.get(id) !== undefined);

/** "Batch status": counts of inquiries overall and per status. ENRICHING has no count of its own. */
export function batchStatus(service: Service, batch: Batch) {
	const { switches } = service;
	const present = presentIn(service, batch);
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
