import { pollWholeList } from '../../nodes/BusinessVerification/watch/wholeList';
import { type PollOptions } from '../../nodes/BusinessVerification/watch/poll';
import { recall, save, type SavedMemory } from '../../nodes/BusinessVerification/watch/memory';
import { isEnd } from '../../nodes/BusinessVerification/document/inquiries';
import { randomFrom } from './random';
import type { ListedRow, StatusSource } from '../../nodes/BusinessVerification/watch/rows';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;

/** A list without filters, in any order. */
class List implements StatusSource {
	now = start;
	rows: ListedRow[] = [];
	requests: string[] = [];

	/** Batches have no date of their completion. */
	constructor(private readonly isDated: boolean) {}

	add(id: string, status = 'RUNNING', completedAt: string | null = null): ListedRow {
		const row: ListedRow = { id, status, createdAt: new Date((this.now += 1_000)).toISOString(), completedAt };
		this.rows.push(row);
		return row;
	}

	end(row: ListedRow, status = 'COMPLETED'): void {
		row.status = status;
		this.now += 1_000;
		if (this.isDated) row.completedAt = new Date(this.now).toISOString();
	}

	async page({ limit, offset, ...others }: { limit: number; offset: number }) {
		expect(others).toEqual({});
		this.requests.push(`page ${offset}`);
		const rows = this.rows.slice(offset, offset + limit).map((row) => ({ ...row }));
		return { rows, total: this.rows.length, date: this.now };
	}

	async read(id: string): Promise<ListedRow | 'gone'> {
		this.requests.push(`read ${id}`);
		const row = this.rows.find((one) => one.id === id);
		return row ? { ...row } : 'gone';
	}

	hostTime() {
		return this.now;
	}

	remainingMs() {
		return 36_000;
	}
}

function watching(list: List, options: Partial<PollOptions> = {}) {
	let state: SavedMemory | undefined;
	let behind = 0;
	return {
		list,
		pollsBehind: () => behind,
		async poll(more: Partial<PollOptions> = {}) {
			list.requests = [];
			const given = { organization: 'o', account: 'a', filters: 'all', limits: { page: 5 }, ...options, ...more };
			const { events, next } = await pollWholeList(list, recall(state), given);
			state = JSON.parse(JSON.stringify(save(next))) as SavedMemory;
			behind = next.strained;
			list.now += minute;
			return events.map(({ kind, row, previousStatus }) => `${kind} ${row.id} ${previousStatus} > ${row.status}`);
		},
	};
}

describe('batches', () => {
	it('costs one request while they fit on a page', async () => {
		const { list, poll } = watching(new List(false));
		const running = list.add('a');
		list.add('b', 'COMPLETED');
		expect(await poll()).toEqual([]);
		expect(await poll()).toEqual([]);
		list.end(running, 'FAILED');
		list.add('c', 'PLANNING');
		expect(await poll()).toEqual(['ended a RUNNING > FAILED', 'created c null > PLANNING']);
		expect(list.requests).toEqual(['page 0']);
		expect(await poll()).toEqual([]);
	});

	it('reads the list whole, whatever its order, and by itself what the list shows unfinished again', async () => {
		const { list, poll } = watching(new List(false));
		for (let index = 0; index < 12; index++) list.add(`b${index}`, index === 7 ? 'RUNNING' : 'COMPLETED');
		await poll();
		list.end(list.rows[7]);
		expect(await poll()).toEqual(['ended b7 RUNNING > COMPLETED']);
		expect(list.requests).toEqual(['page 0', 'page 5', 'page 10']);
		list.rows[7].status = 'RUNNING';
		expect(await poll()).toEqual(['changed b7 COMPLETED > RUNNING']);
		expect(list.requests).toEqual(['page 0', 'page 5', 'page 10', 'read b7']);
	});

	it('begins with the first page after the setting was changed', async () => {
		const { list, poll } = watching(new List(false), { limits: { page: 5, requests: 2 } });
		for (let index = 0; index < 12; index++) list.add(`b${index}`);
		for (const filters of ['all', 'others']) {
			await poll({ filters });
			expect(list.requests).toEqual(['page 0', 'page 5']);
		}
	});

	it.each([-5, 9])(
		'reports one that was created and finished between two polls where times are local, %d hours off',
		async (hours) => {
			const { list, poll } = watching(new List(false));
			const local = (row: ListedRow) => {
				const at = Date.parse(row.createdAt!) + hours * 3_600_000;
				row.createdAt = new Date(at).toISOString().slice(0, -1);
				return row;
			};
			local(list.add('a', 'COMPLETED'));
			expect(await poll()).toEqual([]);
			list.end(local(list.add('b')));
			local(list.add('c', 'PLANNING'));
			expect(await poll()).toEqual([
				'created b null > COMPLETED',
				'ended b null > COMPLETED',
				'created c null > PLANNING',
			]);
		},
	);

	it('does not report again a batch that an old copy of the list shows unfinished', async () => {
		const { list, poll } = watching(new List(false));
		const batch = list.add('a');
		await poll();
		list.end(batch);
		expect(await poll()).toEqual(['ended a RUNNING > COMPLETED']);
		const { page } = list;
		list.page = async (query) => {
			const answer = await page.call(list, query);
			return { ...answer, rows: answer.rows.map((row) => ({ ...row, status: 'RUNNING' })) };
		};
		expect(await poll()).toEqual([]);
		list.read = () => Promise.reject(new Error('unavailable'));
		expect(await poll()).toEqual([]);
		list.page = page;
		expect(await poll()).toEqual([]);
	});

	it('loses none of a list that comes in another order with each request, and does not count as behind', async () => {
		const { list, poll, pollsBehind } = watching(new List(false));
		const batches = Array.from({ length: 23 }, (_, index) => list.add(`b${index}`));
		const random = randomFrom(3);
		const { page } = list;
		list.page = (query) => {
			list.rows.sort(() => random() - 0.5);
			return page.call(list, query);
		};
		await poll();
		const told: string[] = [];
		for (const batch of batches) {
			list.end(batch);
			told.push(...(await poll()).filter((event) => event.startsWith('ended')));
			expect(pollsBehind()).toBe(0);
		}
		for (let round = 0; round < 4; round++) told.push(...(await poll()));
		expect(told.sort()).toEqual(batches.map(({ id }) => `ended ${id} RUNNING > COMPLETED`).sort());
	});
});

describe.each([
	['batches', false],
	['inquiries of a batch', true],
])('%s that live at random', (_, isDated) => {
	const finals = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

	/** What differs between two polls; a re-run that no poll saw shows in its date or its outcome alone. */
	function differences(before: Map<string, ListedRow>, now: ListedRow[]): string[] {
		return now.flatMap(({ id, status, completedAt }) => {
			const old = before.get(id);
			const what = `${isEnd(status) ? 'ended' : 'changed'} ${id} ${status}`;
			if (!old) return [`created ${id}`, ...(status === 'PLANNING' ? [] : [what])];
			const isSame = old.status === status && (!isEnd(status) || old.completedAt === completedAt);
			return isSame ? [] : [what];
		});
	}

	it.each(Array.from({ length: 60 }, (__, index) => index + 1))('seed %i: each difference once', async (seed) => {
		const random = randomFrom(seed);
		const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
		const list = new List(isDated);
		for (let count = Math.floor(random() * 12); count > 0; count--) list.add(`old${count}`, pick(finals));
		let memory: SavedMemory | undefined;
		let stored: SavedMemory | undefined;
		let shown = new Map<string, ListedRow>();
		for (let round = 0; round < 25; round++) {
			for (let moves = Math.floor(random() * 6); moves > 0; moves--) {
				const row = pick([undefined, ...list.rows]);
				if (!row) list.add(`r${round}m${moves}`, 'PLANNING');
				else if (row.status === 'PLANNING' && random() < 0.5) row.status = 'RUNNING';
				else if (!isEnd(row.status)) list.end(row, pick(finals));
				else if (random() < 0.5) Object.assign(row, { status: 'RUNNING', completedAt: null });
				else list.end(row, pick(finals));
			}
			if (random() < 0.3) list.rows.sort(() => random() - 0.5);
			const { page } = list;
			const isFailing = random() < 0.15;
			if (isFailing) list.page = () => Promise.reject(new Error('unavailable'));
			const result = await pollWholeList(list, recall(memory), {
				...{ organization: 'o', account: 'a', filters: 'all', limits: { page: 5 } },
			}).catch(() => undefined);
			list.page = page;
			list.now += minute;
			expect(result === undefined).toBe(isFailing);
			// n8n is stopped before it saved anything.
			if (!result || random() < 0.1) continue;
			const told = result.events.map(
				({ kind, row }) => `${kind} ${row.id}${kind === 'created' ? '' : ` ${row.status}`}`,
			);
			expect(told.sort()).toEqual(memory === undefined ? [] : differences(shown, list.rows).sort());
			expect(new Set(result.events.map(({ key }) => key)).size).toBe(told.length);
			memory = JSON.parse(JSON.stringify(save(result.next))) as SavedMemory;
			if (told.length > 0 || stored === undefined) stored = memory;
			// It saves with reports only, and is restarted.
			if (random() < 0.1) memory = stored;
			shown = new Map(list.rows.map((row) => [row.id, { ...row }]));
		}
	});
});
