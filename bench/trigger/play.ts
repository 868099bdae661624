import { randomFrom } from '../report';
import { type Design, designs } from './designs';
import { isBlind, oldReruns, scenarios } from './scenarios';
import { emptyScore, type Score } from './score';
import { type Completion, World } from './world';

/** One design in one world. */
export interface Play {
	title: string;
	design: string;
	seed: number;
}

export async function play({ title, design: name, seed }: Play): Promise<Score> {
	const scenario = scenarios[title] ?? oldReruns[title];
	const random = randomFrom(seed * 31 + 7);
	const world = new World({ seed, history: 2_000, createdPerMinute: 60, rerunShare: 0.05, ...scenario.world });
	const { model } = world;
	world.pass(900_000);
	const design = designs[name]();
	const flaky = scenario.failures ? unreliable(model, () => random() < scenario.failures!) : model;
	const interval = scenario.intervalMs ?? 60_000;
	const reported = new Map<string, number>();
	const score = emptyScore();
	let activatedAt = 0;
	let started = 0;
	let saved = '';
	const polls = scenario.polls ?? Math.round(5_400_000 / interval);
	// A calm time at the end lets the sweep come round twice.
	const calm = scenario.calm ?? 60;
	for (let poll = 0; poll < polls + calm; poll++) {
		if (poll === polls) world.calm();
		const next = model.now + interval;
		scenario.before?.(world, poll);
		const before = model.requests;
		world.pollStarts();
		started = model.now;
		const rows = await attempt(design, flaky);
		// n8n repeats the activation until it succeeds.
		if (rows && activatedAt === 0) activatedAt = started;
		if (rows && (activatedAt === started || rows.length > 0)) saved = scenario.restarts ? design.save() : '';
		for (const { id, run } of rows ?? []) {
			const key = `${id}:${String(run)}`;
			if (reported.has(key)) score.repeated++;
			reported.set(key, model.now);
		}
		if (scenario.restarts && random() < scenario.restarts) design.restore(saved);
		score.requests += model.requests - before;
		if (poll % 8 === 0) score.bytes = Math.max(score.bytes, design.save().length);
		world.passTo(next);
	}
	score.polls = polls + calm;
	const standing = new Map(model.inquiries.map(({ id, run }) => [id, run]));
	for (const [key, completion] of world.completions)
		judge(score, key, completion, {
			activatedAt,
			lastPollAt: started,
			reported,
			standing,
			blind: isBlind(scenario),
			keepsDate: scenario.world?.onRerun === 'keep',
			latenessMs: scenario.world?.latenessMs ?? 0,
		});
	for (const key of reported.keys()) if (!world.completions.has(key)) score.early++;
	return score;
}

/** How old a copy may be: within this time after a report, nothing but a new date shows another completion. */
const oldestCopyMs = 300_000;

interface Outcome {
	activatedAt: number;
	lastPollAt: number;
	reported: Map<string, number>;
	standing: Map<string, number>;
	blind: boolean;
	keepsDate: boolean;
	latenessMs: number;
}

function judge(
	score: Score,
	key: string,
	{ at, blink }: Completion,
	{ activatedAt, lastPollAt, reported, standing, blind, keepsDate, latenessMs }: Outcome,
): void {
	const [id, run] = key.split(':');
	const when = reported.get(key);
	// In the second of the activation nothing can be told apart.
	if (at < activatedAt + 1_000) {
		// What was not visible before activation is new to everybody.
		if (when !== undefined && at < activatedAt - latenessMs) score.early++;
		return;
	}
	// Nobody asked after that.
	if (at + latenessMs > lastPollAt) return;
	score.completions++;
	if (when !== undefined) {
		score.emitted++;
		(blink ? score.blinkLatencies : score.latencies).push(when - at);
	}
	const last = standing.get(id);
	const replaced = last !== undefined && last > Number(run);
	if (blink && !replaced && last !== undefined) {
		score.blinks++;
		if (when !== undefined) score.blinksFound++;
	}
	if (when !== undefined || last === undefined) return;
	// docs/limits.md#trigger-unseen-rerun
	const isSoon = keepsDate && at <= (reported.get(`${id}:${Number(run) - 1}`) ?? -Infinity) + oldestCopyMs;
	if (replaced) score.superseded++;
	else if (!(blind && blink) && !isSoon) score.lost++;
}

async function attempt(design: Design, source: Parameters<Design['poll']>[0]) {
	try {
		return await design.poll(source);
	} catch {
		return undefined;
	}
}

function unreliable(model: World['model'], fails: () => boolean): Parameters<Design['poll']>[0] {
	const answer = <T>(ask: () => Promise<T>): Promise<T> => (fails() ? Promise.reject(new Error('unavailable')) : ask());
	return {
		page: (query) => answer(() => model.page(query)),
		read: (id) => answer(() => model.read(id)),
		remainingMs: () => model.remainingMs(),
		hostTime: () => model.hostTime(),
	};
}
