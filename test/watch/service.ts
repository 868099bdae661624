import { randomFrom } from './random';
import type { ListedRow, Page, PageQuery, StatusSource } from '../../nodes/BusinessVerification/watch/rows';

/**
 * The service as its API documentation leaves it open: every inquiry has a history of states, and an answer shows a view of
 * that history, outdated, filtered, dated and paged as the world says. Knows nothing of the trigger.
 */

export interface State {
	/** From when on it is so. */
	at: number;
	status: string;
	startedAt: number;
	completedAt: number | null;
	/** How many completions there have been, so that a test can tell which one an event is about. */
	ends: number;
}

export interface Inquiry {
	id: string;
	createdAt: number;
	/** From when on any list shows it. */
	visibleAt: number;
	/** How far the clock of its server is off. */
	skew: number;
	states: State[];
	/** When it is in no list. */
	gone: Array<[from: number, to: number]>;
}

export interface World {
	/** `full` rows show when a run started; `dated` ones only when it finished; `bare` ones neither, but records do. */
	rows?: 'full' | 'dated' | 'bare';
	/** Answers come from a copy that is so old, one of these in turn. */
	replicasMs?: number[];
	/** For ten minutes from so long after the beginning, one copy is two minutes old. */
	incidentAfterMs?: number;
	/** A list that was asked for before is answered as it was then, for so long. */
	cacheMs?: number;
	/** Servers differ by up to so much. */
	nodeSkewMs?: number;
	/** A row becomes visible up to so long after its creation. */
	commitDelayMs?: number;
	ties?: 'stable' | 'random';
	digits?: 'ms' | 's' | 'mixed';
	/** Hours from UTC of times that are written without a zone. */
	zoneHours?: number;
	failShare?: number;
	answerMs?: number;
	/** From so long after the beginning, a new version is installed: nothing answers for three minutes, then `world` holds. */
	deployed?: { afterMs: number; world: World };
	/** completedAt is set so long before the status changes. */
	earlyDateMs?: number[];
	/** completedAt is set so long after the status changed; until then rows show null, or the date of the run before. */
	lateDateMs?: number[];
	lateDateShows?: 'null' | 'old';
	/** What a re-run does to completedAt while it runs, and when it has finished. */
	whileRunning?: 'cleared' | 'kept';
	atSecondEnd?: 'new' | 'kept';
	/** Whether another run moves startedAt. */
	start?: 'moves' | 'stands' | 'missing';
	/** No date at all for these final statuses. */
	neverDated?: string[];
	dateOffMs?: number;
	hostOffMs?: number;
	pageCap?: number;
	hidesTotal?: boolean;
	bounds?: 'inclusive' | 'exclusive';
	/** Of several statuses in a filter only the first counts. */
	filtersByFirst?: boolean;
}

const hourMs = 3_600_000;
export const incidentMs = 600_000;
export const oldestCopyMs = 120_000;
const installationMs = 180_000;
export const isFinal = (status: string) => ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'].includes(status);

export class Service implements StatusSource {
	now = Date.UTC(2026, 2, 9);
	readonly begun = this.now;
	deadline = Infinity;
	requests = 0;
	/** No request fails any more. */
	isCalm = false;
	readonly inquiries: Inquiry[] = [];
	/** The states that answers have shown since this was last emptied. */
	shown = new Set<State>();
	private readonly byCreation: Inquiry[] = [];
	/** The unfinished ones, and those that finished within the hour, so that a list of a few is not searched for in all. */
	private lively: Inquiry[] = [];
	/** None ever leaves the lists, and all are in them from this time on. */
	private isAllThere = true;
	private allVisibleAt = 0;
	private readonly byId = new Map<string, Inquiry>();
	private readonly planned: Array<{ at: number; act(): void }> = [];
	private readonly cache = new Map<string, { at: number; page: Page }>();
	private readonly worldDeployed: World;
	/** Decides what happens to inquiries. */
	readonly random: () => number;
	/** Decides how it is answered, so that what happens is the same whatever is asked. */
	readonly chance: () => number;

	constructor(
		private readonly worldAtFirst: World,
		seed: number,
	) {
		this.random = randomFrom(seed);
		this.chance = randomFrom(-seed);
		this.worldDeployed = { ...worldAtFirst, ...worldAtFirst.deployed?.world };
	}

	get deployedAt(): number {
		return this.begun + (this.worldAtFirst.deployed?.afterMs ?? Infinity);
	}

	get world(): World {
		return this.now >= this.deployedAt ? this.worldDeployed : this.worldAtFirst;
	}

	pick = <T>(values: readonly T[]): T => values[Math.floor(this.random() * values.length)];

	/** A number that no world uses any more: without it the seeds that once lost a completion would play something else. */
	private readonly skipOne = () => void this.random();

	plan(inMs: number, act: () => void): void {
		const at = this.now + inMs;
		let low = 0;
		for (let high = this.planned.length; low < high;) {
			const middle = (low + high) >>> 1;
			if (this.planned[middle].at > at) low = middle + 1;
			else high = middle;
		}
		this.planned.splice(low, 0, { at, act });
	}

	passTo(time: number): void {
		while (this.planned.length > 0 && this.planned[this.planned.length - 1].at <= time) {
			const { at, act } = this.planned.pop()!;
			this.now = Math.max(this.now, at);
			act();
		}
		this.now = Math.max(this.now, time);
	}

	/** Inquiries of one transaction share `at`, and become visible together. */
	create(at = this.now, visibleAt = at + this.random() * (this.world.commitDelayMs ?? 0)): Inquiry {
		const { world } = this;
		const skew = Math.floor((this.random() * 2 - 1) * (world.nodeSkewMs ?? 0));
		this.skipOne();
		const states: State[] = [{ at, status: 'PLANNING', startedAt: at + skew, completedAt: null, ends: 0 }];
		const createdAt = Math.floor(at) + (visibleAt === at ? skew : 0);
		return this.add({ createdAt, visibleAt, skew, states });
	}

	/** Finished ones, evenly spread. */
	addHistory(size: number, from: number, to: number): void {
		for (let index = 0; index < size; index++) {
			const at = Math.floor(from + ((to - from) * index) / size);
			const state = { at, status: 'COMPLETED', startedAt: at, completedAt: at + 60_000, ends: 1 };
			this.add({ createdAt: at, visibleAt: at, skew: 0, states: [state] });
		}
	}

	private add(given: Pick<Inquiry, 'createdAt' | 'visibleAt' | 'skew' | 'states'>): Inquiry {
		const count = this.inquiries.length + 1;
		const id = `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
		const inquiry: Inquiry = { ...given, id, gone: [] };
		this.inquiries.push(inquiry);
		this.allVisibleAt = Math.max(this.allVisibleAt, given.visibleAt);
		insert(this.byCreation, inquiry);
		if (Service.isRunning(inquiry)) insert(this.lively, inquiry);
		this.byId.set(id, inquiry);
		return inquiry;
	}

	/** To a status of any kind. */
	move(inquiry: Inquiry, status: string): void {
		if (isFinal(status)) this.end(inquiry, status);
		else this.run(inquiry, status);
	}

	vanish(inquiry: Inquiry, from = this.now): void {
		inquiry.gone.push([from, Infinity]);
		this.isAllThere = false;
	}

	static last = ({ states }: Inquiry): State => states[states.length - 1];

	static isRunning = (inquiry: Inquiry): boolean => !isFinal(Service.last(inquiry).status);

	run(inquiry: Inquiry, status = 'RUNNING'): void {
		const { world } = this;
		const last = Service.last(inquiry);
		const completedAt = world.whileRunning === 'kept' ? last.completedAt : null;
		const isNewRun = isFinal(last.status) && world.start !== 'stands';
		const startedAt = isNewRun ? this.now + inquiry.skew : last.startedAt;
		inquiry.states.push({ ...last, at: this.now, status, startedAt, completedAt });
		if (!this.lively.includes(inquiry)) insert(this.lively, inquiry);
	}

	end(inquiry: Inquiry, status: string): void {
		const { world } = this;
		const last = Service.last(inquiry);
		const finals = inquiry.states.filter((state) => isFinal(state.status));
		const first = finals.find(({ completedAt }) => completedAt !== null)?.completedAt;
		const early = this.pick(world.earlyDateMs ?? [0]);
		this.skipOne();
		const own = Math.max(this.now + inquiry.skew - early, last.startedAt);
		const completedAt = world.atSecondEnd === 'kept' && first ? first : own;
		const state = { ...last, at: this.now, status, completedAt, ends: last.ends + 1 };
		const late = this.pick(world.lateDateMs ?? [0]);
		if (world.neverDated?.includes(status)) {
			inquiry.states.push({ ...state, completedAt: null });
		} else if (late > 0 && completedAt === own) {
			const old = world.lateDateShows === 'old' ? (finals.pop()?.completedAt ?? null) : null;
			inquiry.states.push({ ...state, completedAt: old });
			const count = inquiry.states.length;
			this.plan(late, () => inquiry.states.length === count && inquiry.states.push({ ...state, at: this.now }));
		} else {
			inquiry.states.push(state);
		}
	}

	hostTime = () => Math.floor(this.now + (this.world.hostOffMs ?? 0));

	remainingMs = () => this.deadline - this.now;

	async read(id: string): Promise<ListedRow | 'gone'> {
		const at = this.answer();
		const inquiry = this.byId.get(id);
		const state = inquiry && this.stateAt(inquiry, at);
		if (!inquiry || !state) return 'gone';
		this.shown.add(state);
		return this.rowOf(inquiry, state, true);
	}

	async page(query: PageQuery): Promise<Page> {
		const at = this.answer();
		const { cacheMs = 0 } = this.world;
		const key = JSON.stringify(query);
		const cached = this.cache.get(key);
		if (cached && this.now - cached.at < cacheMs) return cached.page;
		const page = this.list(query, at);
		if (cacheMs > 0) this.cache.set(key, { at: this.now, page });
		return page;
	}

	private list(query: PageQuery, at: number): Page {
		const { world } = this;
		const found = this.matching(query, at);
		if (world.ties === 'random') {
			const rank = new Map(found.map((inquiry) => [inquiry, this.chance()]));
			found.sort((a, b) => a.createdAt - b.createdAt || rank.get(a)! - rank.get(b)!);
		}
		if (query.sort_order === 'desc') found.reverse();
		const size = Math.min(query.limit, world.pageCap ?? Infinity);
		const rows = found.slice(query.offset, query.offset + size).map((inquiry) => {
			const state = this.stateAt(inquiry, at)!;
			this.shown.add(state);
			return this.rowOf(inquiry, state, false);
		});
		const date = Math.floor((this.now + (world.dateOffMs ?? 0)) / 1_000) * 1_000;
		return { rows, date, ...(world.hidesTotal ? {} : { total: found.length }) };
	}

	private matching(query: PageQuery, at: number): Inquiry[] {
		const { world } = this;
		const outside = world.bounds === 'exclusive' ? 1 : 0;
		const from = query.created_at_from === undefined ? -Infinity : this.timeIn(query.created_at_from) + outside;
		const to = query.created_at_to === undefined ? Infinity : this.timeIn(query.created_at_to) - outside;
		const wanted = query.status?.split(',');
		if (world.filtersByFirst) wanted?.splice(1);
		const isAll = !wanted && this.isAllThere && this.allVisibleAt <= at;
		if (isAll) return this.byCreation.slice(placeIn(this.byCreation, from), placeIn(this.byCreation, to + 1));
		const found: Inquiry[] = [];
		const isOfFew = wanted !== undefined && !wanted.some(isFinal);
		if (isOfFew)
			this.lively = this.lively.filter((one) => Service.isRunning(one) || Service.last(one).at > this.now - hourMs);
		const list = isOfFew ? this.lively : this.byCreation;
		for (let place = placeIn(list, from); place < list.length; place++) {
			const inquiry = list[place];
			if (inquiry.createdAt > to) break;
			if (inquiry.visibleAt > at || this.isGone(inquiry)) continue;
			if (!wanted || wanted.includes(this.stateAt(inquiry, at)!.status)) found.push(inquiry);
		}
		return found;
	}

	private isGone({ gone }: Inquiry): boolean {
		return gone.length > 0 && gone.some(([from, to]) => this.now >= from && this.now < to);
	}

	/** The state that a copy shows which is as old as the time says. */
	private stateAt(inquiry: Inquiry, at: number): State | undefined {
		const { states, visibleAt } = inquiry;
		if (at < visibleAt || this.isGone(inquiry)) return undefined;
		for (let index = states.length - 1; index >= 0; index--) if (states[index].at <= at) return states[index];
		return undefined;
	}

	private rowOf({ id, createdAt }: Inquiry, state: State, isRecord: boolean): ListedRow {
		const { rows = 'dated', start } = this.world;
		const { status, startedAt, completedAt, ends } = state;
		const row: ListedRow = { id, status, createdAt: this.written(createdAt), json: { ends } };
		if (rows === 'bare' && !isRecord) return row;
		if (start !== 'missing' && (rows === 'full' || rows === 'bare')) row.startedAt = this.written(startedAt);
		return { ...row, completedAt: completedAt === null ? null : this.written(completedAt) };
	}

	private readonly texts = new Map<number, string>();

	private isoOf(time: number): string {
		const text = this.texts.get(time) ?? new Date(time).toISOString();
		this.texts.set(time, text);
		return text;
	}

	private written(time: number): string {
		const { zoneHours, digits = 'ms' } = this.world;
		const text = this.isoOf(time + this.zoneMs);
		const style = digits === 'mixed' ? ['ms', 's', 'offset'][Math.floor(this.chance() * 3)] : digits;
		if (style === 's') return text.slice(0, 19) + (zoneHours === undefined ? 'Z' : '');
		if (zoneHours !== undefined) return text.slice(0, -1);
		return style === 'ms' ? text : `${this.isoOf(time - 4 * hourMs).slice(0, -1)}000-04:00`;
	}

	private timeIn(text: string): number {
		return text.endsWith('Z') ? Date.parse(text) : Date.parse(`${text}Z`) - this.zoneMs;
	}

	/** How far local time is ahead of UTC. */
	private get zoneMs(): number {
		return (this.world.zoneHours ?? 0) * hourMs;
	}

	/** Time passes; returns what time it is at the copy that answers. */
	private answer(): number {
		const { answerMs = 200, failShare = 0, replicasMs = [0], incidentAfterMs = Infinity } = this.world;
		this.requests++;
		this.passTo(this.now + answerMs);
		const isInstalling = this.now >= this.deployedAt && this.now < this.deployedAt + installationMs;
		if (isInstalling || (!this.isCalm && this.chance() < failShare)) throw new Error('503');
		const since = this.now - this.begun - incidentAfterMs;
		if (since >= 0 && since < incidentMs && this.requests % 2 === 0) return this.now - oldestCopyMs;
		return this.now - replicasMs[this.requests % replicasMs.length];
	}
}

/** Place of the first inquiry created at a time or later. */
function placeIn(list: Inquiry[], time: number): number {
	let low = 0;
	for (let high = list.length; low < high;) {
		const middle = (low + high) >>> 1;
		if (list[middle].createdAt < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

function insert(list: Inquiry[], inquiry: Inquiry): void {
	if (list.length === 0 || list[list.length - 1].createdAt <= inquiry.createdAt) list.push(inquiry);
	else list.splice(placeIn(list, inquiry.createdAt + 1), 0, inquiry);
}
