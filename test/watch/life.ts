import { judgeByResults } from '../../nodes/BusinessVerification/watch/results';
import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { recall, save, type State as Saved } from '../../nodes/BusinessVerification/watch/memory';
import { endOf, hasFewRequests, judged } from './judge';
import { isOfFirstFilter, type Life, type Plan } from './plan';
import { passing, Service, show, type Shown, type World } from './service';

const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

export function randomFrom(seed: number): () => number {
	let state = (seed * 2_654_435_761 + 12_345) >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Lets a trigger watch a world from its activation until all has settled, and compares what it told with what was. */
export async function live(world: World, plan: Plan): Promise<Life> {
	const { hours = 2, intervalMs = 60_000, budgetMs = 60_000, perMinute = 5 } = plan;
	const service = new Service(world, randomFrom(plan.seed));
	const { calm } = populate(service, plan);
	const life: Life = {
		service,
		world,
		plan,
		events: [],
		toldAt: new Map(),
		begunAt: 0,
		activatedAt: 0,
		changedFrom: 0,
		changedAt: 0,
		keptFrom: 0,
		shownBefore: new Map(),
		pause: [0, 0],
		outages: [],
		settlingMs: 0,
		slowestMs: 0,
		mostRequests: 0,
		largestState: 0,
		failures: 0,
		...{ ends: 0, lost: [], repeated: [], early: [], late: [], keys: [], limits: {} },
	};
	let inMemory: Saved | undefined;
	let saved: Saved | undefined;
	let savedShown: Shown = new Map();
	let savedPassed: Shown = new Map();
	let lastBegun = service.now;
	const polls = Math.ceil((hours * 3_600_000) / intervalMs);
	const page = Math.min(plan.page ?? 500, world.pageCap ?? Infinity, world.deployed?.world.pageCap ?? Infinity);
	const created = (hours * 60 + (plan.offMs ?? 0) / 60_000) * perMinute;
	const pages = Math.ceil((service.inquiries.length + created) / page);
	// A few requests a poll are a page of the round in every other one, and an end that waits is met in two rounds.
	const rounds = hasFewRequests(world, plan) ? 5 : 2;
	const settling = (world.failShare ? 2 : 1) * Math.max(8, Math.ceil(1_800_000 / intervalMs) + pages * rounds);
	const middle = Math.floor(polls / 2);
	life.settlingMs = settling * intervalMs;
	const last = polls + settling + Math.ceil((plan.heldMs ?? 0) / intervalMs);
	for (let poll = 0; poll < last; poll++) {
		if (poll === polls) calm();
		if (poll === Math.floor(polls / 4)) vanish(service, plan);
		service.isEmpty = poll >= polls / 4 && poll < polls / 4 + (plan.emptyPolls ?? 0);
		const isFiltered = plan.filterChanges === true && poll <= middle;
		service.lists = isFiltered ? isOfFirstFilter : () => true;
		const next = service.now + intervalMs;
		const begun = service.now;
		service.polledAt = begun;
		service.deadline = service.now + budgetMs;
		const { requests, shown, passed } = service;
		service.shown = new Map();
		service.passed = new Map();
		try {
			const options = { organisation: 'o', account: 'a', filters: isFiltered ? 'one' : 'f', ...plan.options };
			const result = await pollInquiries(service, recall(inMemory), {
				...options,
				...(plan.isJudged ? { judge: byScore } : {}),
				limits: { ...(plan.page ? { page: plan.page } : {}), ...options.limits },
			});
			if (isFiltered) life.changedFrom = begun;
			else life.changedAt ||= service.now;
			life.begunAt ||= begun;
			life.beganEmpty ??= service.isEmpty;
			life.activatedAt ||= service.now;
			if (begun - lastBegun > 2 * Math.max(intervalMs, 3_600_000)) life.outages.push([lastBegun, begun]);
			lastBegun = begun;
			life.notice ??= result.notice;
			inMemory = save(result.next);
			for (const [state, showing] of service.shown) show(shown, state, showing);
			for (const [state, showing] of service.passed) show(passed, state, showing);
			if (plan.saves !== 'onReport' || saved === undefined || result.events.length > 0) {
				saved = inMemory;
				if (isFiltered) life.keptFrom = begun;
				savedShown = new Map(shown);
				savedPassed = new Map(passed);
			}
			life.events.push(...result.events);
			for (const { kind, row } of result.events)
				if (kind === 'ended' && !life.toldAt.has(endOf(row))) life.toldAt.set(endOf(row), begun);
			life.largestState = Math.max(life.largestState, inMemory.text.length);
		} catch {
			life.failures++;
		}
		service.shown = shown;
		service.passed = passed;
		life.slowestMs = Math.max(life.slowestMs, service.now - begun);
		life.mostRequests = Math.max(life.mostRequests, service.requests - requests);
		if (poll === middle) {
			inMemory = saved;
			service.shown = savedShown;
			service.passed = savedPassed;
			life.shownBefore = new Map(savedShown);
		}
		if (poll === middle) life.pause = [next, next + (plan.offMs ?? 0)];
		service.passTo(poll === middle ? life.pause[1] : next);
	}
	return Object.assign(life, judged(life));
}

const byScore: PollOptions['judge'] = (events, source, mayGoOn) =>
	judgeByResults(events, { scorecard_score_min: passing }, { source, mayGoOn, limit: 500 });

/** A history, and then a stream of new ones and of re-runs until it is calmed. */
function populate(service: Service, plan: Plan) {
	const { history = 300, perMinute = 5, lifeMs = 240_000, restMs = 1_500_000, tagged = 0 } = plan;
	const { random } = service;
	const drawn = (mean: number) => -Math.log(1 - random()) * mean;
	const stamp = service.now;
	let isOver = false;
	for (let index = 0; index < history && !plan.isNew; index++) {
		service.now = stamp - 86_400_000 * 3 + (index * 86_400_000 * 2.9) / history;
		const inquiry = service.create();
		service.now += 60_000;
		service.end(inquiry, service.pick(statuses));
		if (index < tagged) inquiry.visibleAt = stamp + 3_600_000;
	}
	service.passTo(stamp);
	const start = () => {
		if (isOver) return;
		const inquiry = service.create();
		service.plan(drawn(lifeMs * 0.3), () => Service.open(inquiry) && service.run(inquiry));
		const endsIn = 1_000 + Math.min(drawn(lifeMs), 3 * lifeMs);
		if (plan.heldMs !== undefined) service.plan(endsIn, () => service.run(inquiry, 'ON_HOLD'));
		service.plan(endsIn + (plan.heldMs ?? 0), () => service.end(inquiry, service.pick(statuses)));
		service.plan(drawn(60_000 / perMinute), start);
	};
	const rerun = () => {
		if (isOver || !plan.rerunsPerMinute) return;
		const inquiry = service.pick(service.inquiries);
		if (!Service.open(inquiry) && service.now - Service.last(inquiry).at > restMs) {
			service.run(inquiry);
			service.plan(plan.rerunMs?.() ?? drawn(40_000), () => service.end(inquiry, service.pick(statuses)));
		}
		service.plan(drawn(60_000 / plan.rerunsPerMinute), rerun);
	};
	if (plan.isNew) {
		service.plan(60_000, start);
		service.plan(600_000, rerun);
	} else {
		start();
		rerun();
		service.passTo(service.now + 1_800_000);
	}
	return { calm: () => (isOver = true) };
}

function vanish(service: Service, { vanish: what }: Plan): void {
	if (!what) return;
	const recent = service.inquiries.slice(-2 * what.count);
	for (const inquiry of recent.filter((_, index) => index % 2 === 0)) {
		inquiry.gone.push([service.now, service.now + what.forMs]);
	}
}

export const summary = ({ lost, repeated, early, late, keys }: Life) => ({ lost, repeated, early, late, keys });
