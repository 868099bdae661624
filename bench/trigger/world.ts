import { isEnd } from '../../nodes/BusinessVerification/document/inquiries';
import { type Inquiry, Model, type ModelOptions } from '../../test/watch/model';
import { randomFrom } from '../report';

export interface WorldOptions extends ModelOptions {
	seed: number;
	history?: number;
	/** History lies this many days back at most. */
	historyDays?: number;
	createdPerMinute?: number;
	/** Mean time from creation to end. */
	lifeMs?: number;
	slowShare?: number;
	/** Part of the finished ones that run again, after 40 s in the median. */
	rerunShare?: number;
	/** Re-runs of anything in the history, per minute. */
	oldRerunsPerMinute?: number;
	/** Part of the re-runs that end within two seconds. */
	blinkShare?: number;
	vanishPerMinute?: number;
	/** A request takes this long instead of 20 to 80 ms. */
	latencyMs?: number;
}

export interface Completion {
	at: number;
	/** Ran again and ended between two polls. */
	blink: boolean;
	score: number;
}

interface Planned {
	at: number;
	act(): void;
}

const ends = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

/** A service that lives while it is asked: time passes with every request, and what falls due happens in between. */
export class World {
	readonly model: Model;
	readonly completions = new Map<string, Completion>();
	readonly started: number;
	private readonly random: () => number;
	private readonly planned: Planned[] = [];
	private reruns = new Map<string, number>();
	private polls: number[] = [];
	private alive = true;

	constructor(private readonly options: WorldOptions) {
		this.random = randomFrom(options.seed * 7_919 + 13);
		const model = new Model({
			...options,
			beforeAnswer: () => this.pass(options.latencyMs ?? 20 + this.random() * 60),
		});
		this.model = model;
		const { history = 0, historyDays = 30 } = options;
		model.addHistory(history, model.now - historyDays * 86_400_000, model.now - 600_000);
		this.started = model.now;
		if (options.createdPerMinute) this.every(60_000 / options.createdPerMinute, () => this.create());
		if (options.oldRerunsPerMinute) this.every(60_000 / options.oldRerunsPerMinute, () => this.rerun(this.any()));
		if (options.vanishPerMinute) this.every(60_000 / options.vanishPerMinute, () => model.vanish(this.any()));
	}

	pollStarts(): void {
		this.polls.push(this.model.now);
		this.model.deadline = this.model.now + 36_000;
	}

	pass(ms: number): void {
		const until = this.model.now + ms;
		while (this.planned.length > 0 && this.planned[this.planned.length - 1].at <= until) {
			const { at, act } = this.planned.pop()!;
			this.model.now = Math.max(this.model.now, at);
			act();
		}
		this.model.now = Math.max(this.model.now, until);
	}

	passTo(time: number): void {
		if (time > this.model.now) this.pass(time - this.model.now);
	}

	/** Nothing new is created and nothing runs again; what runs comes to its end. */
	calm(): void {
		this.alive = false;
	}

	create(at = this.model.now, lifeMs?: number): void {
		const inquiry = this.model.create(at);
		const { lifeMs: mean = 120_000, slowShare = 0.01 } = this.options;
		const life = lifeMs ?? -Math.log(1 - this.random()) * mean * (this.random() < slowShare ? 20 : 1);
		this.plan(life * 0.2, () => this.model.has(inquiry) && this.model.move(inquiry, 'RUNNING'));
		this.plan(life, () => this.end(inquiry));
	}

	rerun(inquiry: Inquiry): void {
		if (!this.alive || !isEnd(inquiry.status) || !this.model.has(inquiry)) return;
		this.model.move(inquiry, 'RUNNING');
		this.reruns.set(inquiry.id, this.model.now);
		const blinks = this.random() < (this.options.blinkShare ?? 0.2);
		this.plan(blinks ? 2_000 : -Math.log(1 - this.random()) * 58_000, () => this.end(inquiry));
	}

	private end(inquiry: Inquiry): void {
		if (!this.model.has(inquiry) || isEnd(inquiry.status)) return;
		this.model.move(inquiry, ends[Math.floor(this.random() * ends.length)]);
		const began = this.reruns.get(inquiry.id);
		const blink = began !== undefined && (this.polls[this.polls.length - 1] ?? 0) < began;
		this.completions.set(`${inquiry.id}:${inquiry.run}`, { at: this.model.now, blink, score: inquiry.score });
		if (this.random() < (this.options.rerunShare ?? 0))
			this.plan(-Math.log(1 - this.random()) * 58_000, () => this.rerun(inquiry));
	}

	private any(): Inquiry {
		return this.model.at(Math.floor(this.random() * this.model.size));
	}

	private every(ms: number, act: () => void): void {
		this.plan(ms, () => {
			if (!this.alive) return;
			act();
			this.every(ms, act);
		});
	}

	private plan(inMs: number, act: () => void): void {
		const at = this.model.now + inMs;
		let low = 0;
		let high = this.planned.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.planned[middle].at > at) low = middle + 1;
			else high = middle;
		}
		this.planned.splice(low, 0, { at, act });
	}
}
