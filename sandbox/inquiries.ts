import type { Process } from './process';
import { isEnd, type Status } from './statuses';
import type { License, Principal, Submitted } from './submission';

export const hasEnded = (inquiry: Inquiry) => isEnd(inquiry.status);

export interface AddedPrincipal {
	readonly id: string;
	readonly given: Principal;
	readonly createdAt: number;
}

export interface Inquiry {
	readonly id: string;
	readonly organizationId: string;
	readonly batchId: string | null;
	readonly createdAt: number;
	readonly externalId: string | null;
	readonly submittedBy: string;
	readonly submitted: Submitted;
	status: Status;
	startedAt: number | null;
	completedAt: number | null;
	/** From when on lists show it. */
	listedAt: number;
	/** When the clock moves it next; Infinity when only a test does. */
	dueAt: number;
	/** How often it has ended. */
	runs: number;
	scorecardScore: number | null;
	/** What source_filters look at: SOURCE to VALUE. */
	sourceValues: Record<string, string>;
	licenses: License[];
	/** Those added later. */
	principals: AddedPrincipal[];
	/** Made when first asked for. */
	processes: Process[] | null;
}

/** All inquiries, found by id, and per organization in the order of their creation. */
export class Inquiries {
	private readonly byId = new Map<string, Inquiry>();
	private readonly byCreation = new Map<string, Inquiry[]>();

	/** From when on lists show everything. */
	lastListedAt = 0;

	get(id: string): Inquiry | undefined {
		return this.byId.get(id);
	}

	all(): IterableIterator<Inquiry> {
		return this.byId.values();
	}

	/** Those of a list that have not vanished. */
	present(list: readonly Inquiry[]): Inquiry[] {
		return list.filter(({ id }) => this.byId.has(id));
	}

	/** Oldest first. */
	of(organizationId: string): readonly Inquiry[] {
		return this.byCreation.get(organizationId) ?? [];
	}

	add(inquiry: Inquiry): void {
		this.byId.set(inquiry.id, inquiry);
		this.lastListedAt = Math.max(this.lastListedAt, inquiry.listedAt);
		const ordered = this.orderedOf(inquiry.organizationId);
		ordered.splice(firstAfter(ordered, inquiry.createdAt), 0, inquiry);
	}

	addMany(organizationId: string, inquiries: Inquiry[]): void {
		for (const inquiry of inquiries) this.byId.set(inquiry.id, inquiry);
		const ordered = this.orderedOf(organizationId);
		for (const inquiry of inquiries) ordered.push(inquiry);
		ordered.sort((a, b) => a.createdAt - b.createdAt);
	}

	remove(inquiry: Inquiry): void {
		this.byId.delete(inquiry.id);
		const ordered = this.orderedOf(inquiry.organizationId);
		ordered.splice(ordered.indexOf(inquiry), 1);
	}

	clear(): void {
		this.byId.clear();
		this.lastListedAt = 0;
		this.byCreation.clear();
	}

	private orderedOf(organizationId: string): Inquiry[] {
		const ordered = this.byCreation.get(organizationId) ?? [];
		this.byCreation.set(organizationId, ordered);
		return ordered;
	}
}

/** The index of the first inquiry created after this time, in a list ordered by creation. */
export function firstAfter(ordered: readonly Inquiry[], time: number): number {
	let low = 0;
	let high = ordered.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (ordered[middle].createdAt <= time) low = middle + 1;
		else high = middle;
	}
	return low;
}
