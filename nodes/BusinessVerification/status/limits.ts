import { largestPage } from '../document/figures';

/** The bounds of one poll and of what is remembered between polls. */
export interface Limits {
	/** Rows per page. */
	page: number;
	requests: number;
	events: number;
	/** Pages of the sweep in one poll. */
	sweepPages: number;
	/** Unfinished inquiries in memory. */
	running: number;
	/** Reported ends in memory. */
	ended: number;
}

export const defaultLimits: Limits = {
	page: largestPage,
	requests: 200,
	events: 5_000,
	sweepPages: 40,
	running: 40_000,
	ended: 30_000,
};

/** The service's clocks and copies may differ by this many seconds, by `leastSlack` under heavy load. */
export const slack = 600;
export const leastSlack = 180;
/** This many newest times are not believed alone: single rows may be dated in the future. */
export const doubted = 20;
/** More ends than this are not kept only because they are younger than `slack`. */
export const keptForSlack = 2_000;
