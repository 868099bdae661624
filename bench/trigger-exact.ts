import { conclude, type Goal, quantile, randomFrom, table } from './report';
import { type Design, designs } from './trigger/designs';
import { type Completion, World, type WorldOptions } from './trigger/world';

interface Scenario {
	world?: Partial<WorldOptions>;
	intervalMs?: number;
	polls?: number;
	/** Polls at the end in which nothing new happens. */
	calm?: number;
	/** Part of the requests that fail. */
	failures?: number;
	/** Part of the polls after which n8n restarts with the memory of the last emission. */
	restarts?: number;
	/** What else happens before some poll. */
	before?(world: World, poll: number): void;
}

const crowd = (count: number) => (world: World, poll: number) => {
	if (poll % 20 !== 5) return;
	for (let index = 0; index < count; index++) world.create(world.model.now, 30_000 + index * 40);
};

const scenarios: Record<string, Scenario> = {
	'steady, 1 minute': {},
	'steady, 5 minutes': { intervalMs: 300_000 },
	'1,200 with one creation time': { before: crowd(1_200) },
	'the same in changing order': {
		before: (world, poll) => poll === 5 && crowd(1_200)(world, poll),
		world: { shuffleTies: true, createdPerMinute: 30 },
	},
	'3 % of requests fail': { failures: 0.03 },
	'5 % restarts with rollback': { restarts: 0.05 },
	'old ones run again': { world: { oldRerunsPerMinute: 6 } },
	deletions: { world: { vanishPerMinute: 5 } },
	'exclusive bounds, visible after 20 s': { world: { boundsIncluded: false, latenessMs: 20_000 } },
	'Date header 90 s behind': { world: { skewMs: -90_000 } },
	'Date header 120 s ahead': { world: { skewMs: 120_000 } },
	'5,000 in a burst': { before: (world, poll) => poll === 5 && crowd(5_000)(world, poll) },
	'rows without completedAt': { world: { undatedRows: true } },
	'completedAt kept on a re-run': { world: { onRerun: 'keep' } },
};

/** A re-run that nobody saw running leaves no trace there. */
const isBlind = ({ world }: Scenario) => world?.undatedRows === true || world?.onRerun === 'keep';

interface Score {
	completions: number;
	emitted: number;
	lost: number;
	superseded: number;
	repeated: number;
	early: number;
	blinks: number;
	blinksFound: number;
	latencies: number[];
	blinkLatencies: number[];
	bytes: number;
	requests: number;
	polls: number;
}

/** Every completion exactly once, in circumstances that lose or repeat some with the designs people build. */
export async function run(): Promise<boolean> {
	const goals: Goal[] = [];
	const mine: Array<Array<string | number>> = [];
	const sums = new Map<string, Score>();
	for (const [title, scenario] of Object.entries(scenarios)) {
		for (const name of Object.keys(designs)) {
			const isMine = name === 'this trigger';
			if (isBlind(scenario) && !isMine) continue;
			const score = emptyScore();
			// The others lose so much that one seed shows it.
			for (const seed of isMine ? [1, 2, 3] : [1]) add(score, await play(name, scenario, seed));
			if (isMine) {
				mine.push([
					title,
					score.completions,
					score.lost,
					score.superseded,
					score.repeated,
					score.early,
					`${score.blinksFound}/${score.blinks}`,
					Math.round(quantile(score.latencies, 0.5) / 1_000),
					Math.round(quantile(score.latencies, 0.99) / 1_000),
					score.bytes,
				]);
				if (title === 'steady, 1 minute') {
					goals.push({
						name: 'p99 seconds from end to report at 1 minute, re-runs nobody saw running aside',
						value: quantile(score.latencies, 0.99) / 1_000,
						atMost: 62,
					});
				}
			}
			// What cannot be seen by asking is counted apart.
			if (!isBlind(scenario)) add(sums.get(name) ?? sums.set(name, emptyScore()).get(name)!, score);
			else if (isMine)
				goals.push(
					{ name: `repeated, ${title}`, value: score.repeated, atMost: 0 },
					{ name: `lost, ${title}`, value: score.lost, atMost: 0 },
				);
		}
	}
	table(
		'This trigger, 3 seeds each',
		[
			'circumstances',
			'ends',
			'lost',
			'superseded',
			'repeated',
			'early',
			'blinks found',
			'p50 s',
			'p99 s',
			'state bytes',
		],
		mine,
	);
	table(
		'All circumstances with dated rows (this trigger 3 seeds, the others 1)',
		[
			'design',
			'ends',
			'reported',
			'lost',
			'lost %',
			'superseded',
			'repeated',
			'early',
			'blinks found',
			'requests per poll',
			'state bytes',
		],
		[...sums].map(([name, score]) => [
			name,
			score.completions,
			score.emitted,
			score.lost,
			((100 * score.lost) / score.completions).toFixed(1),
			score.superseded,
			score.repeated,
			score.early,
			`${((100 * score.blinksFound) / Math.max(1, score.blinks)).toFixed(1)} %`,
			(score.requests / score.polls).toFixed(1),
			score.bytes,
		]),
	);
	goals.push(...(await oldReruns()));
	const all = sums.get('this trigger')!;
	goals.push(
		{ name: 'completions', value: all.completions, atLeast: 200_000 },
		{ name: 'lost', value: all.lost, atMost: 0 },
		{ name: 'repeated', value: all.repeated, atMost: 0 },
		{ name: 'from before activation', value: all.early, atMost: 0 },
		{ name: 'blinks found, share', value: all.blinksFound / all.blinks, atLeast: 0.99 },
		{ name: 'state bytes', value: all.bytes, atMost: 500_000 },
	);
	return conclude('trigger-exact', goals);
}

/** Old inquiries that run again between two polls: the sweep finds every one of them within a round. */
async function oldReruns(): Promise<Goal[]> {
	const goals: Goal[] = [];
	const unseen: Array<Array<string | number>> = [];
	for (const [history, perMinute, minutes, within] of [
		[10_000, 60, 1, 60],
		[100_000, 60, 1, 300],
		[100_000, 500, 1, 420],
		[20_000, 60, 60, 180],
	]) {
		const found = await play(
			'this trigger',
			{
				world: { history, createdPerMinute: perMinute, rerunShare: 0, oldRerunsPerMinute: 0.93, blinkShare: 1 },
				intervalMs: minutes * 60_000,
				polls: Math.ceil(120 / minutes),
				calm: Math.ceil((within + 30) / minutes),
			},
			1,
		);
		const load = `${history} rows, ${perMinute} ends a minute, polls ${minutes} min apart`;
		const latest = Math.round(quantile(found.blinkLatencies, 1) / 60_000);
		goals.push(
			{ name: `found, share, ${load}`, value: found.blinksFound / found.blinks, atLeast: 1 },
			{ name: `latest after minutes, ${load}`, value: latest, atMost: within },
			{
				name: `others lost or repeated, ${load}`,
				value: found.lost - found.blinks + found.blinksFound + found.repeated,
				atMost: 0,
			},
		);
		unseen.push([
			load,
			found.blinks,
			`${((100 * found.blinksFound) / found.blinks).toFixed(0)} %`,
			Math.round(quantile(found.blinkLatencies, 0.5) / 60_000),
			latest,
			Math.max(0, found.requests / found.polls).toFixed(1),
			found.bytes,
		]);
	}
	table(
		'Old inquiries that ran again between two polls',
		['load', 'such re-runs', 'found', 'after min, median', 'at most', 'requests per poll', 'state bytes'],
		unseen,
	);
	return goals;
}

async function play(name: string, scenario: Scenario, seed: number): Promise<Score> {
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
			latenessMs: scenario.world?.latenessMs ?? 0,
		});
	for (const key of reported.keys()) if (!world.completions.has(key)) score.early++;
	return score;
}

interface Outcome {
	activatedAt: number;
	lastPollAt: number;
	reported: Map<string, number>;
	standing: Map<string, number>;
	blind: boolean;
	latenessMs: number;
}

function judge(
	score: Score,
	key: string,
	{ at, blink }: Completion,
	{ activatedAt, lastPollAt, reported, standing, blind, latenessMs }: Outcome,
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
	if (replaced) score.superseded++;
	else if (!(blind && blink)) score.lost++;
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

function emptyScore(): Score {
	return {
		completions: 0,
		emitted: 0,
		lost: 0,
		superseded: 0,
		repeated: 0,
		early: 0,
		blinks: 0,
		blinksFound: 0,
		latencies: [],
		blinkLatencies: [],
		bytes: 0,
		requests: 0,
		polls: 0,
	};
}

function add(sum: Score, score: Score): void {
	const { latencies, blinkLatencies, bytes, ...counts } = score;
	for (const [key, count] of Object.entries(counts) as Array<[keyof typeof counts, number]>) sum[key] += count;
	sum.latencies = sum.latencies.concat(latencies);
	sum.blinkLatencies = sum.blinkLatencies.concat(blinkLatencies);
	sum.bytes = Math.max(sum.bytes, bytes);
}
