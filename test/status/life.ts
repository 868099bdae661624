import {
	pollInquiries,
	type PollOptions,
	recall,
	save,
	type State as Saved,
	type StatusEvent,
} from '../../nodes/BusinessVerification/status';
import { type Inquiry, Service, type World } from './service';

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
	rerunsPerMinute?: number;
	rerunMs?: () => number;
	/** n8n saves a poll's memory only together with a report, and is started again in the middle. */
	saves?: 'always' | 'onReport';
	/** No polls for so long, in the middle. */
	offMs?: number;
	page?: number;
	/** What else happens before a poll. */
	before?(service: Service, poll: number): void;
	options?: Partial<PollOptions>;
}

export interface Life {
	service: Service;
	events: StatusEvent[];
	/** The first poll that came through, from its beginning to its end. */
	begunAt: number;
	activatedAt: number;
	ends: number;
	lost: string[];
	repeated: string[];
	early: string[];
	/** One key for two ends, or two keys for one. */
	keys: string[];
	slowestMs: number;
	mostRequests: number;
	largestState: number;
	failures: number;
	notice?: string;
}

const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

function randomFrom(seed: number): () => number {
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
	const { hours = 2, intervalMs = 60_000, budgetMs = 60_000, history = 300, perMinute = 5, lifeMs = 240_000 } = plan;
	const service = new Service(world, randomFrom(plan.seed));
	const { random } = service;
	const drawn = (mean: number) => -Math.log(1 - random()) * mean;
	const stamp = service.now;
	let isOver = false;
	for (let index = 0; index < history; index++) {
		service.now = stamp - 86_400_000 * 3 + (index * 86_400_000 * 2.9) / history;
		const inquiry = service.create();
		service.now += 60_000;
		service.end(inquiry, service.pick(statuses));
	}
	service.passTo(stamp);
	const start = () => {
		if (isOver) return;
		const inquiry = service.create();
		service.plan(drawn(lifeMs * 0.3), () => Service.open(inquiry) && service.run(inquiry));
		service.plan(1_000 + drawn(lifeMs), () => service.end(inquiry, service.pick(statuses)));
		service.plan(drawn(60_000 / perMinute), start);
	};
	const rerun = () => {
		if (isOver || !plan.rerunsPerMinute) return;
		const inquiry = service.pick(service.inquiries);
		if (!Service.open(inquiry) && service.now - Service.last(inquiry).at > 1_500_000) {
			service.run(inquiry);
			service.plan(plan.rerunMs?.() ?? drawn(40_000), () => service.end(inquiry, service.pick(statuses)));
		}
		service.plan(drawn(60_000 / plan.rerunsPerMinute), rerun);
	};
	start();
	rerun();
	service.passTo(service.now + 1_800_000);

	const life: Life = {
		service,
		events: [],
		begunAt: 0,
		activatedAt: 0,
		ends: 0,
		lost: [],
		repeated: [],
		early: [],
		keys: [],
		slowestMs: 0,
		mostRequests: 0,
		largestState: 0,
		failures: 0,
	};
	let inMemory: Saved | undefined;
	let saved: Saved | undefined;
	const polls = Math.ceil((hours * 3_600_000) / intervalMs);
	const settling = Math.max(
		8,
		Math.ceil(1_800_000 / intervalMs) +
			Math.ceil((service.inquiries.length + hours * 60 * perMinute) / (plan.page ?? 500)) * 2,
	);
	for (let poll = 0; poll < polls + settling; poll++) {
		if (poll === polls) isOver = true;
		const next = service.now + intervalMs;
		const begun = service.now;
		plan.before?.(service, poll);
		service.deadline = service.now + budgetMs;
		const requests = service.requests;
		try {
			const options = { organisation: 'o', account: 'a', filters: 'f', ...plan.options };
			const {
				events,
				next: memory,
				notice,
			} = await pollInquiries(service, recall(inMemory), {
				...options,
				limits: { ...(plan.page ? { page: plan.page } : {}), ...options.limits },
			});
			life.begunAt ||= begun;
			life.activatedAt ||= service.now;
			life.notice ??= notice;
			inMemory = JSON.parse(JSON.stringify(save(memory))) as Saved;
			if (plan.saves !== 'onReport' || saved === undefined || events.length > 0) saved = inMemory;
			life.events.push(...events);
			life.largestState = Math.max(life.largestState, inMemory.text.length);
		} catch {
			life.failures++;
		}
		life.slowestMs = Math.max(life.slowestMs, service.now - begun);
		life.mostRequests = Math.max(life.mostRequests, service.requests - requests);
		if (poll === Math.floor(polls / 2)) inMemory = saved;
		service.passTo(poll === Math.floor(polls / 2) && plan.offMs ? next + plan.offMs : next);
	}
	judge(life, world);
	return life;
}

/** The border of the activation, where clocks and copies cannot tell what was before. */
function judge(life: Life, world: World): void {
	const border =
		1_000 +
		(world.nodeSkewMs ?? 0) +
		(world.lagMs ?? 0) +
		(world.statusLagMs ?? 0) +
		(world.commitDelayMs ?? 0) +
		2 * Math.abs(world.dateHeader === 'stale' ? 600_000 : 0) +
		Math.max(...(world.replicasMs ?? [0])) +
		Math.max(...(world.earlyStampMs ?? [0])) +
		Math.max(...(world.lateStampMs ?? [0])) +
		(world.zoneHours === undefined ? 0 : 900_000) +
		Math.min(900_000, Math.abs(world.dateOffMs ?? 0)) +
		Math.min(900_000, Math.abs(world.hostOffMs ?? 0));
	const ended = life.events.filter(({ kind }) => kind === 'ended');
	const counts = new Map<string, number>();
	for (const { row } of ended) {
		const end = `${row.id}:${String(row.ends)}`;
		counts.set(end, (counts.get(end) ?? 0) + 1);
	}
	const visibleWithoutARun =
		world.rowDates !== 'absent' &&
		world.rowDates !== 'null' &&
		world.rowDates !== 'half' &&
		world.atSecondEnd !== 'kept' &&
		!world.neverDated;
	for (const inquiry of life.service.inquiries) {
		const first = new Map<number, number>();
		for (const { at, ends, status } of inquiry.states)
			if (!first.has(ends) && !['PLANNING', 'RUNNING', 'ENRICHING'].includes(status)) first.set(ends, at);
		for (const [number, at] of first) {
			if (number === 0) continue;
			const end = `${inquiry.id}:${number}`;
			const count = counts.get(end) ?? 0;
			if (count > 1) life.repeated.push(end);
			if (at < life.begunAt - border && count > 0) life.early.push(end);
			if (at <= life.activatedAt + border) continue;
			const stands = number === Service.last(inquiry).ends && !Service.open(inquiry);
			if (!stands) continue;
			life.ends++;
			const isTraced =
				visibleWithoutARun || number === 1 || life.service.shownRunning.has(`${inquiry.id}:${number - 1}`);
			if (count === 0 && isTraced) life.lost.push(end);
		}
	}
	const byKey = new Map<string, string>();
	for (const { key, row } of ended) {
		const end = `${row.id}:${String(row.ends)}`;
		if ((byKey.get(key) ?? end) !== end) life.keys.push(key);
		byKey.set(key, end);
	}
}

export const summary = ({ lost, repeated, early, keys }: Life) => ({ lost, repeated, early, keys });
export type { Inquiry };
