import type { Inquiry } from './inquiries';

export interface Batch {
	readonly id: string;
	readonly organizationId: string;
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

	of(organizationId: string): Batch[] {
		return [...this.byId.values()].filter((batch) => batch.organizationId === organizationId);
	}

	clear(): void {
		this.byId.clear();
	}
}
