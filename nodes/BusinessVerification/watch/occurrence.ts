import { isEnd } from '../document/inquiries';

/**
 * An occurrence is one run of an inquiry: when it began, when it finished, and with which status. All times are whole
 * seconds. `created`, `began`, `date` and the level are of the service; `now`, `told` and `open` of our clock, which
 * never goes back.
 *
 * `isToTell` reports a completion in three cases only: its run began or finished after the one reported last; its
 * status differs, and no outdated copy can explain that; or the inquiry has been unfinished for longer than any copy is
 * outdated. `npm run lives -- trigger rule` checks this against every life of an inquiry.
 */

/** The oldest copy that a list or a record may show, in seconds. */
export const oldestCopy = 300;

/** What memory holds of one inquiry. */
export type Known = ReturnType<typeof entered>;

/** An inquiry not seen before: runs that began or finished up to the level count as reported. */
export const entered = (created: number, level: number) => ({
	created,
	/** When the run reported last began. For an inquiry stored later: the level, as if reported up to there. */
	began: created > level ? 0 : level,
	/** When that run finished. For an inquiry stored later: the level. */
	date: created > level ? 0 : level,
	/** Whether `date` belongs to the run reported last, rather than to an earlier one or still missing. */
	own: true,
	/** When the completion was reported; 0 if long ago. */
	told: 0,
	/** Whether this was the first completion after the first run was seen. No outdated copy can show another. */
	first: false,
	/** Since when the inquiry is unfinished; 0 if it is finished, 1 if no outdated copy can explain it. */
	open: 0,
	/** The status seen last, or empty. */
	status: '',
	/** Since when no list shows the inquiry or its status is unknown, otherwise 0. */
	astray: 0,
	/** Since when a completion, or a doubt about one, waits for the record or the results, otherwise 0. */
	waits: 0,
	/** Finished when first seen, and not reported. */
	silent: false,
});

/** What a row shows of an inquiry. */
export interface Sight {
	created: number;
	/** When the run began, or when the inquiry was created if the row does not say. */
	start: number;
	/** When the run finished; 0 if the row shows no plausible date. */
	date: number;
	/** Whether the row shows a completion date too far in the future. */
	isWrong: boolean;
	/** Whether the row shows when the run began. */
	isStarted: boolean;
	status: string;
}

/** The circumstances of the poll that shows a row. */
export interface Look {
	now: number;
	/** Completions dated before this had happened when the trigger was activated. */
	cut: number;
	/** In the first poll, finished inquiries are stored without being reported. */
	isFirst: boolean;
	/** The latest date of a completion that happened by `time` of our clock. */
	latestAt(time: number): number;
}

export const isAged = (time: number, now: number): boolean => now > time + oldestCopy;

/** A date from before the run began belongs to an earlier run. */
const fits = ({ date, start }: Sight) => date > 0 && date >= start;

/** A date from before the creation shows only that two clocks differ. */
const mayBeOwn = (sight: Sight) => fits(sight) || !sight.isStarted;

const isBefore = (sight: Sight, cut: number) => fits(sight) && sight.date < cut;

/** Whether the row shows a later run or completion than the one reported. An outdated copy cannot. */
export function isLater(entry: Known, sight: Sight, { cut, latestAt }: Look): boolean {
	const { start, date } = sight;
	if (isBefore(sight, cut)) return false;
	// After a report without a date, a date may belong to that completion unless it is too late for it.
	const last = entry.own ? entry.date : Math.max(entry.date, latestAt(entry.told));
	return start > entry.began || date > last;
}

export const isToTell = (entry: Known, sight: Sight, look: Look): boolean =>
	isLater(entry, sight, look) || isOther(entry, sight, look) || (entry.open > 0 && isAged(entry.open, look.now));

/** A different final status is another run if no copy can still show the run before. */
const isOther = ({ status, began, date, first, told }: Known, sight: Sight, { now, cut }: Look) =>
	isEnd(status) &&
	!(sight.date > date && isBefore(sight, cut)) &&
	status !== sight.status &&
	sight.start >= (sight.isStarted ? began : 0) &&
	((first && (sight.date === 0 || sight.date >= date)) || isAged(told, now));

export const afterTelling = (entry: Known, sight: Sight, look: Look): Known => ({
	...entered(entry.created, 0),
	began: Math.max(entry.began, sight.isStarted ? sight.start : Math.max(sight.start, sight.date)),
	date: Math.max(entry.date, sight.date),
	// After a report without a date, this date may still belong to the completion reported then.
	own: sight.isWrong || (mayBeOwn(sight) && sight.date > entry.date && (entry.own || isLater(entry, sight, look))),
	told: look.now,
	first: entry.began === 0 && entry.status !== '' && !isEnd(entry.status),
	status: sight.status,
});

/**
 * Finished when first seen in the first poll, so its completion counts as reported then. Without times in the row, it
 * counts as dated `latest`, so that its record can show another one.
 */
export function metEnded(sight: Sight, now: number, latest: number): Known {
	const { created, start, date, isWrong, isStarted, status } = sight;
	const isBare = !isStarted && date === 0 && !isWrong;
	return {
		...entered(created, 0),
		began: isStarted ? start : Math.max(start, date),
		date: isBare ? latest : date,
		own: isBare || isWrong || (date > 0 && mayBeOwn(sight)),
		told: now,
		status,
		silent: true,
	};
}

/** Adds the date of a completion that was reported without one. Another final status has a date of its own. */
export const dated = (entry: Known, { date, status }: Sight): Known =>
	entry.own || date <= entry.date || (isEnd(status) && status !== entry.status)
		? entry
		: { ...entry, date, own: date >= entry.began };

/** Unfinished when first seen. */
export function metUnfinished(sight: Sight, level: number, { now, cut, isFirst }: Look): Known {
	const met = { ...entered(sight.created, level), open: sight.created > level ? 1 : now };
	if (!isFirst) return met;
	return { ...met, began: Math.max(0, sight.start - 1), date: sight.date <= cut ? sight.date : level };
}

/** A copy may show a reported inquiry as unfinished. Unless it must run again, `waits` makes its record decide. */
export function afterUnfinished(known: Known, sight: Sight, now: number): Known {
	const entry = dated(known, sight);
	// An unfinished copy of the reported run cannot show its completion date; the run after it does.
	const isAfter = sight.start > entry.began || (entry.own && entry.date > 0 && sight.date === entry.date);
	if (entry.open > 0 || isAfter || isAged(entry.told, now)) return { ...entry, open: entry.open || now };
	return { ...entry, waits: entry.waits || now };
}
