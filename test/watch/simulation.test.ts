import fc from '../harness/seed';
import { isEnd as isFinal } from '../../nodes/BusinessVerification/document/inquiries';
import type { PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { type Engine, type Fault, Host, smallLimits } from './host';
import { type Inquiry, Model, type ModelOptions } from './model';

/** One thing that happens at the service. `pick` chooses among the inquiries it can happen to. */
interface Change {
	what: 'create' | 'createTogether' | 'advance' | 'finish' | 'rerun' | 'blink' | 'vanish';
	pick: number;
}

interface Step {
	gapMs: number;
	between: Change[];
	/** One of them before each request of the poll. */
	during: Change[];
	fault: Fault;
}

interface World {
	service: ModelOptions;
	engine: Engine;
	history: Change[];
	steps: Step[];
}

const ends = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

function happen(model: Model, { what, pick }: Change): void {
	const choose = (from: readonly Inquiry[]): Inquiry | undefined => from[pick % Math.max(1, from.length)];
	const open = model.inquiries.filter(({ status }) => !isFinal(status));
	const done = model.inquiries.filter(({ status }) => isFinal(status));
	if (what === 'create') model.create();
	if (what === 'createTogether') for (let count = 0; count < 2 + (pick % 11); count++) model.create();
	const inquiry = choose(what === 'vanish' ? model.inquiries : what === 'rerun' || what === 'blink' ? done : open);
	if (!inquiry) return;
	if (what === 'advance') model.move(inquiry, inquiry.status === 'PLANNING' ? 'RUNNING' : 'ENRICHING');
	if (what === 'finish') model.move(inquiry, ends[pick % 3]);
	if (what === 'rerun') model.move(inquiry, 'RUNNING');
	if (what === 'vanish') model.vanish(inquiry);
	if (what === 'blink') {
		model.move(inquiry, 'RUNNING');
		model.now += 1_005;
		model.move(inquiry, ends[pick % 3]);
	}
}

const change = fc.record<Change>({
	what: fc.constantFrom(
		'create',
		'create',
		'createTogether',
		'advance',
		'finish',
		'finish',
		'finish',
		'rerun',
		'blink',
		'vanish',
	),
	pick: fc.nat(1000),
});
const fault = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Fault>({}) },
	{ weight: 2, arbitrary: fc.record<Fault>({ failAt: fc.integer({ min: 1, max: 12 }) }) },
	{ weight: 1, arbitrary: fc.constant<Fault>({ killed: true }) },
	{ weight: 1, arbitrary: fc.constant<Fault>({ restarted: true }) },
	{ weight: 1, arbitrary: fc.record<Fault>({ budgetMs: fc.integer({ min: 50, max: 1000 }) }) },
	{ weight: 1, arbitrary: fc.record<Fault>({ judgeStopsAt: fc.integer({ min: 1, max: 8 }) }) },
	{ weight: 1, arbitrary: fc.record<Fault>({ overlapAt: fc.integer({ min: 1, max: 6 }), expired: fc.boolean() }) },
);
const step = fc.record<Step>({
	gapMs: fc.constantFrom(1_000, 60_000, 60_000, 300_000),
	between: fc.array(change, { maxLength: 6 }),
	during: fc.array(change, { maxLength: 5 }),
	fault,
});
const worldOf = (service: fc.Arbitrary<ModelOptions>) =>
	fc.record<World>({
		service,
		engine: fc.constantFrom('legacy', 'durable'),
		history: fc.array(change, { maxLength: 15 }),
		steps: fc.array(step, { minLength: 2, maxLength: 6 }),
	});
const latenessMs = fc.constantFrom(0, 0, 1_500, 30_000);
const circumstances = {
	skewMs: fc.constantFrom(0, 0, -90_000, 120_000),
	latenessMs,
	boundsIncluded: fc.boolean(),
	wholeSeconds: fc.constantFrom(false, false, true),
	shuffleTies: fc.constantFrom(false, false, false, true),
};

/** Runs the world to its end and lets everything settle. */
async function live(world: World, options: Partial<PollOptions> = {}, scoreAtLeast?: number, patience = 4) {
	let during: Change[] = [];
	let tick = 0;
	const model: Model = new Model({
		...world.service,
		beforeAnswer: () => {
			model.now += 20 + ((tick += 17) % 60);
			const next = during.shift();
			if (next) happen(model, next);
		},
	});
	const limits = { ...smallLimits, ...options.limits };
	const host = new Host(
		model,
		world.engine,
		{ organisation: 'o', account: 'a', filters: 'all', ...options, limits },
		scoreAtLeast,
	);
	for (const past of world.history) {
		happen(model, past);
		model.now += 90_000;
	}
	model.now += 3_600_000;
	const activatedAt = model.now;
	const before = new Map(model.inquiries.filter(({ status }) => isFinal(status)).map(({ id, run }) => [id, run]));
	await host.poll();
	for (const { gapMs, between, during: meanwhile, fault: trouble } of world.steps) {
		for (const next of between) {
			model.now += gapMs / (between.length + 1);
			happen(model, next);
		}
		model.now += gapMs / (between.length + 1);
		during = [...meanwhile];
		await host.poll(trouble);
		during = [];
	}
	const rounds = patience + 2 * Math.ceil(model.inquiries.length / 30);
	for (let round = 0; round < rounds; round++) {
		model.now += 60_000;
		await host.poll();
	}
	return { model, host, activatedAt, before };
}

type Life = Awaited<ReturnType<typeof live>>;
const runOf = ({ row }: Life['host']['delivered'][number]) => `${row.id}:${String(row.run)}`;

function expectNothingRepeated({ host, before }: Life): void {
	const ended = host.delivered.filter(({ kind }) => kind === 'ended').map(runOf);
	expect(ended).toHaveLength(new Set(ended).size);
	expect(ended.filter((run) => [...before].some(([id, past]) => run === `${id}:${past}`))).toEqual([]);
	const created = host.delivered.filter(({ kind }) => kind === 'created').map(({ row }) => row.id);
	expect(created).toHaveLength(new Set(created).size);
	const keys = host.delivered.filter(({ kind }) => kind !== 'changed').map(({ key }) => key);
	expect(keys).toHaveLength(new Set(keys).size);
}

/** Ends that stand and were not reported, of those the filter lets through. */
function lost({ model, host, before }: Life, guaranteed: (inquiry: Inquiry) => boolean): string[] {
	const reported = new Set(host.delivered.filter(({ kind }) => kind === 'ended').map(runOf));
	return model.inquiries
		.filter((inquiry) => isFinal(inquiry.status) && before.get(inquiry.id) !== inquiry.run && guaranteed(inquiry))
		.map(({ id, run }) => `${id}:${run}`)
		.filter((run) => !reported.has(run));
}

/** An unseen re-run that ends in the same second, with the same outcome, looks like the end that was reported already. */
const looksTheSame = ({ host }: Life, { id, status, completedAt }: Inquiry, { wholeSeconds = false }: ModelOptions) =>
	wholeSeconds &&
	host.delivered.some(
		({ kind, row }) =>
			kind === 'ended' &&
			row.id === id &&
			row.status === status &&
			Math.floor(Date.parse(String(row.completedAt)) / 1000) === Math.floor((completedAt ?? 0) / 1000),
	);

/** With a clock that runs ahead, what nobody saw running in the first moments looks as if it had ended before. */
const afterActivation = (life: Life, service: ModelOptions) => (inquiry: Inquiry) =>
	inquiry.run === 1 ||
	life.host.exposed.has(`${inquiry.id}:${inquiry.run}`) ||
	((inquiry.completedAt ?? 0) > life.activatedAt + Math.max(0, service.skewMs ?? 0) + 1_000 &&
		!looksTheSame(life, inquiry, service));

/** Every change starts where the one before it ended. */
function expectChains({ host }: Life): void {
	const status = new Map<string, string>();
	for (const { kind, row, previousStatus } of host.delivered) {
		const before = status.get(row.id);
		if (kind !== 'created' && before !== undefined && previousStatus !== null) expect(previousStatus).toBe(before);
		status.set(row.id, row.status);
	}
}

const share = Number(process.env.SIMULATION_RUNS ?? 200) / 10;
const runs = (tenths: number) => ({ numRuns: Math.ceil(share * tenths) });

test('dated rows: nothing lost or repeated, re-runs nobody saw running included', async () => {
	await fc.assert(
		fc.asyncProperty(worldOf(fc.record(circumstances)), async (world) => {
			const life = await live(world);
			expectNothingRepeated(life);
			expectChains(life);
			expect(lost(life, afterActivation(life, world.service))).toEqual([]);
			const created = new Set(life.host.delivered.filter(({ kind }) => kind === 'created').map(({ row }) => row.id));
			const silent = life.model.inquiries.filter(
				({ id, createdAt }) => createdAt > life.activatedAt + 1_000 && !created.has(id),
			);
			expect(silent).toEqual([]);
		}),
		runs(4),
	);
}, 300_000);

test('rows without dates, and a service that keeps the date on a re-run: nothing lost or repeated that was seen running', async () => {
	const service = fc.record<ModelOptions>({
		...circumstances,
		undatedRows: fc.boolean(),
		onRerun: fc.constantFrom('renew', 'keep'),
	});
	await fc.assert(
		fc.asyncProperty(worldOf(service), async (world) => {
			const life = await live(world);
			expectNothingRepeated(life);
			expect(lost(life, ({ id, run }) => run === 1 || life.host.exposed.has(`${id}:${run}`))).toEqual([]);
		}),
		runs(2),
	);
}, 300_000);

/** In every second poll the judge runs out of time. */
const judgedWorld = fc
	.tuple(worldOf(fc.record(circumstances)), fc.integer({ min: 3, max: 8 }))
	.map(([world, judgeStopsAt]) => ({
		...world,
		steps: world.steps.map((one, index) => (index % 2 ? one : { ...one, fault: { ...one.fault, judgeStopsAt } })),
	}));

test('result-dependent filters: judged after completion; inquiries that do not pass are not reported, no other is lost', async () => {
	await fc.assert(
		fc.asyncProperty(judgedWorld, fc.constantFrom('COMPLETED', 'FAILED'), async (world, end) => {
			const wanted: PollOptions['wanted'] = ({ kind, row }) => kind === 'ended' && row.status === end;
			const life = await live(world, { wanted }, 50);
			expectNothingRepeated(life);
			const { delivered } = life.host;
			expect(delivered.filter(({ row }) => row.status !== end || Number(row.scorecardScore) < 50)).toEqual([]);
			const standing = afterActivation(life, world.service);
			expect(lost(life, (inquiry) => standing(inquiry) && inquiry.status === end && inquiry.score >= 50)).toEqual([]);
		}),
		runs(2),
	);
}, 300_000);

test('hardly any room to remember: first completions are neither lost nor repeated', async () => {
	// Ends of one creation second must fit: a level rises over whole seconds only.
	const limits = fc.record({ running: fc.integer({ min: 2, max: 12 }), ended: fc.integer({ min: 4, max: 8 }) });
	await fc.assert(
		fc.asyncProperty(worldOf(fc.record(circumstances)), limits, async (world, tight) => {
			const life = await live(world, { limits: { ...smallLimits, ...tight } }, undefined, 12);
			expectNothingRepeated(life);
			const stuck = life.model.openCount >= tight.running;
			// What is in flight at the activation must fit; what comes later waits until there is room.
			if (!stuck) expect(lost(life, ({ run, createdAt }) => run === 1 && createdAt > life.activatedAt)).toEqual([]);
		}),
		runs(1),
	);
}, 300_000);

test('a kill between saving and starting loses at most that poll; the re-check brings it back under the same keys', async () => {
	const killed = fc.record<Fault>({ killedBetween: fc.constant(true) });
	const step = fc.record<Step>({
		gapMs: fc.constant(60_000),
		between: fc.array(change, { maxLength: 6 }),
		during: fc.array(change, { maxLength: 5 }),
		fault: fc.oneof({ weight: 3, arbitrary: fc.constant<Fault>({}) }, { weight: 1, arbitrary: killed }),
	});
	const world = fc.record<World>({
		service: fc.constant({}),
		engine: fc.constantFrom('legacy', 'durable'),
		history: fc.array(change, { maxLength: 10 }),
		steps: fc.array(step, { minLength: 2, maxLength: 8 }),
	});
	await fc.assert(
		fc.asyncProperty(world, async (unlucky) => {
			const life = await live(unlucky, { recheckMs: 3_600_000 });
			expect(lost(life, afterActivation(life, {}))).toEqual([]);
			const ends = life.host.delivered.filter(({ kind }) => kind === 'ended');
			expect(new Set(ends.map(({ key }) => key)).size).toBe(new Set(ends.map(runOf)).size);
		}),
		runs(1),
	);
}, 300_000);
