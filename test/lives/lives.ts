import type { Page, PageQuery, ListedRow, StatusSource } from '../../nodes/BusinessVerification/watch/sources';

/** Every life that one inquiry can have while a trigger looks, and every form in which a service may show its times. */

export interface Form {
	/** What another run does to `startedAt`. */
	start: 'moves' | 'stands' | 'missing';
	dates: 'all' | 'none of FAILED' | 'none';
	/** What another run does to `completedAt`: cleared, kept until it ends, kept for ever. */
	again: 'clears' | 'keeps it running' | 'keeps it';
	lateMs: 0 | 50_000;
	/** Whether list rows show times, or records alone. */
	rows: 'full' | 'bare';
}

const starts = ['moves', 'stands', 'missing'] as const;
const agains = ['clears', 'keeps it running', 'keeps it'] as const;
const datings = [
	...(['all', 'none of FAILED'] as const).flatMap((dates) =>
		([0, 50_000] as const).map((lateMs) => ({ dates, lateMs })),
	),
	{ dates: 'none', lateMs: 0 } as const,
];

export const forms = (rows: Form['rows']): Form[] =>
	starts.flatMap((start) =>
		agains.flatMap((again) => datings.map((dating): Form => ({ start, again, rows, ...dating }))),
	);

export const nameOf = ({ start, dates, again, lateMs, rows }: Form) =>
	`start ${start}, dates ${dates}${lateMs > 0 ? ' late' : ''}, a re-run ${again}${rows === 'bare' ? ', in records alone' : ''}`;

/** What happened leaves a trace in whatever order it is looked at. */
export const isGood = ({ start, dates, again, lateMs }: Form) =>
	start === 'moves' || (dates === 'all' && lateMs === 0 && again !== 'keeps it');

type Beginning = 'absent' | 'RUNNING' | 'COMPLETED' | 'FAILED';
/** A step of a life: nothing, or the status that it comes to. */
type Step = '' | 'RUNNING' | 'COMPLETED' | 'FAILED';

export interface Life {
	from: Beginning;
	steps: Step[];
}

const after = (now: Beginning): Step[] => (now === 'RUNNING' ? ['', 'COMPLETED', 'FAILED'] : ['', 'RUNNING']);

export function everyLife(steps: number): Life[] {
	const grown = (life: Life, now: Beginning, left: number): Life[] =>
		left === 0
			? [life]
			: after(now).flatMap((step) => grown({ ...life, steps: [...life.steps, step] }, step || now, left - 1));
	return (['absent', 'RUNNING', 'COMPLETED', 'FAILED'] as const).flatMap((from) =>
		grown({ from, steps: [] }, from, steps),
	);
}

export const textOf = ({ from, steps }: Life) => [from, ...steps.map((step) => step || '-')].join(' ');

export interface State {
	at: number;
	status: string;
	startedAt: number | null;
	completedAt: number | null;
	/** How many ends there have been. */
	ends: number;
}

export interface Inquiry {
	id: string;
	createdAt: number;
	states: State[];
	life: Life;
}

export const isOpen = (status: string) => status === 'RUNNING';

/** What was there an hour before the activation; what had ended did so just before it. */
const longBefore = 3_600_000;
const justBefore = 40_000;

export function inquiryOf(number: number, life: Life, form: Form, activation: number, stepTimes: number[]): Inquiry {
	const states: State[] = [];
	let first: number | null = null;
	const run = (at: number) => {
		const last = states.at(-1);
		const startedAt = last && form.start === 'stands' ? last.startedAt : at;
		const completedAt = form.again === 'clears' ? null : (last?.completedAt ?? null);
		states.push({ at, status: 'RUNNING', startedAt, completedAt, ends: last?.ends ?? 0 });
	};
	const end = (at: number, status: string, next: number) => {
		const last = states.at(-1)!;
		const isDated = form.dates === 'all' || (form.dates === 'none of FAILED' && status !== 'FAILED');
		const date = !isDated ? null : form.again === 'keeps it' && first !== null ? first : at;
		first ??= date;
		const state = { ...last, at, status, ends: last.ends + 1 };
		if (date === at && form.lateMs > 0) {
			const shown = form.again === 'clears' ? null : last.completedAt;
			states.push({ ...state, completedAt: shown });
			if (at + form.lateMs < next) states.push({ ...state, at: at + form.lateMs, completedAt: date });
		} else {
			states.push({ ...state, completedAt: date });
		}
	};
	const moves = life.steps
		.map((status, index) => ({ status, at: stepTimes[index] }))
		.filter(({ status }) => status !== '');
	const before = activation - justBefore;
	const all = [
		...(life.from === 'absent' ? [] : [{ status: 'RUNNING', at: activation - longBefore }]),
		...(life.from === 'COMPLETED' || life.from === 'FAILED' ? [{ status: life.from, at: before }] : []),
		...moves,
	];
	all.forEach(({ status, at }, index) => {
		if (isOpen(status)) run(at);
		else end(at, status, all[index + 1]?.at ?? Infinity);
	});
	const id = `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
	return { id, createdAt: states[0]?.at ?? Infinity, states, life };
}

/** The service, showing everything as one form does; knows nothing of the trigger. */
export class Service implements StatusSource {
	now = 0;
	/** What answers have shown, as `id:ends`. */
	shown = new Set<string>();
	private readonly byId: Map<string, Inquiry>;
	/** The status that was shown last of each. */
	private readonly rows = new Map<string, string>();

	constructor(
		readonly inquiries: Inquiry[],
		private readonly form: Form,
	) {
		this.inquiries.sort((a, b) => a.createdAt - b.createdAt);
		this.byId = new Map(inquiries.map((inquiry) => [inquiry.id, inquiry]));
	}

	hostTime = () => this.now;
	remainingMs = () => 36_000;

	async read(id: string): Promise<ListedRow | 'gone'> {
		this.pass();
		const inquiry = this.byId.get(id)!;
		const state = stateAt(inquiry, this.now);
		return state ? this.rowOf(inquiry, state, true) : 'gone';
	}

	async page({ limit, offset, status, created_at_from, created_at_to, sort_order }: PageQuery): Promise<Page> {
		this.pass();
		const from = created_at_from === undefined ? -Infinity : Date.parse(created_at_from);
		const to = created_at_to === undefined ? Infinity : Date.parse(created_at_to);
		const wanted = status?.split(',');
		const found: Array<[Inquiry, State]> = [];
		for (const inquiry of this.inquiries) {
			if (inquiry.createdAt < from || inquiry.createdAt > to) continue;
			const state = stateAt(inquiry, this.now);
			if (state && (!wanted || wanted.includes(state.status))) found.push([inquiry, state]);
		}
		if (sort_order === 'desc') found.reverse();
		const rows = found.slice(offset, offset + limit).map(([inquiry, state]) => this.rowOf(inquiry, state, false));
		return { rows, total: found.length, date: Math.floor(this.now / 1_000) * 1_000 };
	}

	/** Hundreds of records are read one by one in the time of one poll. */
	private pass(): void {
		this.now += 5;
	}

	private rowOf(
		{ id, createdAt }: Inquiry,
		{ status, startedAt, completedAt, ends }: State,
		direct: boolean,
	): ListedRow {
		const row: ListedRow = { id, status, createdAt: written(createdAt), record: { ends } };
		const isBare = !direct && this.form.rows === 'bare';
		// A row that shows what it showed before shows nothing.
		if (!isOpen(status) && !(isBare && this.rows.get(id) === status)) this.shown.add(`${id}:${ends}`);
		this.rows.set(id, status);
		if (isBare) return row;
		if (this.form.start !== 'missing') row.startedAt = written(startedAt);
		return { ...row, completedAt: written(completedAt) };
	}
}

function stateAt({ states }: Inquiry, at: number): State | undefined {
	for (let index = states.length - 1; index >= 0; index--) if (states[index].at <= at) return states[index];
	return undefined;
}

const written = (time: number | null) => (time === null ? null : new Date(time).toISOString());
