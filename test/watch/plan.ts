import type { PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import type { StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
import type { Service, Shown, World } from './service';

export interface Plan {
	seed: number;
	hours?: number;
	intervalMs?: number;
	budgetMs?: number;
	/** Finished inquiries before the activation. */
	history?: number;
	/** The activation comes before the first inquiry. */
	isNew?: boolean;
	perMinute?: number;
	/** How long an inquiry runs, on average. */
	lifeMs?: number;
	/** So long before its end an inquiry is in a status that the document does not list. */
	heldMs?: number;
	rerunsPerMinute?: number;
	rerunMs?: () => number;
	/** So long after its end, at least, an inquiry runs again. */
	restMs?: number;
	/** n8n saves a poll's memory only together with a report, and is started again in the middle. */
	saves?: 'always' | 'onReport';
	/** No polls for so long, in the middle. */
	offMs?: number;
	page?: number;
	/** Up to the middle only every second inquiry passes the filter. */
	filterChanges?: boolean;
	/** A filter on the score, which the service looks at. */
	isJudged?: boolean;
	/** Lists are empty for so many polls, a quarter of the way. */
	emptyPolls?: number;
	/** So many inquiries, running and ended ones, are gone a quarter of the way, for so long or for ever. */
	vanish?: { count: number; forMs: number };
	/** So many that ended long ago join the list halfway, as if tagged only now. */
	tagged?: number;
	options?: Partial<PollOptions>;
}

export interface Verdict {
	/** Ends that had to be told. */
	ends: number;
	lost: string[];
	repeated: string[];
	early: string[];
	/** Told later than the world allows. */
	late: string[];
	/** One key for two ends. */
	keys: string[];
	/** Ends that were not told, by the limit that excuses it. */
	limits: Record<string, number>;
}

/** A trigger's life: what there was, and what it told. */
export interface Life extends Verdict {
	service: Service;
	world: World;
	plan: Plan;
	events: StatusEvent[];
	/** When the poll began that told a completion first, by `endOf`. */
	toldAt: Map<string, number>;
	/** The first poll that came through, from its beginning to its end. */
	begunAt: number;
	activatedAt: number;
	/** Whether its lists were empty by mistake. */
	beganEmpty?: boolean;
	/** The last poll before the filter changed began, and the first one after it ended. */
	changedFrom: number;
	changedAt: number;
	/** The last poll before that began whose memory was saved. */
	keptFrom: number;
	/** What answers had shown before that, to polls whose memory was saved. */
	shownBefore: Shown;
	/** No polls meanwhile. */
	pause: [from: number, to: number];
	/** Hours without a poll that came through: the pause, if it is that long, and polls that all failed. */
	outages: Array<[from: number, to: number]>;
	/** Within this time, while polls go on, everything that stands is found. */
	settlingMs: number;
	slowestMs: number;
	mostRequests: number;
	largestState: number;
	failures: number;
	notice?: string;
}

/** What passes before a change of filter. */
export const isOfFirstFilter = ({ id }: { id: string }) => parseInt(id.slice(-2, -1), 16) % 2 === 0;
