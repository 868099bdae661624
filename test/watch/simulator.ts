import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiryPoll';
import { recall, save, type SavedMemory as Saved } from '../../nodes/BusinessVerification/watch/memory';
import { incidentMs, type Inquiry, isFinal, oldestCopyMs, Service, type State, type World } from './service';

/** Lets a trigger watch a service from its activation until all has settled, and compares its reports with what happened. */

const minute = 60_000;
const hour = 60 * minute;

export interface Plan {
	seed: number;
	hours?: number;
	intervalMs?: number;
	budgetMs?: number;
	/** Finished inquiries before the activation. */
	history?: number;
	perMinute?: number;
	/** How long an inquiry runs, on average. */
	lifeMs?: number;
	/** Inquiries that one transaction creates, and the time between two such transactions. */
	batch?: number;
	batchEveryMs?: number;
	/** A part of the inquiries is in a status that the API documentation does not list, for hours. */
	heldShare?: number;
	/** A part is deleted soon after it was created. */
	deletedShare?: number;
	/** A part of the failed ones is retried soon. */
	retriedShare?: number;
	/** Old ones that run again, and for how long. */
	rerunsPerMinute?: number;
	rerunMs?: () => number;
	/** n8n saves a poll's memory with its events only, as its usual scheduler does. */
	saves?: 'always' | 'onReport';
	/** A part of the polls after which n8n is restarted. */
	restartShare?: number;
	/** No polls for so long, in the middle. */
	offMs?: number;
}

interface Poll {
	from: number;
	to: number;
	/** Whether it read everything that it should. */
	isWhole: boolean;
}

export interface Outcome {
	/** Completions that had to be reported. */
	completions: number;
	lost: string[];
	repeated: string[];
	/** Reported although they are from before the activation, or under the key of another one. */
	early: string[];
	late: string[];
	/** Not reported, as the page of limits says: ran again before it could be found. */
	superseded: number;
	requests: number;
	polls: number;
	slowestMs: number;
}

interface Life {
	service: Service;
	world: World;
	plan: Plan;
	activatedAt: number;
	/** Polls whose memory was kept. */
	polls: Poll[];
	/** By completion, the polls that reported it. */
	reports: Map<string, number[]>;
	/** The first kept poll that was shown a state. */
	shown: Map<State, number>;
	keys: Map<string, string>;
	outcome: Outcome;
}

const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

export async function simulate(world: World, plan: Plan): Promise<Outcome> {
	const { hours = 2, intervalMs = minute, budgetMs = 60_000, offMs = 0, restartShare = 0 } = plan;
	const service = new Service(world, plan.seed);
	const outcome: Outcome = {
		...{ completions: 0, lost: [], repeated: [], early: [], late: [], superseded: 0 },
		...{ requests: 0, polls: 0, slowestMs: 0 },
	};
	const life: Life = {
		...{ service, world, plan, outcome, activatedAt: 0 },
		...{ polls: [], reports: new Map(), shown: new Map(), keys: new Map() },
	};
	const calm = populate(service, plan);
	const count = Math.ceil((hours * hour) / intervalMs);
	const rounds = settlingPolls(life);
	let inMemory: Saved | undefined;
	let saved: { state?: Saved; polls: number } = { polls: 0 };
	for (let number = 0; number < count + rounds; number++) {
		if (number === count) calm();
		const next = service.now + intervalMs + (number === Math.floor(count / 2) ? offMs : 0);
		const result = await pollOnce(life, inMemory, number >= count);
		outcome.slowestMs = Math.max(outcome.slowestMs, service.now - life.polls.at(-1)!.from);
		if (result) inMemory = result.state;
		if (result && (plan.saves !== 'onReport' || saved.state === undefined || result.hasReport))
			saved = { state: inMemory, polls: life.polls.length };
		if (number < count && (service.chance() < restartShare || number === Math.floor(count / 2))) {
			inMemory = saved.state;
			// What they had been shown was forgotten.
			life.polls.length = saved.polls;
			for (const [state, poll] of life.shown) if (poll >= saved.polls) life.shown.delete(state);
		}
		service.passTo(Math.max(service.now, next));
	}
	if (outcome.slowestMs > budgetMs) outcome.late.push(`a poll of ${outcome.slowestMs} ms`);
	judge(life);
	return outcome;
}

async function pollOnce(life: Life, memory: Saved | undefined, isCalm: boolean) {
	const { service, plan, outcome, polls } = life;
	const { budgetMs = 60_000 } = plan;
	const from = service.now;
	service.deadline = from + budgetMs;
	service.shown = new Set();
	service.isCalm = isCalm;
	const { requests } = service;
	const poll: Poll = { from, to: from, isWhole: false };
	polls.push(poll);
	outcome.polls++;
	try {
		const { events, next, failure } = await pollInquiries(service, recall(memory), {
			organization: 'o',
			account: 'a',
			filters: 'f',
		});
		const state = save(next);
		for (const { kind, row, key } of events) {
			if (kind !== 'ended') continue;
			const completion = nameOf(row.id, (row.json as { ends: number }).ends);
			life.reports.set(completion, [...(life.reports.get(completion) ?? []), service.now]);
			if ((life.keys.get(key) ?? completion) !== completion) outcome.early.push(`${completion} has another one's key`);
			life.keys.set(key, completion);
		}
		for (const shown of service.shown) if (!life.shown.has(shown)) life.shown.set(shown, polls.length - 1);
		life.activatedAt ||= from;
		poll.isWhole = failure === undefined && next.incompletePolls === 0;
		return { state, hasReport: events.length > 0 };
	} catch {
		return undefined;
	} finally {
		poll.to = service.now;
		outcome.requests += service.requests - requests;
	}
}

const nameOf = (id: string, ends: number) => `${id.slice(-6)}:${ends}`;

/** A history, and then a stream of new ones and of re-runs until the service is calmed. */
function populate(service: Service, plan: Plan): () => void {
	const {
		history = 300,
		perMinute = 5,
		lifeMs = 4 * minute,
		batch = 0,
		batchEveryMs = hour,
		rerunsPerMinute = 0,
	} = plan;
	const { random } = service;
	const drawn = (mean: number) => -Math.log(1 - random()) * mean;
	const start = service.now;
	let isOver = false;
	for (let index = 0; index < history; index++) {
		service.now = start - 3 * 24 * hour + (index * 2.9 * 24 * hour) / history;
		const inquiry = service.create(service.now, service.now);
		service.now += minute;
		service.end(inquiry, service.pick(statuses));
	}
	service.passTo(start);
	const finish = (inquiry: Inquiry) => {
		if (!Service.isRunning(inquiry)) return;
		const status = service.pick(statuses);
		service.end(inquiry, status);
		if (status === 'FAILED' && random() < (plan.retriedShare ?? 0))
			service.plan(3_000 + drawn(minute), () => rerun(inquiry, 3_000 + drawn(minute)));
	};
	const rerun = (inquiry: Inquiry, forMs: number) => {
		if (isOver || Service.isRunning(inquiry)) return;
		service.run(inquiry);
		service.plan(forMs, () => finish(inquiry));
	};
	const follow = (inquiry: Inquiry) => {
		const endsIn = 2_000 + Math.min(drawn(lifeMs), 3 * lifeMs);
		const heldMs = random() < (plan.heldShare ?? 0) ? hour + drawn(2 * hour) : 0;
		service.plan(endsIn * 0.3, () => Service.isRunning(inquiry) && service.run(inquiry));
		if (heldMs > 0) service.plan(endsIn, () => Service.isRunning(inquiry) && service.run(inquiry, 'ON_HOLD'));
		service.plan(endsIn + heldMs, () => finish(inquiry));
		if (random() < (plan.deletedShare ?? 0)) service.vanish(inquiry, service.now + drawn(2 * lifeMs));
	};
	const arrive = () => {
		if (isOver) return;
		follow(service.create());
		service.plan(drawn(minute / perMinute), arrive);
	};
	const arriveTogether = () => {
		if (isOver) return;
		const { now } = service;
		const visibleAt = now + 1 + random() * 5_000;
		for (let left = batch; left > 0; left--) follow(service.create(now, visibleAt));
		service.plan(drawn(batchEveryMs), arriveTogether);
	};
	const runAgain = () => {
		if (isOver) return;
		const inquiry = service.pick(service.inquiries);
		if (inquiry.gone.length === 0) rerun(inquiry, 3_000 + (plan.rerunMs?.() ?? drawn(2 * minute)));
		service.plan(drawn(minute / rerunsPerMinute), runAgain);
	};
	arrive();
	if (batch > 0) service.plan(drawn(batchEveryMs), arriveTogether);
	if (rerunsPerMinute > 0) runAgain();
	service.passTo(service.now + 30 * minute);
	return () => (isOver = true);
}

/**
 * In so many polls the sweep has seen every inquiry once. What is created together and fills more than a page is read up
 * to eight times, and half of a poll's time is for other reads.
 */
function roundPolls({ plan, world, service }: Life): number {
	const { intervalMs = minute, hours = 2, perMinute = 5, offMs = 0, batch = 0, batchEveryMs = hour } = plan;
	const { budgetMs = minute } = plan;
	const size = Math.min(500, world.pageCap ?? Infinity);
	const rows = service.inquiries.length + (perMinute + (batch * minute) / batchEveryMs) * (60 * hours + offMs / minute);
	const pages = rows / size + 2;
	const requests = pages * (batch > size ? 8 : 1);
	const requestsOfPoll = budgetMs / (world.answerMs ?? 200) / 2;
	const perPoll = Math.min(40, Math.max(1, intervalMs / minute));
	return Math.ceil(Math.max(pages / perPoll, requests / requestsOfPoll)) + 2;
}

const settlingPolls = (life: Life) =>
	2 * roundPolls(life) + 12 + Math.ceil((10 * minute) / (life.plan.intervalMs ?? minute));

/** Every completion that could be seen was reported once and in time. */
function judge(life: Life): void {
	const { service, outcome, reports, activatedAt } = life;
	const round = roundPolls(life);
	for (const inquiry of service.inquiries) {
		const { states, id, visibleAt, gone } = inquiry;
		for (const [place, state] of states.entries()) {
			if (!isFinal(state.status) || states[place - 1]?.ends === state.ends) continue;
			const name = nameOf(id, state.ends);
			const times = reports.get(name) ?? [];
			if (times.length > 1) outcome.repeated.push(name);
			const stale = staleMs(life, state.at);
			if (times.length > 0 && state.at < activatedAt - stale) outcome.early.push(name);
			if (state.at <= activatedAt + borderMs(life)) continue;
			const until = Math.min(
				states.slice(place).find(({ status }) => !isFinal(status))?.at ?? Infinity,
				...gone.map(([from]) => from),
			);
			const from = Math.max(state.at, visibleAt) + stale;
			const isFollowed = isFollowedBefore(life, inquiry, state, until);
			const seeing = life.polls.filter((poll) => poll.isWhole && poll.from >= from && poll.to <= until);
			// Of an unfollowed run, the sweep has until the end of its round.
			const needed = isFollowed ? 1 : round;
			const isTraceless = !isFollowed && life.world.rows === 'bare' && state.ends > 1;
			// No trigger is excused by being behind for ever: what stands to the end has to be found within a round.
			const after = life.polls.filter((poll) => poll.from >= from).length;
			const isStanding = isFollowed && until === Infinity && after > round;
			if (times.length === 0 && ((seeing.length < needed && !isStanding) || isTraceless)) {
				outcome.superseded++;
				continue;
			}
			outcome.completions++;
			if (times.length === 0) outcome.lost.push(name);
			else if (seeing.filter(({ to }) => to < times[0]).length > needed) outcome.late.push(name);
		}
	}
}

/** Whether the trigger knew that it ran: it is new, or a poll saw it unfinished. */
function isFollowedBefore({ shown, activatedAt, polls }: Life, inquiry: Inquiry, { ends, at }: State, until: number) {
	const run = inquiry.states.filter((state) => state.ends === ends - 1 && !isFinal(state.status));
	// One in a status that nobody knows is followed for an hour, then left to the sweep.
	if (run.some(({ status }) => status === 'ON_HOLD')) return false;
	const isNew = ends === 1 && inquiry.createdAt > activatedAt && polls.some(({ from }) => from >= at && from < until);
	return isNew || run.some((state) => shown.has(state));
}

/** How old an answer may be at a time. */
function staleMs({ world, service }: Life, at: number): number {
	const { cacheMs = 0, commitDelayMs = 0, nodeSkewMs = 0, earlyDateMs = [0], incidentAfterMs = Infinity } = world;
	const sinceIncident = at - service.begun - incidentAfterMs;
	const isIncident = sinceIncident > -oldestCopyMs && sinceIncident < incidentMs;
	const copy = Math.max(0, ...(world.replicasMs ?? [0])) + (isIncident ? oldestCopyMs : 0);
	return cacheMs + copy + commitDelayMs + nodeSkewMs + Math.max(...earlyDateMs) + 2_000;
}

/** Around the activation, clocks of servers and the moment of a commit cannot tell what was before. */
const borderMs = ({ world }: Life) =>
	2_000 + 2 * (world.nodeSkewMs ?? 0) + Math.max(...(world.earlyDateMs ?? [0])) + (world.commitDelayMs ?? 0);
