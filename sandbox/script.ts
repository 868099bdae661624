import { randomUUID } from 'node:crypto';
import type { Inquiry } from './inquiries';
import type { Service } from './service';
import { isEnd, type EndStatus, type Status } from './statuses';
import type { Submitted } from './submission';

export interface SeedOptions {
	organizationId?: string;
	/** COMPLETED when not given. */
	status?: Status;
	/** Creation times are spread evenly from here … */
	createdFrom?: number;
	/** … to here; by default over the last 30 days. */
	createdTo?: number;
	/** externalId is this and a running number; null for none. */
	externalIdPrefix?: string | null;
	businessName?: string;
	tags?: string[];
	scorecardScore?: number | null;
	sourceValues?: Record<string, string>;
}

const DAY = 86_400_000;

/** What tests make happen: inquiries appear, end, run again and vanish as the script says. */
export class Script {
	constructor(private readonly service: Service) {}

	/** Many inquiries at once, without submissions; returns their ids, oldest first. */
	seed(count: number, options: SeedOptions = {}): string[] {
		const { organizations, inquiries, lifecycle } = this.service;
		const now = this.service.clock.now();
		const organization = organizations.byId(options.organizationId ?? organizations.default.id);
		if (!organization) throw new TypeError('There is no such organization');
		const { status = 'COMPLETED', createdTo = now, createdFrom = createdTo - 30 * DAY } = options;
		const { businessName = 'Seeded Business', externalIdPrefix = 'seed-' } = options;
		const ended = isEnd(status);
		const step = count > 1 ? (createdTo - createdFrom) / (count - 1) : 0;
		const seeded = Array.from({ length: count }, (_, index): Inquiry => {
			const createdAt = Math.floor(createdFrom + index * step);
			const externalId = externalIdPrefix === null ? null : `${externalIdPrefix}${index + 1}`;
			const submitted: Submitted = {
				businessName: `${businessName} ${index + 1}`,
				businessCity: 'Springfield',
				businessState: 'IL',
				tags: options.tags,
			};
			return {
				id: randomUUID(),
				organizationId: organization.id,
				batchId: null,
				createdAt,
				externalId,
				submittedBy: organization.user.email,
				submitted,
				status,
				startedAt: status === 'PLANNING' ? null : createdAt,
				completedAt: ended ? createdAt : null,
				listedAt: 0,
				dueAt: Infinity,
				runs: ended ? 1 : 0,
				scorecardScore: options.scorecardScore ?? null,
				sourceValues: options.sourceValues ?? {},
				licenses: [],
				principals: [],
				processes: null,
			};
		});
		inquiries.addMany(organization.id, seeded);
		for (const inquiry of ended ? [] : seeded) lifecycle.plan(inquiry, now);
		return seeded.map(({ id }) => id);
	}

	/** A batch with seeded inquiries; returns its id. */
	seedBatch(name: string, rows: number, options: SeedOptions = {}): string {
		const { inquiries, batches, clock, organizations } = this.service;
		const createdAt = options.createdTo ?? clock.now();
		const ids = this.seed(rows, { createdFrom: createdAt, createdTo: createdAt, ...options });
		const id = randomUUID();
		const organizationId = options.organizationId ?? organizations.default.id;
		const members = ids.map((inquiryId) => Object.assign(inquiries.get(inquiryId)!, { batchId: id }));
		batches.add({ id, organizationId, name, createdAt, inquiries: members, listedAt: 0 });
		return id;
	}

	get(id: string): Inquiry {
		this.service.lifecycle.catchUp();
		const inquiry = this.service.inquiries.get(id);
		if (!inquiry) throw new TypeError(`There is no inquiry ${id}`);
		return inquiry;
	}

	/** Every inquiry of this externalId, of any organization. */
	find(externalId: string): Inquiry[] {
		this.service.lifecycle.catchUp();
		return [...this.service.inquiries.all()].filter((inquiry) => inquiry.externalId === externalId);
	}

	/** Sets facts that only processing would bring about: scorecardScore, sourceValues … */
	set(id: string, facts: Partial<Pick<Inquiry, 'scorecardScore' | 'sourceValues'>>): void {
		Object.assign(this.get(id), facts);
	}

	move(id: string, status: Status): void {
		this.service.lifecycle.move(this.get(id), status, this.service.clock.now());
	}

	finish(id: string, status: EndStatus = 'COMPLETED'): void {
		this.move(id, status);
	}

	/** Everything of a batch that has not vanished ends now. */
	finishBatch(batchId: string, status: EndStatus = 'COMPLETED'): void {
		const batch = this.service.batches.get(batchId);
		if (!batch) throw new TypeError(`There is no batch ${batchId}`);
		for (const { id } of this.service.inquiries.present(batch.inquiries)) this.finish(id, status);
	}

	/** Gone from lists and look-ups. */
	vanish(id: string): void {
		const inquiry = this.get(id);
		this.service.inquiries.remove(inquiry);
		this.service.lifecycle.forget(inquiry);
	}

	/** How the inquiries of this externalId will end: one status for each run. */
	outcome(externalId: string, ...ends: EndStatus[]): void {
		this.service.lifecycle.outcomes.set(externalId, ends);
	}
}
