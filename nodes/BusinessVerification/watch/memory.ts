import { hash } from 'node:crypto';

/**
 * What a trigger remembers between polls, and how n8n stores it.
 *
 * Inquiries in `known` are unfinished, or a completion of theirs was reported lately. For all others there are levels by
 * creation time: of an inquiry created in a step's range, completions up to its level are covered: they were reported, or
 * must not be. So memory stays small however long the history is.
 */

/** `created` and `coveredTo` are times of the service, the others of our clock; all in seconds. */
export interface Known {
	created: number;
	/**
	 * Completions up to this time are covered, as by a level: the latest time of the completion reported last, or the time of
	 * its report if it showed no date. 0 as long as none is covered.
	 */
	coveredTo: number;
	/** When that completion was reported; 0 if long ago. */
	reportedAt: number;
	/** Since when the inquiry is seen unfinished; 0 if it is finished. */
	unfinishedSince: number;
	/** Since when a completion waits for its results or, beside no `unfinishedSince`, for rows that prove it; 0 if none does. */
	pendingSince: number;
	status: string;
}

/** Of inquiries created from `from` on, up to the next step, completions up to `level` are covered. */
interface Step {
	from: number;
	level: number;
}

export class WatchMemory {
	/** Our clock in milliseconds. It never goes back, whatever the host's clock does. */
	at = 0;
	/** The newest time that rows have shown, in seconds. */
	newest = 0;
	/** What time it was at the service at the last poll, in seconds. */
	serviceTime = 0;
	/** Nothing dated before this is reported, also not by a re-check. */
	floor = 0;
	/** Whether rows write times without a zone. */
	zoneless = false;
	known = new Map<string, Known>();
	steps: Step[] = [{ from: 0, level: 0 }];
	/** The newest rows are read from this creation time on. */
	newestFrom = 0;
	/** Where the sweep continues: a creation time. In a list that is read whole, an offset. */
	continueAt = 0;
	/** Polls in a row that could not read everything they should. */
	strained = 0;
	/** Whether the notice of these polls waits for a poll without events. */
	owesNotice?: boolean;

	constructor(
		/** The organization that the inquiries belong to, and the digest of the credential last known to belong to it. */
		public organization: string,
		public account: string,
		public filters: string,
	) {}
}

/** Whether a completion is expected, so that the inquiry is searched for and stays in memory. */
export const isAwaited = ({ unfinishedSince, pendingSince }: Known): boolean => unfinishedSince + pendingSince > 0;

/** Stands for an ID in memory. Two of so many inquiries hardly ever share these 48 bits. */
export const fingerprintOf = (id: string): string => hash('md5', id.toLowerCase(), 'base64url').slice(0, 8);

export function levelAt(steps: readonly Step[], created: number): number {
	let place = steps.length - 1;
	while (steps[place].from > created) place--;
	return steps[place].level;
}

/** Raises the level of creation times in [from, to) to at least `level`. */
export function raise(steps: readonly Step[], from: number, to: number, level: number): Step[] {
	const edges = [...new Set([...steps.map((step) => step.from), Math.max(0, from), to])].sort((a, b) => a - b);
	const raised = edges.filter(Number.isFinite).map((edge) => ({
		from: edge,
		level: Math.max(levelAt(steps, edge), edge >= from && edge < to ? level : 0),
	}));
	return raised.filter((step, index) => index === 0 || step.level !== raised[index - 1].level);
}

/** Raise it whenever the stored text changes its meaning. */
const version = 14;

/** What n8n stores between polls. `at` is beside the text, so that the newer of two copies is found without reading them. */
export type State = ReturnType<typeof save>;

export function save({ known, steps, at, ...header }: WatchMemory) {
	// By name, so that another version may know other statuses. Each has a line of its entries.
	const statuses = [...new Set([...known.values()].map(({ status }) => status))];
	const lines = statuses.map((status) => lineOf([...known].filter(([, entry]) => entry.status === status)));
	const levels = steps.map(({ from, level }) => `${from.toString(36)},${level.toString(36)}`).join(';');
	return { version, at, text: [JSON.stringify({ ...header, statuses }), levels, ...lines].join('\n') };
}

function lineOf(entries: Array<[string, Known]>): string {
	let before = 0;
	const sorted = entries.sort(([, a], [, b]) => a.created - b.created);
	const texts = sorted.map(([id, { created, unfinishedSince, coveredTo, reportedAt, pendingSince }]) => {
		const times = [unfinishedSince, coveredTo, reportedAt, pendingSince].map((time) => textIf(time, time - created));
		const gap = textIf(created - before, created - before);
		before = created;
		return id + [gap, ...times].join(',').replace(/(?<!,),+$/, '');
	});
	return texts.join(';');
}

/** Nothing stands for a zero, which is what most fields of most entries are. */
const textIf = (isGiven: number, value: number) => (isGiven === 0 ? '' : value.toString(36));

/** Undefined for anything but a whole memory of this version. */
export function recall(saved: unknown): WatchMemory | undefined {
	const { version: written, at, text } = (saved ?? {}) as Partial<State>;
	if (written !== version || !Number.isSafeInteger(at) || typeof text !== 'string') return undefined;
	try {
		return decoded(saved as State);
	} catch {
		return undefined;
	}
}

function decoded({ at, text }: State): WatchMemory {
	const [head, levels, ...lines] = text.split('\n');
	const { statuses, ...header } = JSON.parse(head) as WatchMemory & { statuses: string[] };
	const known = new Map<string, Known>();
	for (const [place, status] of statuses.entries()) {
		let created = 0;
		for (const entry of lines[place].split(';')) {
			const [gap, ...times] = entry.slice(8).split(',');
			created += numberOf(gap);
			const [unfinishedSince, coveredTo, reportedAt, pendingSince] = [0, 1, 2, 3].map((index) =>
				times[index] ? created + numberOf(times[index]) : 0,
			);
			known.set(entry.slice(0, 8), { created, status, unfinishedSince, coveredTo, reportedAt, pendingSince });
		}
	}
	const steps = levels.split(';').map((step) => {
		const [from, level] = step.split(',').map(numberOf);
		return { from, level };
	});
	return { ...header, at, steps, known };
}

const numberOf = (written = '') => (written === '' ? 0 : parseInt(written, 36));

export const textOf = (time: number): string =>
	time === 0 ? '' : new Date(time * 1_000).toISOString().replace('.000Z', 'Z');
