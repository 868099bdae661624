import { isEnd } from '../../nodes/BusinessVerification/document/inquiries';
import type { StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
import { recall, save, type SavedMemory } from '../../nodes/BusinessVerification/watch/memory';
import type { ListedRow } from '../../nodes/BusinessVerification/watch/rows';
import { pollWholeList } from '../../nodes/BusinessVerification/watch/wholeList';
import { List } from './list';
import { randomFrom } from './random';

// Where every answer is of this moment, a poll of a whole list tells exactly what differs from the poll before it.

const finals = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

/** What the last poll made of an inquiry: with a completion that could not be reported, what it was before that. */
type Seen = Pick<ListedRow, 'completedAt'> & { status: string | null; waitsSince?: number };

/** A re-run that no poll saw shows in its date or its outcome alone. */
function differences(before: Map<string, Seen>, rows: ListedRow[], now: number): string[] {
	return rows.flatMap(({ id, status, completedAt }) => {
		const old = before.get(id);
		const waited = old?.waitsSince === undefined ? 0 : Math.round((now - old.waitsSince) / 60);
		const what = `${isEnd(status) ? 'ended' : 'changed'} ${id} ${old?.status ?? '-'} > ${status}, waited ${waited}`;
		if (!old) return [`created ${id} - > ${status}, waited 0`, ...(status === 'PLANNING' ? [] : [what])];
		const isEndSeen = old.completedAt === completedAt && old.waitsSince === undefined;
		const isSame = old.status === status && (!isEnd(status) || isEndSeen);
		return isSame ? [] : [what];
	});
}

describe.each([
	['batches', false],
	['inquiries of a batch', true],
])('%s that live at random', (_, isDated) => {
	it.each(Array.from({ length: 60 }, (__, index) => index + 1))('seed %i: each difference once', async (seed) => {
		const random = randomFrom(seed);
		const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
		const list = new List(isDated);
		for (let count = Math.floor(random() * 12); count > 0; count--) list.end(list.add(`old${count}`), pick(finals));
		let [memory, seen] = [undefined as SavedMemory | undefined, new Map<string, Seen>()];
		let stored: [SavedMemory, Map<string, Seen>] | undefined;
		for (let round = 0; round < 25; round++) {
			for (let moves = Math.floor(random() * 6); moves > 0; moves--) {
				const row = pick([undefined, ...list.rows]);
				if (!row) list.add(`r${round}m${moves}`, 'PLANNING');
				else if (row.status === 'PLANNING' && random() < 0.5) list.run(row);
				else if (!isEnd(row.status)) list.end(row, pick(finals));
				else if (random() < 0.5) list.run(row);
				else list.end(row, pick(finals));
			}
			list.now += 60_000;
			if (random() < 0.3) list.rows.sort(() => random() - 0.5);
			const { page } = list;
			const isFailing = random() < 0.15;
			if (isFailing) list.page = () => Promise.reject(new Error('unavailable'));
			const now = Math.floor(list.now / 1_000);
			const waiting: string[] = [];
			const verdictsOn = (events: StatusEvent[]) => {
				const isReady = ({ kind, row: { id } }: StatusEvent) => kind !== 'ended' || random() < 0.8 || !waiting.push(id);
				return new Map(events.filter(isReady).map((event) => [event, event.row]));
			};
			const result = await pollWholeList(list, recall(memory), {
				...{ organization: 'o', account: 'a', filters: 'all', limits: { page: 5 } },
				judge: async (events) => verdictsOn(events),
			}).catch(() => undefined);
			list.page = page;
			expect(result === undefined).toBe(isFailing);
			// n8n is stopped before it saved anything.
			if (!result || random() < 0.1) continue;
			const told = result.events.map(
				({ kind, row, previousStatus, waited }) =>
					`${kind} ${row.id} ${previousStatus ?? '-'} > ${row.status}, waited ${waited}`,
			);
			const isLate = (said: string) => waiting.some((id) => said.startsWith(`ended ${id} `));
			const expected = memory === undefined ? [] : differences(seen, list.rows, now).filter((said) => !isLate(said));
			expect(told.sort()).toEqual(expected.sort());
			expect(new Set(result.events.map(({ key }) => key)).size).toBe(told.length);
			const seenNow = ({ id, status, completedAt }: ListedRow): Seen => {
				const old = seen.get(id);
				if (!waiting.includes(id)) return { status, completedAt };
				return { status: null, ...old, waitsSince: old?.waitsSince ?? now };
			};
			memory = JSON.parse(JSON.stringify(save(result.next))) as SavedMemory;
			seen = new Map(list.rows.map((row) => [row.id, seenNow(row)]));
			if (told.length > 0 || stored === undefined || waiting.length > 0) stored = [memory, seen];
			// It saves with reports only, and is restarted.
			if (random() < 0.1) [memory, seen] = stored;
		}
	});
});
