import { judgeByResults } from '../../nodes/BusinessVerification/watch/results';
import { type Limits } from '../../nodes/BusinessVerification/watch/clock';
import { type PollOptions, type PollResult } from '../../nodes/BusinessVerification/watch/poll';
import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { recall, save } from '../../nodes/BusinessVerification/watch/packing';
import { type StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
import { Turns } from '../../nodes/BusinessVerification/watch/triggerMemory';
import type { Model } from './model';
import type { StatusSource } from '../../nodes/BusinessVerification/watch/source';

/** When n8n saves the node's memory: `legacy` with the events of a poll, `durable` after every poll. */
export type Engine = 'legacy' | 'durable';

export interface Fault {
	/** This request of the poll fails. */
	failAt?: number;
	/** n8n is killed after the poll and before it saved anything. */
	killed?: boolean;
	/** n8n is restarted after the poll. */
	restarted?: boolean;
	/** The poll may take this long only. */
	budgetMs?: number;
	/** From which request on the judge is out of time. */
	judgeStopsAt?: number;
	/** At this request n8n starts the next poll although this one still runs. */
	overlapAt?: number;
	/** The poll took so long that it lost its turn to the overlapping one. */
	expired?: boolean;
	/** n8n is killed between saving the memory and creating the execution: its events never arrive. */
	killedBetween?: boolean;
}

const turnMs = 600_000;

/** n8n around the tracking: when memory is kept, when it is lost, what reaches the workflow. */
export class Host {
	readonly delivered: StatusEvent[] = [];
	/** Unfinished runs, as `id:run`, that a poll saw whose memory was kept. */
	readonly exposed = new Set<string>();
	private readonly turns = new Turns();
	private inMemory: unknown;
	private saved: unknown;
	troubles = 0;
	private freshProcess = false;

	constructor(
		private readonly model: Model,
		private readonly engine: Engine,
		private readonly options: PollOptions,
		private readonly scoreAtLeast?: number,
	) {}

	get stateBytes(): number {
		return JSON.stringify(this.inMemory ?? null).length;
	}

	async poll(fault: Fault = {}): Promise<void> {
		const turn = this.turns.take('node', this.model.now, turnMs);
		if (!turn) return;
		const result = await this.look(fault);
		if (turn.isMine()) this.keep(result, fault);
		turn.end();
	}

	private async look({ failAt, budgetMs, judgeStopsAt, overlapAt, expired }: Fault) {
		const { model } = this;
		const shown: string[] = [];
		let requests = 0;
		const failing = async <T>(answer: () => Promise<T>): Promise<T> => {
			if (++requests === failAt) throw new Error('unavailable');
			if (requests === overlapAt) {
				if (expired) model.now += turnMs;
				await this.poll();
			}
			return answer();
		};
		const source: StatusSource = {
			page: (query) =>
				failing(async () => {
					const page = await model.page(query);
					if (query.status?.includes('RUNNING')) shown.push(...page.rows.map(({ id, run }) => `${id}:${String(run)}`));
					return page;
				}),
			read: (id) => failing(() => model.read(id)),
			remainingMs: () => model.remainingMs(),
			hostTime: () => model.hostTime(),
		};
		model.deadline = model.now + (budgetMs ?? 36_000);
		const minimum = this.scoreAtLeast;
		const judge: PollOptions['judge'] =
			minimum === undefined
				? undefined
				: (events, metered, mayGoOn) =>
						judgeByResults(
							events,
							{ scorecard_score_min: minimum },
							{
								source: metered,
								mayGoOn: () => mayGoOn() && (judgeStopsAt === undefined || requests < judgeStopsAt),
								limit: this.options.limits?.page,
							},
						);
		const before = JSON.stringify(this.inMemory);
		let result: PollResult | undefined;
		try {
			const { recheckMs, ...options } = this.options;
			result = await pollInquiries(source, recall(this.inMemory), {
				...options,
				judge,
				...(this.freshProcess && recheckMs !== undefined ? { recheckMs } : {}),
			});
		} catch {
			this.troubles++;
		}
		if (!overlapAt && JSON.stringify(this.inMemory) !== before)
			throw new Error('the saved memory was changed in place');
		return { result, shown };
	}

	private keep(
		{ result, shown }: Awaited<ReturnType<Host['look']>>,
		{ killed, restarted, killedBetween }: Fault,
	): void {
		if (result && !killed) {
			const first = this.inMemory === undefined;
			this.inMemory = JSON.parse(JSON.stringify(save(result.next)));
			if (this.engine === 'durable' || first || result.events.length > 0) this.saved = this.inMemory;
			if (!killedBetween) this.delivered.push(...result.events);
			if (result.trouble !== undefined) this.troubles++;
			if (this.saved === this.inMemory) for (const run of shown) this.exposed.add(run);
			this.freshProcess = false;
		}
		if (killed || restarted || killedBetween) {
			this.inMemory = this.saved;
			this.freshProcess = true;
		}
	}
}

/** Small bounds, so that a few dozen inquiries fill pages, crowds and sweeps. */
export const smallLimits: Partial<Limits> = { page: 5, sweepPages: 6, requests: 120 };
