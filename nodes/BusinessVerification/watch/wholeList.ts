import { isEnd } from '../document/inquiries';
import { isAged } from './ledger';
import { fingerprintOf, type Memory, raise } from './memory';
import { Poll, type PollOptions, type PollResult } from './poll';
import { isLastPage, type ListedRow, type StatusSource } from './sources';

/**
 * Follows a list that has no filter and no documented order, so each poll reads all of it: the batches, with one request
 * for each page of them, or the inquiries of one batch. What differs from the last poll is reported.
 */
const pollOf =
	(remembered: number) =>
	async (source: StatusSource, saved: Memory | undefined, options: PollOptions): Promise<PollResult> => {
		const poll = new Poll(source, saved, options, true);
		const { memory, ledger } = poll;
		const { rows, isWhole } = await readList(poll);
		if (poll.start) poll.startFrom([...rows.values()]);
		for (const listed of rows.values()) {
			const row = await confirmed(poll, listed);
			if (row) ledger.see(row);
		}
		for (const [id, { unfinishedSince }] of isWhole && rows.size > 0 ? memory.known : [])
			if (unfinishedSince > 0 && !ledger.seen.has(id)) ledger.remove(id);
		const events = await poll.judgedEvents();
		if (remembered === Infinity) memory.steps = [{ from: 0, level: -1 }];
		else forgetOldest(memory, Math.min(remembered, poll.limits.ended));
		return poll.end(events);
	};

export const pollBatches = pollOf(3_000);
/** Every inquiry of the batch is in memory, so none needs a level. */
export const pollBatchInquiries = pollOf(Infinity);

/** What one poll has no time for is read by the next, from there on. */
async function readList(poll: Poll) {
	const { memory, budget, limits } = poll;
	const rows = new Map<string, ListedRow>();
	const began = memory.sweep;
	let offset = began;
	for (let isAtEnd = false; !isAtEnd;) {
		poll.isCut = rows.size > 0 && !budget.allows(0.9);
		if (poll.isCut) break;
		const page = await budget.page({ limit: limits.page, offset });
		for (const row of page.rows) rows.set(row.id, row);
		isAtEnd = isLastPage(page, offset, limits.page);
		offset += page.rows.length;
		memory.sweep = isAtEnd ? 0 : offset;
	}
	// If the order changed between two pages, a row can be on both, and another on none.
	return { rows, isWhole: began === 0 && memory.sweep === 0 && rows.size === offset };
}

/** A row that contradicts a completion reported lately may be an outdated answer, so its record decides. */
async function confirmed(poll: Poll, row: ListedRow): Promise<ListedRow | undefined> {
	const known = poll.memory.known.get(fingerprintOf(row.id));
	const isDoubtful = known && isEnd(known.status) && known.status !== row.status && !isAged(known.reportedAt, poll.now);
	if (!isDoubtful) return row;
	const record = poll.allows() ? await poll.budget.read(row.id).catch(poll.failed) : undefined;
	return record === 'gone' ? row : (record ?? undefined);
}

/** Drops the oldest finished batches and raises the level to them, so that memory stays bounded. */
function forgetOldest(memory: Memory, most: number): void {
	const ended = [...memory.known.values()]
		.filter(({ unfinishedSince }) => unfinishedSince === 0)
		.map(({ created }) => created);
	if (ended.length <= most) return;
	const level = ended.sort((a, b) => b - a)[most];
	memory.steps = raise(memory.steps, 0, Infinity, level);
	for (const [id, { unfinishedSince, created }] of memory.known)
		if (unfinishedSince === 0 && created <= level) memory.known.delete(id);
}
