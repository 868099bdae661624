import { type Inquiry, Model, type ModelOptions } from '../../test/watch/model';
import { randomFrom } from '../../test/watch/random';

export interface WorldOptions extends ModelOptions {
	seed: number;
	history?: number;
	createdPerMinute?: number;
	/** Mean time from creation to end. */
	lifeMs?: number;
}

interface Planned {
	at: number;
	act(): void;
}

const ends = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

/** A service that lives while it is asked: time passes with every request, and what falls due happens in between. */
export class World {
	readonly model: Model;
	private readonly random: () => number;
	private readonly planned: Planned[] = [];

	constructor(private readonly options: WorldOptions) {
		this.random = randomFrom(options.seed);
		const model = new Model({
			...options,
			beforeAnswer: () => this.pass(20 + this.random() * 60),
		});
		this.model = model;
		model.addHistory(options.history ?? 0, model.now - 30 * 86_400_000, model.now - 600_000);
		if (options.createdPerMinute) this.every(60_000 / options.createdPerMinute, () => this.create());
	}

	pollStarts(): void {
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

	create(at = this.model.now, lifeMs?: number): void {
		const inquiry = this.model.create(at);
		const life = lifeMs ?? -Math.log(1 - this.random()) * (this.options.lifeMs ?? 120_000);
		this.plan(life * 0.2, () => this.model.move(inquiry, 'RUNNING'));
		this.plan(life, () => this.end(inquiry));
	}

	private end(inquiry: Inquiry): void {
		this.model.move(inquiry, ends[Math.floor(this.random() * ends.length)]);
	}

	private every(ms: number, act: () => void): void {
		this.plan(ms, () => {
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
