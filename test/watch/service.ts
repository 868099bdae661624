import type { Page, PageQuery, ListedRow, StatusSource } from '../../nodes/BusinessVerification/watch/sources';

/**
 * The service as its document leaves it open: every inquiry has a history of states, and what an answer shows is a view
 * of that history, late, filtered, dated and paged as the world says. Knows nothing of the trigger.
 */

export interface State {
	/** From when on it is so. */
	at: number;
	status: string;
	completedAt: number | null;
	/** How many ends there have been, which tells a test what an event speaks of. */
	ends: number;
}

/** Which states answers have shown, in the order in which they first did. */
export type Shown = Map<State, Showing>;

export interface Showing {
	first: number;
	/** When the first and the last poll began that showed it. */
	firstPoll: number;
	lastPoll: number;
	/** Whether a row showed its date, within `lateMs` of its first showing, and whether a record did. */
	isDated: boolean;
	isRead: boolean;
}

/** A date that comes later than this after its completion was shown is as good as none. */
const lateMs = 600_000;

export function show(shown: Shown, state: State, showing: Showing): void {
	const before = shown.get(state);
	if (!before) {
		shown.set(state, showing);
		return;
	}
	const { first, firstPoll } = before;
	const isDated = before.isDated || (showing.isDated && showing.first <= first + lateMs);
	shown.set(state, {
		first,
		firstPoll,
		lastPoll: showing.lastPoll,
		isDated,
		isRead: before.isRead || showing.isRead,
	});
}

export interface Inquiry {
	id: string;
	createdAt: number;
	/** From when on any list shows it. */
	visibleAt: number;
	/** What the clock of its node is off. */
	skew: number;
	states: State[];
	gone: Array<[from: number, to: number]>;
}

export interface World {
	/** completedAt is set so long before the status ends. */
	earlyStampMs?: number[];
	/** completedAt comes so long after the status; until then it is null or, of a re-run, the old one. */
	lateStampMs?: number[];
	lateStampShows?: 'null' | 'old';
	/** What a re-run does to completedAt while it runs, and at its end. */
	whileRunning?: 'cleared' | 'kept';
	atSecondEnd?: 'new' | 'kept';
	/** No date at all for these end statuses. */
	neverDated?: string[];
	rowDates?: 'shown' | 'absent' | 'null' | 'half';
	nodeSkewMs?: number;
	/** Rows show startedAt, written by a clock that is so far ahead of the one of completedAt. */
	startAheadMs?: number;
	/** A re-run keeps startedAt. */
	startStands?: boolean;
	/** The list under this filter is so old. */
	lagMs?: number;
	statusLagMs?: number;
	statusLag?: 'lag' | 'gap' | 'both';
	replicasMs?: number[];
	commitDelayMs?: number;
	/** A part of the inquiries is created with a date in the future. */
	futureShare?: number;
	futureEndShare?: number;
	zoneHours?: number;
	/** So long after the beginning local clocks are put back by an hour. */
	autumnAfterMs?: number;
	digits?: 'ms' | 's' | 'mixed';
	dateHeader?: 'right' | 'absent' | 'stale';
	dateOffMs?: number;
	hostOffMs?: number;
	pageCap?: number;
	total?: 'right' | 'absent' | 'page' | 'negative' | 'capped';
	bounds?: 'inclusive' | 'exclusive';
	ties?: 'stable' | 'random';
	statusParam?: 'right' | 'ignored' | 'firstOnly' | 'refused';
	failShare?: number;
	answerMs?: number;
	/** Under a bound of creation a row is missing for so long, though it is there without. */
	boundsLagMs?: number;
	/** The score is there so long after the end; only half of them pass a filter on it. */
	scoreLateMs?: number;
	/** What ended before this version shows the moment of its deployment as its date. */
	backfilled?: boolean;
	/** From so long after the beginning on, everything is otherwise: a new version of the service. */
	deployed?: { afterMs: number; world: World };
}

/** Asked for by a filter on scores. */
export const passing = 90;
const active = ['PLANNING', 'RUNNING', 'ENRICHING'];
export const isOpen = (status: string) => !['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'].includes(status);

export class Service implements StatusSource {
	now = Date.UTC(2026, 2, 9);
	private readonly begun = this.now;
	deadline = Infinity;
	/** When the poll began. */
	polledAt = 0;
	/** Every list is empty meanwhile. */
	isEmpty = false;
	/** Only these are listed: a filter of the trigger. */
	lists: (inquiry: Inquiry) => boolean = () => true;
	requests = 0;
	readonly inquiries: Inquiry[] = [];
	private readonly byCreation: Inquiry[] = [];
	private readonly byId = new Map<string, Inquiry>();
	/** What answers have shown. */
	shown: Shown = new Map();
	/** What answers under a filter on the score have shown. */
	passed: Shown = new Map();
	private readonly worldDeployed: World;
	/** Times as this version of the service writes them. */
	private readonly texts = new Map<World, Map<number, string>>();
	private readonly planned: Array<{ at: number; act(): void }> = [];

	constructor(
		private readonly worldAtFirst: World,
		readonly random: () => number,
	) {
		this.worldDeployed = { ...worldAtFirst, ...worldAtFirst.deployed?.world };
	}

	/** When the new version came; never, where there is none. */
	get deployedAt(): number {
		return this.begun + (this.worldAtFirst.deployed?.afterMs ?? Infinity);
	}

	private get world(): World {
		return this.now >= this.deployedAt ? this.worldDeployed : this.worldAtFirst;
	}

	pick = <T>(values: readonly T[]): T => values[Math.floor(this.random() * values.length)];

	plan(inMs: number, act: () => void): void {
		const at = this.now + inMs;
		let place = this.planned.length;
		while (place > 0 && this.planned[place - 1].at < at) place--;
		this.planned.splice(place, 0, { at, act });
	}

	passTo(time: number): void {
		while (this.planned.length > 0 && this.planned[this.planned.length - 1].at <= time) {
			const { at, act } = this.planned.pop()!;
			this.now = Math.max(this.now, at);
			act();
		}
		this.now = Math.max(this.now, time);
	}

	create(at = this.now, status = 'PLANNING'): Inquiry {
		const { world } = this;
		const skew = world.nodeSkewMs ? (this.random() * 2 - 1) * world.nodeSkewMs : 0;
		const isFuture = this.random() < (world.futureShare ?? 0);
		const inquiry: Inquiry = {
			id: `00000000-0000-4000-8000-${(this.inquiries.length + 1).toString(16).padStart(12, '0')}`,
			createdAt: at + skew + (isFuture ? 86_400_000 * 30 : 0),
			visibleAt: at + this.random() * (world.commitDelayMs ?? 0),
			skew,
			states: [{ at, status, completedAt: null, ends: 0 }],
			gone: [],
		};
		this.inquiries.push(inquiry);
		let place = this.byCreation.length;
		while (place > 0 && this.byCreation[place - 1].createdAt > inquiry.createdAt) place--;
		this.byCreation.splice(place, 0, inquiry);
		this.byId.set(inquiry.id, inquiry);
		return inquiry;
	}

	static last = ({ states }: Inquiry): State => states[states.length - 1];

	run(inquiry: Inquiry, status = 'RUNNING'): void {
		const { completedAt, ends } = Service.last(inquiry);
		const kept = (this.world.whileRunning ?? 'cleared') === 'kept' ? completedAt : null;
		inquiry.states.push({ at: this.now, status, completedAt: kept, ends });
	}

	end(inquiry: Inquiry, status: string): void {
		const { world } = this;
		const { ends } = Service.last(inquiry);
		const first = inquiry.states.find((state) => !isOpen(state.status) && state.completedAt !== null)?.completedAt;
		const old = [...inquiry.states].reverse().find((state) => !isOpen(state.status))?.completedAt ?? null;
		const isFuture = this.random() < (world.futureEndShare ?? 0);
		const early = this.pick(world.earlyStampMs ?? [0]);
		const fresh = this.now + inquiry.skew - early + (isFuture ? 86_400_000 * 365 : 0);
		const completedAt = world.neverDated?.includes(status)
			? null
			: world.atSecondEnd === 'kept' && first
				? first
				: fresh;
		const late = this.pick(world.lateStampMs ?? [0]);
		const at = this.now;
		if (late > 0 && completedAt === fresh) {
			inquiry.states.push({ at, status, completedAt: world.lateStampShows === 'old' ? old : null, ends: ends + 1 });
			const place = inquiry.states.length;
			this.plan(late, () => {
				if (inquiry.states.length === place) {
					inquiry.states.push({ at: this.now, status, completedAt, ends: ends + 1 });
				}
			});
		} else {
			inquiry.states.push({ at, status, completedAt, ends: ends + 1 });
		}
	}

	hostTime = () => Math.floor(this.now + (this.world.hostOffMs ?? 0));

	remainingMs = () => this.deadline - this.now;

	async read(id: string): Promise<ListedRow | 'gone'> {
		const at = this.answer();
		const inquiry = this.byId.get(id);
		const state = inquiry && this.stateAt(inquiry, at);
		if (!inquiry || !state) return 'gone';
		const row = this.rowOf(inquiry, state, at, true);
		this.note(this.shown, state, row, true);
		return row;
	}

	async page(query: PageQuery): Promise<Page> {
		const { world } = this;
		const seenAt = this.answer() - (world.lagMs ?? 0);
		const time = (text: string) => {
			if (text.endsWith('Z')) return Date.parse(text);
			const local = Date.parse(`${text}Z`);
			// Of the two that a local time can be in autumn, the first.
			return local - this.zoneMsAt(local - this.zoneMsAt(0));
		};
		const from = query.created_at_from === undefined ? -Infinity : time(query.created_at_from);
		const to = query.created_at_to === undefined ? Infinity : time(query.created_at_to);
		const outside = (world.bounds ?? 'inclusive') === 'inclusive' ? 0 : 1;
		const wanted = world.statusParam === 'ignored' ? undefined : query.status?.split(',');
		if (world.statusParam === 'refused' && query.status?.includes('ENRICHING')) throw new Error('422');
		if (world.statusParam === 'firstOnly') wanted?.splice(1);
		const shown: Inquiry[] = [];
		const boundsLag = query.created_at_from === undefined ? 0 : (world.boundsLagMs ?? 0);
		for (let index = this.firstFrom(from + outside); !this.isEmpty && index < this.byCreation.length; index++) {
			const inquiry = this.byCreation[index];
			if (inquiry.createdAt > to - outside) break;
			const state = this.stateAt(inquiry, seenAt);
			if (!state || !this.lists(inquiry) || inquiry.visibleAt + boundsLag > seenAt) continue;
			if (wanted && !this.passes(inquiry, state, seenAt, wanted)) continue;
			if (query.scorecard_score_min !== undefined && this.scoreOf(inquiry, seenAt) !== passing) continue;
			shown.push(inquiry);
		}
		if (world.ties === 'random') {
			const rank = new Map(shown.map((inquiry) => [inquiry, this.random()]));
			shown.sort((a, b) => a.createdAt - b.createdAt || rank.get(a)! - rank.get(b)!);
		}
		if (query.sort_order === 'desc') shown.reverse();
		const size = Math.min(query.limit, world.pageCap ?? Infinity);
		const rows = shown.slice(query.offset, query.offset + size).map((inquiry) => {
			const state = this.stateAt(inquiry, seenAt)!;
			const row = this.rowOf(inquiry, state, seenAt, false);
			this.note(query.scorecard_score_min === undefined ? this.shown : this.passed, state, row);
			return row;
		});
		const total = {
			right: shown.length,
			absent: undefined,
			page: rows.length,
			negative: -1,
			capped: Math.min(shown.length, 50),
		};
		const count = total[this.isEmpty ? 'right' : (world.total ?? 'right')];
		const date =
			Math.floor(
				(this.now + (world.dateOffMs ?? 0) - (world.dateHeader === 'stale' ? this.random() * 600_000 : 0)) / 1_000,
			) * 1_000;
		return {
			rows,
			...(count === undefined ? {} : { total: count }),
			...(world.dateHeader === 'absent' ? {} : { date }),
		};
	}

	private note(shown: Shown, state: State, { completedAt }: ListedRow, isRecord = false): void {
		const { now, polledAt } = this;
		const isDated = Boolean(completedAt);
		show(shown, state, {
			first: now,
			firstPoll: polledAt,
			lastPoll: polledAt,
			isDated: isDated && !isRecord,
			isRead: isDated && isRecord,
		});
	}

	/** What local time is ahead of UTC. */
	private zoneMsAt(time: number, zoneHours = this.world.zoneHours ?? 0): number {
		const { autumnAfterMs = Infinity } = this.world;
		return (zoneHours - (time >= this.begun + autumnAfterMs ? 1 : 0)) * 3_600_000;
	}

	private firstFrom(time: number): number {
		let low = 0;
		for (let high = this.byCreation.length; low < high;) {
			const middle = (low + high) >>> 1;
			if (this.byCreation[middle].createdAt < time) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Null until it is there; a re-run takes it away while it runs. */
	private scoreOf(inquiry: Inquiry, at: number): number | null {
		const { ends } = this.stateAt(inquiry, at) ?? { ends: 0 };
		const ended = inquiry.states.find((state) => state.ends === ends && !isOpen(state.status));
		if (!ended || ended.at + (this.world.scoreLateMs ?? 0) > at) return null;
		return Service.passesScore(inquiry) ? passing : 10;
	}

	static passesScore = ({ id }: Inquiry) => parseInt(id.slice(-1), 16) % 2 === 0;

	/** The state a copy of the service shows that is as old as the time says. */
	private stateAt({ states, gone, visibleAt }: Inquiry, at: number): State | undefined {
		if (at < visibleAt) return undefined;
		if (gone.length > 0 && gone.some(([from, to]) => this.now >= from && this.now < to)) return undefined;
		for (let index = states.length - 1; index >= 0; index--) if (states[index].at <= at) return states[index];
		return undefined;
	}

	private passes(inquiry: Inquiry, state: State, at: number, wanted: string[]): boolean {
		const { statusLagMs = 0, statusLag = 'lag' } = this.world;
		const old = this.stateAt(inquiry, at - statusLagMs) ?? state;
		const [now, before] = [wanted.includes(state.status), wanted.includes(old.status)];
		return statusLag === 'lag' ? before : statusLag === 'gap' ? now && before : now || before;
	}

	private rowOf(inquiry: Inquiry, state: State, at: number, direct: boolean): ListedRow {
		const { status, completedAt, ends } = state;
		const { rowDates = 'shown', scoreLateMs, startAheadMs, startStands, backfilled } = this.world;
		const date = backfilled && completedAt !== null ? Math.max(completedAt, this.deployedAt) : completedAt;
		const { id, createdAt } = inquiry;
		const record = { ends, ...(scoreLateMs === undefined ? {} : { scorecardScore: this.scoreOf(inquiry, at) }) };
		const row: ListedRow = { id, status, createdAt: this.written(createdAt), record };
		if (startAheadMs !== undefined) {
			const runs = inquiry.states.filter((other) => other.at <= state.at && isOpen(other.status));
			row.startedAt = this.written(runs[startStands ? 0 : runs.length - 1].at + startAheadMs);
		}
		const hides = !direct && (rowDates === 'absent' || (rowDates === 'half' && parseInt(id.slice(-2), 16) % 2 === 0));
		if (!hides) row.completedAt = date === null || (!direct && rowDates === 'null') ? null : this.written(date);
		return row;
	}

	private written(time: number): string {
		const { world } = this;
		if (world.digits === 'mixed') return this.write(time, world);
		const texts = this.texts.get(world) ?? this.texts.set(world, new Map()).get(world)!;
		return texts.get(time) ?? texts.set(time, this.write(time, world)).get(time)!;
	}

	private write(time: number, { zoneHours, digits = 'ms' }: World): string {
		const text = new Date(time + this.zoneMsAt(time, zoneHours)).toISOString();
		const style = digits === 'mixed' ? this.pick(['ms', 's', 'offset']) : digits;
		const zoned = zoneHours === undefined;
		if (style === 's') return text.slice(0, 19) + (zoned ? 'Z' : '');
		if (style === 'offset' && zoned) return `${new Date(time - 4 * 3_600_000).toISOString().slice(0, -1)}000-04:00`;
		return zoned ? text : text.slice(0, -1);
	}

	/** Time passes; returns what time it is at the copy that answers. */
	private answer(): number {
		const { answerMs = 200, failShare = 0, replicasMs } = this.world;
		this.requests++;
		this.passTo(this.now + answerMs);
		if (this.random() < failShare) throw new Error('503');
		return this.now - (replicasMs ? replicasMs[this.requests % replicasMs.length] : 0);
	}

	static open = (inquiry: Inquiry) =>
		active.includes(Service.last(inquiry).status) || isOpen(Service.last(inquiry).status);
}
