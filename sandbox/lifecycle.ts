import type { Clock } from './clock';
import { hasEnded, type Inquiry } from './inquiries';
import { settle } from './process';
import { isEnd, type EndStatus, type Status } from './statuses';
import type { Switches } from './switches';
import { fateOf } from './variety';

/** Moves inquiries through "States and transitions", by the clock or by a test. */
export class Lifecycle {
	/** End statuses by externalId, one for each run; after the last one runs end COMPLETED. */
	readonly outcomes = new Map<string, EndStatus[]>();
	private readonly scheduled = new Set<Inquiry>();
	private earliest = Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly switches: Switches,
	) {}

	/** Makes every move that is due. Called before anything is read, so no timer is needed. */
	catchUp(): void {
		const now = this.clock.now();
		if (now < this.earliest) return;
		this.earliest = Infinity;
		for (const inquiry of this.scheduled) {
			while (inquiry.dueAt <= now) this.moveOn(inquiry, inquiry.dueAt);
			if (inquiry.dueAt === Infinity) this.scheduled.delete(inquiry);
			else this.earliest = Math.min(this.earliest, inquiry.dueAt);
		}
	}

	/** Plans the next move of an inquiry that has just reached its status. */
	plan(inquiry: Inquiry, since: number): void {
		const { lifecycle, planningMs, runningMs, enrichingMs, ends } = this.switches;
		const durations: Partial<Record<Status, number>> = {
			PLANNING: planningMs,
			RUNNING: runningMs,
			ENRICHING: enrichingMs,
		};
		const duration = lifecycle === 'clock' ? durations[inquiry.status] : undefined;
		const pace = ends === 'varied' ? fateOf(inquiry).pace : 1;
		this.scheduleAt(inquiry, duration === undefined ? Infinity : since + duration * pace);
	}

	/** A finished inquiry runs again, "COMPLETED → RUNNING"; perhaps visibly only a little later. */
	rerun(inquiry: Inquiry): void {
		const { rerunDelayMs } = this.switches;
		const now = this.clock.now();
		if (rerunDelayMs > 0) this.scheduleAt(inquiry, now + rerunDelayMs);
		else this.move(inquiry, 'RUNNING', now);
	}

	move(inquiry: Inquiry, status: Status, at: number): void {
		const endedBefore = hasEnded(inquiry);
		inquiry.status = status;
		if (isEnd(status)) this.end(inquiry, status, at);
		else if (endedBefore) this.reopen(inquiry, at);
		else if (status !== 'PLANNING') inquiry.startedAt ??= at;
		this.plan(inquiry, at);
	}

	forget(inquiry: Inquiry): void {
		this.scheduled.delete(inquiry);
	}

	reset(): void {
		this.scheduled.clear();
		this.outcomes.clear();
		this.earliest = Infinity;
	}

	private moveOn(inquiry: Inquiry, at: number): void {
		const next: Partial<Record<Status, Status>> = { PLANNING: 'RUNNING', RUNNING: 'ENRICHING' };
		const status = inquiry.status === 'ENRICHING' ? this.outcomeOf(inquiry) : next[inquiry.status];
		this.move(inquiry, status ?? 'RUNNING', at);
	}

	private end(inquiry: Inquiry, status: EndStatus, at: number): void {
		inquiry.startedAt ??= at;
		inquiry.completedAt = at;
		inquiry.runs += 1;
		inquiry.scorecardScore ??=
			status === 'FAILED' ? null : this.switches.ends === 'varied' ? fateOf(inquiry).score : 80;
		settle(inquiry.processes ?? [], status, at);
	}

	private reopen(inquiry: Inquiry, at: number): void {
		inquiry.completedAt = null;
		inquiry.startedAt = at;
	}

	/** "Conditions deciding which of the three end statuses is reached: not shown": tests decide. */
	private outcomeOf(inquiry: Inquiry): EndStatus {
		const planned = inquiry.externalId === null ? undefined : this.outcomes.get(inquiry.externalId);
		if (planned) return planned[inquiry.runs] ?? 'COMPLETED';
		if (inquiry.runs > 0) return 'COMPLETED';
		return this.switches.ends === 'varied' ? fateOf(inquiry).status : 'COMPLETED';
	}

	private scheduleAt(inquiry: Inquiry, at: number): void {
		inquiry.dueAt = at;
		if (at === Infinity) return;
		this.scheduled.add(inquiry);
		this.earliest = Math.min(this.earliest, at);
	}
}
