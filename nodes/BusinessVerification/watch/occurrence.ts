import { isEnd } from '../document/inquiries';

/**
 * What an occurrence is: a run, known by when it began, when it ended and how. All times are whole seconds; `began`, `date`,
 * `created` and the level are the service's, `now`, `told` and `open` are of our own clock, which only goes on.
 *
 * The rule is short because nothing waits and nothing is guessed: an end is told if it began or ended after what was told
 * last, or if the inquiry was seen unfinished so long ago that no copy of the service can still show the end before.
 * `npm run lives -- trigger rule` plays every life of an inquiry against it.
 */

/** No copy that a list or a record shows is older than this, in seconds. */
export const oldestCopy = 300;

/** What is known of one inquiry. */
export interface Known {
	created: number;
	/** When the run began that was told last; of an inquiry met later, the level up to which all counts as told. */
	began: number;
	/** When it ended; of an inquiry met later, the level. */
	date: number;
	/** That date came with that run: it is not one kept from a run before, nor is it still to come. */
	own: boolean;
	/** When it was told; 0 where that was long ago. */
	told: number;
	/** It was the first end after the inquiry was seen to run for the first time: no old copy can show another. */
	first: boolean;
	/** Since when it is seen unfinished; 1 where no old copy is in doubt, 0 where it is not. */
	open: number;
	/** Status last seen; empty where none was. */
	status: string;
	/** Since when it is nowhere, or in a status that nobody knows; 0 if it is not. */
	astray: number;
	/** Since when it shows an end, or is in doubt, and its record or its results are waited for. */
	waits: number;
	/** Ended when it was met, and not told. */
	silent: boolean;
}

/** What a row shows of an inquiry. */
export interface Sight {
	created: number;
	/** When its run began; when the inquiry was created, where the row does not say. */
	start: number;
	/** 0 where it shows none that can be believed. */
	date: number;
	/** It shows a date that cannot be. */
	isWrong: boolean;
	/** It shows when its run began. */
	isStarted: boolean;
	status: string;
}

/** Where and when it is looked at. */
export interface Look {
	now: number;
	/** Ends dated before were there at the activation. */
	cut: number;
	/** The first look of all: what has ended is entered without being told. */
	isFirst: boolean;
	/** Nothing that ended up to a time of our clock is dated after this. */
	latestAt(time: number): number;
}

/** Not met before: what began or ended up to the level counts as told. */
export const entered = (created: number, level: number): Known => ({
	created,
	began: created > level ? 0 : level,
	date: created > level ? 0 : level,
	own: true,
	told: 0,
	first: false,
	open: 0,
	status: '',
	astray: 0,
	waits: 0,
	silent: false,
});

export const isAged = (time: number, now: number): boolean => now > time + oldestCopy;

/** A date from before the run began is of a run before. */
const fits = ({ date, start }: Sight) => date > 0 && date >= start;

/** Whether what it shows is after what was told last, whatever copy shows it. */
export function isLater(entry: Known, sight: Sight, { cut, latestAt }: Look): boolean {
	const { start, date } = sight;
	if (fits(sight) && date < cut) return false;
	// A date that was missing is not after what was told without it, unless it is of a time after that.
	const last = entry.own ? entry.date : Math.max(entry.date, latestAt(entry.told));
	return start > entry.began || date > last;
}

/** Whether an end is to be told. */
export const isToTell = (entry: Known, sight: Sight, look: Look): boolean =>
	isLater(entry, sight, look) || isOther(entry, sight, look.now) || (entry.open > 0 && isAged(entry.open, look.now));

/** An outcome that is not the one told is of another run, where no copy can show the one before. */
const isOther = ({ status, began, date, first, told }: Known, sight: Sight, now: number) =>
	isEnd(status) &&
	status !== sight.status &&
	sight.start >= (sight.isStarted ? began : 0) &&
	(sight.date === 0 || sight.date >= date) &&
	(first || isAged(told, now));

/** After its end was told. */
export const afterTelling = (entry: Known, sight: Sight, look: Look): Known => ({
	...entry,
	began: Math.max(entry.began, sight.isStarted ? sight.start : Math.max(sight.start, sight.date)),
	date: Math.max(entry.date, sight.date),
	// What was told without a date may be the one that this date is of.
	own: sight.isWrong || (fits(sight) && sight.date > entry.date && (entry.own || isLater(entry, sight, look))),
	told: look.now,
	first: entry.began === 0 && entry.status !== '' && !isEnd(entry.status),
	open: 0,
	status: sight.status,
	astray: 0,
	waits: 0,
	silent: false,
});

/** Ended when it was met at the first look: what it shows counts as told. */
export const metEnded = (sight: Sight, now: number): Known => ({
	...entered(sight.created, 0),
	began: sight.isStarted ? sight.start : Math.max(sight.start, sight.date),
	date: sight.date,
	own: sight.isWrong || fits(sight),
	told: now,
	status: sight.status,
	silent: true,
});

/** Where what was told had no date of its own, a later one is taken for it. */
export const dated = (entry: Known, { date }: Sight): Known =>
	entry.own || date <= entry.date ? entry : { ...entry, date, own: date >= entry.began };

/** Unfinished, and not met before. */
export function metUnfinished(sight: Sight, level: number, { now, cut, isFirst }: Look): Known {
	const met = { ...entered(sight.created, level), open: sight.created > level ? 1 : now };
	if (!isFirst) return met;
	return { ...met, began: Math.max(0, sight.start - 1), date: sight.date <= cut ? sight.date : level };
}

/** Unfinished: it runs again, or is an old copy of what was told; then the next end of it is looked at closely. */
export function afterUnfinished(known: Known, sight: Sight, now: number): Known {
	const entry = dated(known, sight);
	// The date of an end is shown by the run after it, and never by the run that it ended.
	const isAfter = sight.start > entry.began || (entry.own && entry.date > 0 && sight.date === entry.date);
	if (entry.open > 0 || isAfter || isAged(entry.told, now)) return { ...entry, open: entry.open || now };
	return { ...entry, waits: entry.waits || now };
}
