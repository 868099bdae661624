import type { World } from '../watch/service';

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

/** The service that shows everything as one form does, so fast that hundreds of records are read one by one in one poll. */
export const serviceOf = ({ start, dates, again, lateMs, rows }: Form): World => ({
	...{ start, rows, answerMs: 5 },
	neverDated: { all: [], 'none of FAILED': ['FAILED'], none: ['COMPLETED', 'FAILED'] }[dates],
	lateDateMs: [lateMs],
	lateDateShows: again === 'clears' ? 'null' : 'old',
	whileRunning: again === 'clears' ? 'cleared' : 'kept',
	atSecondEnd: again === 'keeps it' ? 'kept' : 'new',
});

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
