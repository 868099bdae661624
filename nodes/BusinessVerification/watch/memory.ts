import { hash } from 'node:crypto';
import { orMade } from '../kit/objects';

/**
 * What a trigger remembers between polls.
 *
 * A completion is *covered* if it is not to be reported, or not again: it was reported, is not wanted, or was there at the
 * activation. `known` has inquiries that are followed or were covered lately, and of a whole list (wholeList.ts) all. The
 * others, however many, share *levels*: their completions up to the level of their creation time are covered, and one that
 * was created after it is new.
 */

/** In seconds: `since` by n8n's clock, the other times by the service's. */
export interface Known {
	/** Explained at the head of ledger.ts. */
	state: 'unfinished' | 'postponed' | 'covered' | 'doubted';
	/** When it came into this state. From `covered` to `doubted` and back, and from `postponed` to `unfinished`, it stays. */
	since: number;
	created: number;
	/** Its completions up to this time are covered, as by a level; 0 if none is. */
	coveredTo: number;
	/** The last one believed; if a completion is postponed, the one before it; '' if none was. */
	status: string;
}

export const isCoveredOrDoubted = ({ state }: { state: string }): boolean => state === 'covered' || state === 'doubted';

/** The level of creation times from `from` on, up to the next step. */
type Step = { from: number; level: number };

export class WatchMemory {
	/** Of the last poll, in milliseconds of n8n's clock. It never goes back, although that clock may. */
	at = 0;
	/** The latest time in any row, in seconds, as all times below. */
	latestShown = 0;
	/** What time it was at the service at the last poll. */
	lastServiceTime = 0;
	/** The highest level at the activation, which other filters raise. A re-check reports nothing dated before. */
	startLevel = 0;
	/** Whether rows write times without a zone. */
	zoneless = false;
	known = new Map<string, Known>();
	steps: Step[] = [{ from: 0, level: 0 }];
	/** The newest rows are read from this creation time on. */
	newestFrom = 0;
	/** The sweep continues at this creation time, a whole list at this offset. */
	continueAt = 0;
	/** Polls in a row that could not read everything. */
	incompletePolls = 0;
	/** Whether their notice waits for a poll without events. */
	owesNotice?: boolean;
	/** Undocumented statuses of which the user was told. */
	toldStatuses: string[] = [];

	constructor(
		public organization: string,
		/** The digest of the credential last known to belong to it. */
		public account: string,
		public filters: string,
	) {}
}

/** Two of so many inquiries hardly ever share these 48 bits. */
export const fingerprintOf = (id: string): string => hash('md5', id, 'base64url').slice(0, 8);

export function levelAt(steps: readonly Step[], created: number): number {
	let place = steps.length - 1;
	while (steps[place].from > created) place--;
	return steps[place].level;
}

/** Raises levels in [from, to) to at least `level`. */
export function raise(steps: readonly Step[], from: number, to: number, level: number): Step[] {
	const edges = [...new Set([...steps.map((step) => step.from), from, to])].sort((a, b) => a - b);
	const raised = edges.filter(Number.isFinite).map((edge) => ({
		from: edge,
		level: Math.max(levelAt(steps, edge), edge >= from && edge < to ? level : 0),
	}));
	return raised.filter((step, index) => index === 0 || step.level !== raised[index - 1].level);
}

// SECOND HALF: how n8n stores it.

/** Raise it whenever the stored text changes its meaning. */
const version = 17;

/** What somebody changed by hand is not believed. */
const sumOf = (at: number, text: string) => hash('md5', `${at} ${text}`, 'base64url').slice(0, 8);

/** `at` is beside the text, so that the newer of two copies is found without reading them. */
export type SavedMemory = ReturnType<typeof save>;

/** The entries of a state and status share a line, so that none repeats them. */
export function save({ known, steps, at, ...header }: WatchMemory) {
	const lines = new Map<string, Array<[string, Known]>>();
	for (const [id, entry] of known) orMade(lines, `${entry.state} ${entry.status}`, () => []).push([id, entry]);
	const names = [...lines.values()].map(([[, { state, status }]]) => [state, status]);
	const levels = steps.map(({ from, level }) => `${from.toString(36)},${level.toString(36)}`).join(';');
	const text = [JSON.stringify({ ...header, lines: names }), levels, ...[...lines.values()].map(lineOf)].join('\n');
	return { version, at, sum: sumOf(at, text), text };
}

/** By creation time: each time is written as the distance from that of the entry before, none as nothing. */
function lineOf(entries: Array<[string, Known]>): string {
	let before = [0, 0, 0];
	const sorted = entries.sort(([, a], [, b]) => a.created - b.created);
	const texts = sorted.map(([id, { created, since, coveredTo }]) => {
		const times = [created, since, coveredTo];
		const gaps = times.map((time, place) => (time === before[place] ? '' : (time - before[place]).toString(36)));
		before = times;
		return id + gaps.join(',').replace(/,{1,2}$/, '');
	});
	return texts.join(';');
}

/** Undefined for anything but a whole memory of this version. */
export function recall(saved: unknown): WatchMemory | undefined {
	const { version: written, at, sum, text } = (saved ?? {}) as Partial<SavedMemory>;
	if (written !== version || typeof at !== 'number' || typeof text !== 'string') return undefined;
	return sum === sumOf(at, text) ? decoded(saved as SavedMemory) : undefined;
}

function decoded({ at, text }: SavedMemory): WatchMemory {
	const [head, levels, ...texts] = text.split('\n');
	const { lines, ...header } = JSON.parse(head) as WatchMemory & { lines: Array<[Known['state'], string]> };
	const known = new Map<string, Known>();
	for (const [place, [state, status]] of lines.entries()) {
		let [created, since, coveredTo] = [0, 0, 0];
		for (const entry of texts[place].split(';')) {
			const gaps = entry.slice(8).split(',').map(numberOf);
			[created, since, coveredTo] = [created, since, coveredTo].map((time, index) => time + (gaps[index] ?? 0));
			known.set(entry.slice(0, 8), { state, since, created, coveredTo, status });
		}
	}
	const steps = levels.split(';').map((step) => {
		const [from, level] = step.split(',').map(numberOf);
		return { from, level };
	});
	return { ...header, at, steps, known };
}

const numberOf = (written: string) => (written === '' ? 0 : parseInt(written, 36));

export const textOf = (time: number): string =>
	time === 0 ? '' : new Date(time * 1_000).toISOString().replace('.000Z', 'Z');
