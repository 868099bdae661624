import { hash } from 'node:crypto';
import { orMade } from '../kit/objects';

/**
 * What a trigger remembers between polls, and in the second half how it is written for n8n to store.
 *
 * Inquiries in `known` are unfinished, or a completion of theirs was found lately. For all others there are levels by
 * creation time: of an inquiry created in a step's range, completions up to its level are covered: they were reported, or
 * must not be. So memory stays small however long the history is.
 */

/** An inquiry in memory. `since` is of n8n's clock, the other times are of the service's; all in seconds. */
export interface Known {
	/** The head of ledger.ts explains each. */
	state: 'unfinished' | 'postponed' | 'covered' | 'doubted';
	/** Since when; for `doubted`, since the report, and for `unfinished` after `postponed`, since the postponement. */
	since: number;
	created: number;
	/**
	 * Completions up to this time are covered, as by a level: the latest time of the completion reported last, or when it was
	 * shown if it has no date. 0 as long as none is covered, also after a re-check.
	 */
	coveredTo: number;
	/** Last seen and believed; of a postponed completion, the one before it: '' if none was seen, or after a re-check. */
	status: string;
}

/** Whether its last completion, as far as is known, is not to be reported. */
export const isCoveredOrDoubted = ({ state }: { state: string }): boolean => state === 'covered' || state === 'doubted';

/** Of inquiries created from `from` on, up to the next step, completions up to `level` are covered. */
type Step = { from: number; level: number };

export class WatchMemory {
	/** When the last poll was, in milliseconds of n8n's clock. It never goes back, although that clock may. */
	at = 0;
	/** The latest time that rows have shown, in seconds. */
	latestShown = 0;
	/** What time it was at the service at the last poll, in seconds. */
	lastServiceTime = 0;
	/** Where levels began, at the activation: what is dated up to here was there before, so not even a re-check reports it. */
	startLevel = 0;
	/** Whether rows write times without a zone. */
	zoneless = false;
	known = new Map<string, Known>();
	steps: Step[] = [{ from: 0, level: 0 }];
	/** The newest rows are read from this creation time on. */
	newestFrom = 0;
	/** Where the sweep continues: a creation time. In a list that is read whole, an offset. */
	continueAt = 0;
	/** Polls in a row that could not read everything they should. */
	incompletePolls = 0;
	/** Whether the notice of these polls waits for a poll without events. */
	owesNotice?: boolean;
	/** Statuses that the API documentation does not list, of which the user was told. */
	toldStatuses: string[] = [];

	constructor(
		/** The organization that the inquiries belong to, and the digest of the credential last known to belong to it. */
		public organization: string,
		public account: string,
		public filters: string,
	) {}
}

/** Stands for an ID in memory. Two of so many inquiries hardly ever share these 48 bits. */
export const fingerprintOf = (id: string): string => hash('md5', id, 'base64url').slice(0, 8);

export function levelAt(steps: readonly Step[], created: number): number {
	let place = steps.length - 1;
	while (steps[place].from > created) place--;
	return steps[place].level;
}

/** Raises the level of creation times in [from, to) to at least `level`. */
export function raise(steps: readonly Step[], from: number, to: number, level: number): Step[] {
	const edges = [...new Set([...steps.map((step) => step.from), from, to])].sort((a, b) => a - b);
	const raised = edges.filter(Number.isFinite).map((edge) => ({
		from: edge,
		level: Math.max(levelAt(steps, edge), edge >= from && edge < to ? level : 0),
	}));
	return raised.filter((step, index) => index === 0 || step.level !== raised[index - 1].level);
}

// SECOND HALF: how it is written. The rule needs none of it.

/** Raise it whenever the stored text changes its meaning. */
const version = 17;

/** So that what somebody changed by hand is not taken for a memory. */
const sumOf = (at: number, text: string) => hash('md5', `${at} ${text}`, 'base64url').slice(0, 8);

/** What n8n stores between polls. `at` is beside the text, so that the newer of two copies is found without reading them. */
export type SavedMemory = ReturnType<typeof save>;

/** The text has a line of entries for each state and status, both by name, so that another version may know others. */
export function save({ known, steps, at, ...header }: WatchMemory) {
	const lines = new Map<string, Array<[string, Known]>>();
	for (const [id, entry] of known) orMade(lines, `${entry.state} ${entry.status}`, () => []).push([id, entry]);
	const names = [...lines.values()].map(([[, { state, status }]]) => [state, status]);
	const levels = steps.map(({ from, level }) => `${from.toString(36)},${level.toString(36)}`).join(';');
	const text = [JSON.stringify({ ...header, lines: names }), levels, ...[...lines.values()].map(lineOf)].join('\n');
	return { version, at, sum: sumOf(at, text), text };
}

/** In the order of their creation, each time is written as the distance from that of the entry before, and none as nothing. */
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
