import { conclude, type Goal, table } from './report';
import { designs } from './trigger/designs';
import { type Flow, steady } from './trigger/steady';
import { World } from './trigger/world';

/** Very many inquiries at once: created together and finished within a minute, or 30,000 in flight. */
export async function run(): Promise<boolean> {
	const goals: Goal[] = [];
	const rows: Array<Array<string | number>> = [];
	const totals = new Map<string, number>();
	for (const name of ['this trigger', 'active diff, a GET each', 'newest 500, de-duplicated']) {
		const { requests, reported, repeated, bytes, slowest } = await burst(name);
		const total = requests.reduce((sum, count) => sum + count, 0);
		totals.set(name, total);
		rows.push([name, total, Math.max(...requests), 10_000 - reported, repeated, bytes, slowest]);
		if (name !== 'this trigger') continue;
		goals.push(
			{ name: 'requests for 10,000 ends, baseline of 14 polls included', value: total, atMost: 377 },
			// Twenty pages show the ends, twenty more the newest; what memory could forget is read besides.
			{ name: 'requests in one poll', value: Math.max(...requests), atMost: 45 },
			{ name: 'lost', value: 10_000 - reported, atMost: 0 },
			{ name: 'repeated', value: repeated, atMost: 0 },
		);
	}
	goals.push({
		name: 'fewer requests than an active diff, times',
		value: (totals.get('active diff, a GET each') ?? 0) / (totals.get('this trigger') ?? 1),
		atLeast: 20,
	});
	table(
		'10,000 created together, all ending within one minute, history 100,000, 14 polls',
		['design', 'requests', 'most in a poll', 'lost', 'repeated', 'state bytes', 'slowest poll s'],
		rows,
	);

	const flight = await steady({ createdPerMinute: 1_500, lifeMs: 1_200_000, polls: 12 });
	const steadyRows = [['30,000 in flight, 1,500 ending per minute', ...cells(flight)]];
	goals.push(
		{ name: 'requests per poll, 30,000 in flight', value: flight.most, atMost: 112 },
		{ name: 'state bytes, 30,000 in flight', value: flight.bytes, atMost: 650_000 },
		{ name: 'slowest poll at 100 ms a request, seconds', value: flight.slowest, atMost: 36 },
	);
	const flow = await steady({ createdPerMinute: 500, lifeMs: 120_000, polls: 90 });
	steadyRows.push(['1,000 in flight, 500 ending per minute', ...cells(flow)]);
	goals.push(
		{ name: 'requests per poll in the median, 500 ending per minute', value: flow.median, atMost: 25 },
		{ name: 'requests in one poll, 500 ending per minute', value: flow.most, atMost: 32 },
		{ name: 'seconds from end to report at most, 500 ending per minute', value: flow.latency, atMost: 75 },
	);
	table(
		'Steady flow, history 100,000, a poll per minute',
		['load', 'requests median', 'most', 'state bytes', 'slowest poll s', 'latest report s'],
		steadyRows,
	);
	return conclude('trigger-burst', goals);
}

const cells = ({ median, most, bytes, slowest, latency }: Flow) => [median, most, bytes, slowest, latency];

async function burst(name: string) {
	const world = new World({ seed: 2, history: 100_000 });
	const { model } = world;
	const design = designs[name]();
	const requests: number[] = [];
	const seen = new Set<string>();
	let repeated = 0;
	let slowest = 0;
	for (let poll = 0; poll < 14; poll++) {
		const next = model.now + 60_000;
		const before = model.requests;
		const started = model.now;
		world.pollStarts();
		for (const { id } of await design.poll(model)) {
			if (seen.has(id)) repeated++;
			seen.add(id);
		}
		requests.push(model.requests - before);
		slowest = Math.max(slowest, Math.round((model.now - started) / 1_000));
		if (poll === 0)
			for (let count = 0; count < 10_000; count++) world.create(model.now + Math.floor(count / 10), 90_000 + count * 6);
		world.passTo(next);
	}
	return { requests, reported: seen.size, repeated, bytes: design.save().length, slowest };
}
