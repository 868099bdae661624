import { endStatuses, isEnd, isKnownStatus } from '../document/statuses';
import type { Budget } from './budget';
import type { Clock } from './clock';
import type { Ledger } from './ledger';
import type { Lists } from './lists';
import { levelAt, type Memory } from './memory';
import { inFull, seconds } from './source';
import { isIn, type Range } from './ranges';

interface Looking {
	memory: Memory;
	ledger: Ledger;
	lists: Lists;
	budget: Budget;
	clock: Clock;
}

interface Missing {
	id: number;
	created: number;
}

const share = 0.85;
/** For so many minutes what is nowhere is looked for, and where it must stay in memory, for so many. */
const longestAbsence = 5;
const longestSearch = 60;
const failuresAtMost = 3;

/** Looks for what was unfinished and is not among the unfinished ones any more: it ended, vanished, or was overlooked. */
export async function readMissing(looking: Looking, active: readonly Range[]): Promise<void> {
	const { memory, ledger, clock } = looking;
	const missing = [...memory.known]
		.filter(([id, { running, created }]) => running && !ledger.seen.has(id) && isIn(active, created))
		.filter(
			([, { status, astray }]) => (status === '' || isKnownStatus(status)) && clock.since(astray) <= longestSearch,
		)
		.map(([id, { created, astray }]) => ({ id, created, astray }))
		.sort((a, b) => a.created - b.created);
	// What was looked for in vain before must not keep the others waiting.
	await resolve(
		looking,
		missing.filter(({ astray }) => astray === 0),
	);
	await resolve(
		looking,
		missing.filter(({ astray }) => astray > 0),
	);
	const trouble = await readDates(looking);
	if (trouble !== undefined) throw trouble;
}

/** By pages of ended ones as long as a page settles several, else by all rows of one creation time. */
async function resolve(looking: Looking, missing: Missing[]): Promise<void> {
	const { ledger, lists } = looking;
	let queue = missing;
	while (queue.length > 2 && lists.mayAsk(share)) {
		const from = queue[0].created;
		const to = queue[queue.length - 1].created + 1;
		const { next } = await lists.read({ at: from, offset: 0 }, { status: endStatuses, to, pages: 1, share });
		const reached = next?.at ?? to;
		const passed = queue.filter(({ created }) => created < reached);
		const open = passed.filter(({ id }) => !ledger.seen.has(id));
		queue = queue.filter(({ id, created }) => created >= reached && !ledger.seen.has(id));
		await resolveSingly(looking, open);
		if (reached <= from) break;
		if (passed.length - open.length > 2) continue;
		await resolveSingly(looking, queue.slice(0, 8));
		queue = queue.slice(8).filter(({ id }) => !ledger.seen.has(id));
	}
	await resolveSingly(looking, queue);
}

async function resolveSingly({ memory, ledger, lists, clock }: Looking, missing: Missing[]): Promise<void> {
	for (const { id, created } of missing) {
		if (ledger.seen.has(id)) continue;
		if (!lists.mayAsk(share)) return;
		const { covered } = await lists.read({ at: created, offset: 0 }, { to: created + 1, share });
		const entry = memory.known.get(id);
		if (!entry || ledger.seen.has(id) || !isIn(covered, created)) continue;
		const astray = entry.astray || clock.latestPoll;
		// What no level covers yet would count as new if it came back. Where all lists are empty, nothing is known to be gone.
		const mayLeave = ledger.seen.size > 0 && created <= levelAt(memory.steps, created);
		if (clock.since(astray) >= longestAbsence && mayLeave) ledger.remove(id);
		else ledger.put(id, { ...entry, astray });
	}
}

/** Ends whose row shows no date are read by themselves; one that cannot be read stays for the next poll. */
export async function readDates({ memory, ledger, lists, budget, clock }: Looking): Promise<unknown> {
	let failures = 0;
	let trouble: unknown;
	for (const [id, row] of ledger.undated) {
		if (ledger.read.has(id)) continue;
		if (failures >= failuresAtMost || !lists.mayAsk(share)) break;
		ledger.read.set(id, false);
		try {
			const record = await budget.read(row.id);
			ledger.read.set(id, record === 'gone' || (record.status === row.status && clock.dateOf(record) === 0));
			// In another status it is another end, which counts if it is dated after what was told.
			if (record === 'gone' || !record.completedAt) continue;
			if (record.status === row.status) ledger.see(inFull({ ...row, completedAt: null }, record));
			else if (isEnd(record.status) && seconds(record.completedAt) > memory.known.get(id)!.date) ledger.see(record);
		} catch (error) {
			failures++;
			trouble ??= error;
		}
	}
	return trouble;
}
