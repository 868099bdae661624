/** The bounds of one poll and of what is remembered between polls. */
export interface Limits {
	/** Rows per page; 500 is the service's maximum. */
	page: number;
	requests: number;
	events: number;
	/** Pages of the slow sweep that finds what finished unseen. */
	sweepPages: number;
	tracked: number;
	/** Ends remembered against repeating them, beside those of the last minutes. */
	ended: number;
	/** How long after its creation time an inquiry may become visible in the list, in milliseconds. */
	lateness: number;
	/** How far the service's clocks may disagree, in milliseconds. */
	slack: number;
}

export const defaultLimits: Limits = {
	page: 500,
	requests: 200,
	events: 5_000,
	sweepPages: 1,
	tracked: 40_000,
	ended: 3_000,
	lateness: 120_000,
	slack: 300_000,
};
