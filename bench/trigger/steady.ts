import { quantile } from '../report';
import { designs } from './designs';
import { World } from './world';

export interface Load {
	createdPerMinute: number;
	lifeMs: number;
	polls: number;
	history?: number;
	intervalMs?: number;
}

export interface Flow {
	/** Requests per poll. */
	median: number;
	mean: number;
	most: number;
	bytes: number;
	/** The longest poll, and the longest time from an end to its report, in seconds. */
	slowest: number;
	latency: number;
}

/** What this trigger takes where as many inquiries end as are created, 100 ms a request; the activation is the first poll. */
export async function steady({
	createdPerMinute,
	lifeMs,
	polls,
	history = 100_000,
	intervalMs = 60_000,
}: Load): Promise<Flow> {
	const world = new World({ seed: 3, history, createdPerMinute, lifeMs, slowShare: 0, latencyMs: 100 });
	const { model } = world;
	const inFlight = Math.round((createdPerMinute * lifeMs) / 60_000);
	for (let count = 0; count < inFlight; count++) {
		world.create(model.now - Math.floor(((inFlight - count) * lifeMs) / inFlight), (count * lifeMs) / inFlight + 1);
	}
	const design = designs['this trigger']();
	const requests: number[] = [];
	let slowest = 0;
	let latency = 0;
	let bytes = 0;
	for (let poll = 0; poll < polls; poll++) {
		const next = model.now + intervalMs;
		const before = model.requests;
		const started = model.now;
		world.pollStarts();
		const rows = await design.poll(model);
		for (const { completedAt } of rows) latency = Math.max(latency, model.now - Date.parse(completedAt ?? ''));
		requests.push(model.requests - before);
		slowest = Math.max(slowest, (model.now - started) / 1_000);
		bytes = Math.max(bytes, design.save().length);
		world.passTo(next);
	}
	return {
		median: quantile(requests, 0.5),
		mean: requests.reduce((sum, count) => sum + count, 0) / polls,
		most: Math.max(...requests),
		bytes,
		slowest: Math.round(slowest * 10) / 10,
		latency: Math.round(latency / 1_000),
	};
}
