import { packEnds, packTracked, unpackEnds, unpackTracked } from './packing';

/** An inquiry or batch that was seen unfinished since it was last reported. */
export interface Tracked {
	createdAt: number;
	/** The status last seen; empty where it was never seen unfinished. */
	status: string;
	/** Seen unfinished shortly after its end was reported: a lagging replica of the service may have said so. */
	doubtful?: boolean;
	/** The last direct read did not find it. */
	missing?: boolean;
}

export interface End {
	/** When it ended, in milliseconds. */
	stamp: number;
	status: string;
}

/** What is remembered from one poll to the next. */
export interface Memory {
	/** What is watched and with which filters. */
	scope: string;
	/** The service's time at the last poll. */
	at: number;
	/** Ends before then were never ours to report: where the first activation began. */
	own: number;
	/** Everything created until then has been looked at. */
	mark: number;
	/** Where the scan of new inquiries goes on after it was cut short; 0: it was not. */
	resume: number;
	/** The same for the scan of unfinished ones. */
	activeFrom: number;
	/** Ends until then are known, reported or not ours to report. */
	horizon: number;
	sweepFrom: number;
	sweepStart: number;
	tracked: Map<string, Tracked>;
	/** Reported ends after the horizon, by fingerprint of the id. */
	ended: Map<string, End>;
}

/** The saved form. `v` and `at` never change their meaning, so that any version of the package can go on from any other. */
export interface State {
	v: number;
	at: number;
	[key: string]: unknown;
}

export const stateVersion = 1;

export function emptyMemory(scope: string, at: number): Memory {
	return {
		scope,
		at,
		own: at,
		mark: at,
		resume: 0,
		activeFrom: 0,
		horizon: at,
		sweepFrom: 0,
		sweepStart: 0,
		tracked: new Map(),
		ended: new Map(),
	};
}

export function save({ tracked, ended, ...numbers }: Memory): State {
	const used = [...tracked.values(), ...ended.values()].map(({ status }) => status);
	// One capital letter each; what exceeds the alphabet counts as never seen.
	const statuses = [...new Set(['', ...used])].slice(0, 26);
	return {
		v: stateVersion,
		...numbers,
		statuses,
		tracked: packTracked(tracked, statuses),
		ended: packEnds(ended, statuses),
	};
}

/** What was saved; only its time where another version or another set of filters wrote it; nothing where it is no state. */
export function recall(saved: unknown, scope: string): Memory | { since: number } | undefined {
	if (!isState(saved)) return undefined;
	const { at, v } = saved;
	const number = (key: string) => (typeof saved[key] === 'number' ? (saved[key] as number) : NaN);
	const text = (key: string) => (typeof saved[key] === 'string' ? (saved[key] as string) : undefined);
	const statuses = Array.isArray(saved.statuses) ? Array.from(saved.statuses, String) : undefined;
	const tracked = text('tracked');
	const ended = text('ended');
	if (v !== stateVersion || saved.scope !== scope || !statuses || tracked === undefined || ended === undefined) {
		return { since: at };
	}
	const memory: Memory = {
		scope,
		at,
		own: number('own') || 0,
		mark: number('mark'),
		resume: number('resume') || 0,
		activeFrom: number('activeFrom') || 0,
		horizon: number('horizon'),
		sweepFrom: number('sweepFrom') || 0,
		sweepStart: number('sweepStart') || 0,
		tracked: unpackTracked(tracked, statuses),
		ended: unpackEnds(ended, statuses),
	};
	return Number.isNaN(memory.mark + memory.horizon) ? { since: at } : memory;
}

function isState(value: unknown): value is State {
	if (typeof value !== 'object' || value === null) return false;
	const { v, at } = value as Partial<State>;
	return typeof v === 'number' && typeof at === 'number' && Number.isFinite(at);
}

// Globals are slow to reach in the separate context where n8n, like jest, runs modules.
const { imul } = Math;

/** The upper 20 bits of two hashes with different starts: enough to tell apart thousands of ids that ended at one instant. */
export function fingerprint(id: string): string {
	let first = 0x11c9dc5;
	let second = 0x2f0b4a27;
	for (let index = 0; index < id.length; index++) {
		const code = id.charCodeAt(index);
		first = imul(first ^ code, 0x01000193);
		second = imul(second ^ (code + index), 0x5bd1e995);
		second ^= second >>> 15;
	}
	first = imul(first ^ (first >>> 15), 0x2c1b3c6d);
	return part(first ^ (first >>> 13)) + part(second);
}

const part = (hash: number) => (hash >>> 12).toString(36).padStart(4, '0');

/** From when on ends are reported once more after a restart. */
export const recheckedFrom = ({ at, own }: Memory, recheckMs: number): number => Math.max(at - recheckMs, own);
