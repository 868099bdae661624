import { fingerprintOf, isCoveredOrDoubted, type WatchMemory } from './memory';
import { Poll, type PollOptions } from './poll';
import { isPastOldAnswers, type ListedRow, secondsOf, type StatusSource } from './rows';

/**
 * A list without filters and without a documented order: the batches, or the inquiries of one batch. So each poll reads all of
 * it, up to its budget, and memory holds all of it. Any difference from memory is reported.
 */
export async function pollWholeList(source: StatusSource, saved: WatchMemory | undefined, options: PollOptions) {
	const poll = new Poll(source, saved, options, true);
	const rows = await readList(poll);
	if (poll.beginning.backMs !== undefined) poll.beginWith(rows);
	for (const listed of rows) {
		const row = await confirmed(poll, listed);
		if (row) poll.ledger.see(row);
	}
	return poll.end(await poll.judgedEvents());
}

/** A list that is cut is continued by the next poll. */
async function readList(poll: Poll): Promise<ListedRow[]> {
	const { memory, budget, limits } = poll;
	// If the order changes between two pages, a row can be on both.
	const rows = new Map<string, ListedRow>();
	let offset = memory.continueAt;
	for (let isAtEnd = false; !isAtEnd;) {
		poll.isCut = rows.size > 0 && !budget.allows(0.9);
		if (poll.isCut) break;
		const page = await budget.page({ limit: limits.page, offset });
		for (const row of page.rows) rows.set(row.id, row);
		isAtEnd = page.isLast;
		offset += page.rows.length;
		memory.continueAt = isAtEnd ? 0 : offset;
	}
	return [...rows.values()];
}

/** For five minutes, a row that contradicts a report or shows no later end may be outdated: its record decides. */
async function confirmed(poll: Poll, row: ListedRow): Promise<ListedRow | undefined> {
	const { memory, now } = poll;
	const known = memory.known.get(fingerprintOf(row.id));
	// As in `adopt`: later than what is covered of one that was unfinished at the activation.
	const end = secondsOf(row.completedAt) || memory.startLevel + 1;
	const mayBeOlder = known && (isCoveredOrDoubted(known) || end <= known.coveredTo);
	const mayBeOutdated = mayBeOlder && known.status !== row.status && !isPastOldAnswers(known.since, now);
	if (!mayBeOutdated) return row;
	const record = await poll.ifTime(poll.allows(), () => poll.budget.read(row.id));
	return record === 'gone' ? row : record;
}
