import { hash } from 'node:crypto';
import type { Known } from './occurrence';

/** Creation times in seconds: `from` is included, `to` is not. */
export interface CreationRange {
	from: number;
	to: number;
}

/** Splits a range at the seconds in `holes`, which are left out. */
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

/** From creation time `from` on, completions dated up to `level` were reported or must not be. */
export interface Step {
	from: number;
	level: number;
}

/** Where a walk continues: a creation time, and an offset if it stopped within a crowd. */
export interface Cursor {
	at: number;
	offset: number;
}

export const stages = ['active', 'fresh', 'missing', 'sweep'] as const;
export type Stage = (typeof stages)[number];

export interface Memory {
	/** Our clock at the last poll, in milliseconds: it only adds the time passed, so it never goes back. */
	at: number;
	/** The host's clock at the last poll, in milliseconds. */
	host: number;
	/** Milliseconds between the last two polls. */
	distance: number;
	/** The service's time at the last poll, in seconds. Completions dated later had not happened by then. */
	last: number;
	/** Seconds that the clock that writes the rows is ahead of ours, at least. */
	ahead: number;
	/** The organization that the inquiries belong to. */
	organisation: string;
	/** Digest of the credential last known to belong to the organization. */
	account: string;
	filters: string;
	zoneless: boolean;
	/** In seconds. Events from before are never reported. */
	floor: number;
	/** Completions dated before this had happened when the trigger was activated. */
	cut: number;
	known: Map<string, Known>;
	steps: Step[];
	/** Inquiries created before this are not new. The newest rows are read from here on. */
	top: number;
	cursors: Record<'active' | 'fresh' | 'sweep', Cursor>;
	/** Pages that the sweep still has to read to keep its pace. */
	debt: number;
	/** Range of creation times on one page of the sweep, in seconds. */
	width: number;
	/** Order of the stages in the next poll. */
	order: Stage[];
	/** Whether a total was seen that counts more than its page. */
	counts: boolean;
	/** Polls in a row that could not read everything they should. */
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

/** Stands for an ID in memory. Two of so many inquiries hardly ever share these 48 bits. */
export const print = (id: string): string => hash('md5', id.toLowerCase(), 'base64url').slice(0, printLength);
export const printLength = 8;

export function levelAt(steps: readonly Step[], created: number): number {
	let low = 0;
	for (let high = steps.length; low + 1 < high;) {
		const middle = (low + high) >>> 1;
		if (steps[middle].from <= created) low = middle;
		else high = middle;
	}
	return steps[low].level;
}

/** Raises the level of creation times in [from, to) to at least `level`. */
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
