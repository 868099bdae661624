import { hash } from 'node:crypto';
import type { Known } from './occurrence';

/** Creation times in seconds: `from` is included, `to` is not. */
export interface CreationRange {
	from: number;
	to: number;
}

/** Splits a range at the seconds in `holes`, which are left out. */
export function rangesWithout(holes: ReadonlySet<number>, from: number, to: number): CreationRange[] {
	const ends = [...holes].filter((time) => time >= from && time < to).sort((a, b) => a - b);
	const begins = [from, ...ends.map((hole) => hole + 1)];
	const ranges = begins.map((begin, index) => ({ from: begin, to: ends[index] ?? to }));
	return ranges.filter((range) => range.to > range.from);
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

export type Memory = ReturnType<typeof emptyMemory>;

export const emptyMemory = (organisation: string, account: string, filters: string) => ({
	/** Our clock at the last poll, in milliseconds: it only adds the time passed, so it never goes back. */
	at: 0,
	/** The host's clock at the last poll, in milliseconds. */
	host: 0,
	/** Milliseconds between the last two polls. */
	distance: 0,
	/** The service's time at the last poll, in seconds. Completions dated later had not happened by then. */
	last: 0,
	/** Seconds that the clock that writes the rows is ahead of ours, at least. */
	ahead: 0,
	/** The organization that the inquiries belong to. */
	organisation,
	/** Digest of the credential last known to belong to the organization. */
	account,
	filters,
	zoneless: false,
	/** In seconds. Events from before are never reported. */
	floor: 0,
	/** Completions dated before this had happened when the trigger was activated. */
	cut: 0,
	known: new Map<string, Known>(),
	steps: [{ from: 0, level: 0 }],
	/** Inquiries created before this are not new. The newest rows are read from here on. */
	top: 0,
	cursors: { active: start(), fresh: start(), sweep: start() },
	/** Pages that the sweep still has to read to keep its pace. */
	debt: 0,
	/** Range of creation times on one page of the sweep, in seconds. */
	width: 3_600,
	/** Order of the stages in the next poll. */
	order: [...stages],
	/** Whether a total was seen that counts more than its page. */
	counts: false,
	/** Polls in a row that could not read everything they should. */
	strained: 0,
});

export const start = (at = 0): Cursor => ({ at, offset: 0 });

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
