import { hash } from 'node:crypto';
import type { Known } from './occurrence';

/** Creation times, in seconds, from the first up to but not including the last. */
export interface CreationRange {
	from: number;
	to: number;
}

/** What is left of a range without some seconds of it. */
export function rangesWithout(holes: ReadonlySet<number>, from: number, to: number): CreationRange[] {
	const ranges: CreationRange[] = [];
	let begin = from;
	for (const hole of [...holes].filter((time) => time >= from && time < to).sort((a, b) => a - b)) {
		if (hole > begin) ranges.push({ from: begin, to: hole });
		begin = hole + 1;
	}
	if (to > begin) ranges.push({ from: begin, to });
	return ranges;
}

export const isIn = (ranges: readonly CreationRange[], created: number): boolean =>
	ranges.some(({ from, to }) => created >= from && created < to);

/** From a creation time on, ends dated up to the level are told or not ours. */
export interface Step {
	from: number;
	level: number;
}

/** Where a walk goes on: a creation time, and an offset within it where a crowd was cut. */
export interface Cursor {
	at: number;
	offset: number;
}

export const stages = ['active', 'fresh', 'missing', 'sweep'] as const;
export type Stage = (typeof stages)[number];

export interface Memory {
	/** Our clock at the last poll, in milliseconds: the host's when memory began and what passed since, so it never goes back. */
	at: number;
	/** The host's clock then, in milliseconds. */
	host: number;
	/** How long before that the poll before it was, in milliseconds. */
	distance: number;
	/** By the service's clock, as far as it is known: nothing that ended later was there then. */
	last: number;
	/** What the clock that writes the rows is ahead of ours at least, in seconds. */
	ahead: number;
	/** Whose inquiries these are. */
	organisation: string;
	/** The secret that was last known to belong to it. */
	account: string;
	filters: string;
	zoneless: boolean;
	/** Nothing from before is ever told. */
	floor: number;
	/** Ends dated before were there at the activation. */
	cut: number;
	known: Map<number, Known>;
	/** Full IDs of those that are read by themselves. */
	names: Record<number, string>;
	steps: Step[];
	/** Created before: no longer new. */
	top: number;
	cursors: Record<'active' | 'fresh' | 'sweep', Cursor>;
	/** Pages that the sweep is behind. */
	debt: number;
	/** Seconds of creation time on a page of the sweep. */
	width: number;
	/** The stages whose turn it is first. */
	order: Stage[];
	/** Whether totals were seen to count more than a page. */
	counts: boolean;
	/** Polls in a row that could not do all they should. */
	strained: number;
}

export const emptyMemory = (organisation: string, account: string, filters: string): Memory => ({
	at: 0,
	host: 0,
	distance: 0,
	last: 0,
	ahead: 0,
	organisation,
	account,
	filters,
	zoneless: false,
	floor: 0,
	cut: 0,
	known: new Map(),
	names: {},
	steps: [{ from: 0, level: 0 }],
	top: 0,
	cursors: { active: start(), fresh: start(), sweep: start() },
	debt: 0,
	width: 3_600,
	order: [...stages],
	counts: false,
	strained: 0,
});

export const start = (): Cursor => ({ at: 0, offset: 0 });

/** 43 bits of an ID, so that ten more fit into a number. Two inquiries in memory that share them are rare. */
export const print = (id: string): number => parseInt(hash('md5', id.toLowerCase()).slice(0, 12), 16) % 2 ** 43;

export function levelAt(steps: readonly Step[], created: number): number {
	let low = 0;
	for (let high = steps.length; low + 1 < high;) {
		const middle = (low + high) >>> 1;
		if (steps[middle].from <= created) low = middle;
		else high = middle;
	}
	return steps[low].level;
}

/** Lifts the level of everything created in [from, to) to at least `level`. */
export function raise(steps: readonly Step[], from: number, to: number, level: number): Step[] {
	if (from >= to) return [...steps];
	const edges = [...new Set([...steps.map((step) => step.from), Math.max(0, from), to])].sort((a, b) => a - b);
	const raised = edges.filter(Number.isFinite).map((edge) => ({
		from: edge,
		level: Math.max(levelAt(steps, edge), edge >= from && edge < to ? level : 0),
	}));
	return raised.filter((step, index) => index === 0 || step.level !== raised[index - 1].level);
}

export const textOf = (time: number): string =>
	time === 0 ? '' : new Date(time * 1_000).toISOString().replace('.000Z', 'Z');
