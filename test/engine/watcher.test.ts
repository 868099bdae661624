import { z } from 'zod';
import { Failure, type FailureDetails } from '../../nodes/BusinessVerification/kit/service';
import type { Json, Request, Watch } from '../../nodes/BusinessVerification/kit/service';
import { pageIn } from '../../nodes/BusinessVerification/engine/checkedAnswer';
import { Watcher } from '../../nodes/BusinessVerification/engine/waiting';

const watch = (id: string, given: Partial<Watch> = {}): Watch => ({
	id,
	read: { method: 'GET', path: `/things/${id}`, kind: 'read', answer: z.record(z.unknown()) },
	list: { path: '/things', idOf: (row) => row.id as string },
	mayBeDone: (row) => row.done === true,
	isDone: (record) => record.done === true,
	maxWaitMs: 60_000,
	pollIntervalMs: 10_000,
	...given,
});

/** A round may be a quarter of a second late. */
const seconds = (ms: number) => Math.round(ms / 1000);

/** Time passes only while the watcher pauses. */
function watcherOf(answer: (request: Request, now: number) => unknown) {
	let now = 0;
	const asked: string[] = [];
	const send = (request: Request) => {
		asked.push(request.path);
		return Promise.resolve().then(() => answer(request, now));
	};
	const watcher = new Watcher({
		isCancelled: () => false,
		uptime: () => now,
		pause: async (ms) => {
			await new Promise((resolve) => setImmediate(resolve));
			now += ms;
		},
		send,
		page: async (path, query) => pageIn(await send({ method: 'GET', path, query, kind: 'read' }), ''),
	});
	return { watcher, asked, now: () => now };
}

it.each([0, 1, 2, 3, 4, 5, 8, 20])(
	'a wait that begins %i steps after the last one finished is served',
	async (steps) => {
		const { watcher } = watcherOf(({ path }) => ({ id: path.split('/').at(-1), done: path.endsWith('b') }));
		expect(await watcher.wait(watch('a', { maxWaitMs: 0 }))).toEqual({
			record: { id: 'a', done: false },
			timedOut: true,
		});
		for (let step = 0; step < steps; step++) await Promise.resolve();
		expect(await watcher.wait(watch('b'))).toEqual({ record: { id: 'b', done: true }, timedOut: false });
	},
);

it('each keeps its own deadline', async () => {
	const { watcher, now } = watcherOf(({ path }) => ({ id: path.split('/').at(-1), done: false }));
	const ended: Array<[string, number]> = [];
	const waits = [10_000, 25_000, 5_000].map(async (maxWaitMs, index) => {
		const { timedOut } = await watcher.wait(watch(`id-${index}`, { maxWaitMs }));
		expect(timedOut).toBe(true);
		ended.push([`id-${index}`, seconds(now())]);
	});
	await Promise.all(waits);
	expect(ended).toEqual([
		['id-2', 5],
		['id-0', 10],
		['id-1', 25],
	]);
});

it.each([
	['down, down, done', true],
	['down, down, not yet, down, down, done', true],
	['down, down, down, done', false],
])('three rounds in a row without an answer end the wait with the reason: %s', async (story, ends) => {
	const rounds = story.split(', ');
	const flaky = (request: Request): Json => {
		const round = rounds.shift();
		if (round === 'down') throw new Failure('down', { httpCode: 500 });
		return { id: request.path.split('/').at(-1), done: round === 'done' };
	};
	const waited = watcherOf(flaky).watcher.wait(watch('a'));
	await (ends ? expect(waited).resolves.toMatchObject({ timedOut: false }) : expect(waited).rejects.toThrow('down'));
});

it('an inquiry that does not exist fails alone', async () => {
	const { watcher } = watcherOf(({ path }) => {
		if (path.endsWith('gone')) throw new Failure('no such thing', { httpCode: 404 });
		return { id: 'here', done: true };
	});
	const [gone, here] = await Promise.allSettled([watcher.wait(watch('gone')), watcher.wait(watch('here'))]);
	expect([gone.status, here.status]).toEqual(['rejected', 'fulfilled']);
});

it('many are asked for by page, and only those that may be done are read', async () => {
	const ids = Array.from({ length: 1200 }, (_, index) => `id-${index}`);
	const { watcher, asked } = watcherOf(({ path, query }, now) => {
		const done = (id: string) => now > 15_000 || (now > 5_000 && id === 'id-7');
		if (path !== '/things') return { id: path.slice(8), done: done(path.slice(8)) };
		const { offset, limit } = query as { offset: number; limit: number };
		return { total: ids.length, items: ids.slice(offset, offset + limit).map((id) => ({ id, done: done(id) })) };
	});
	const results = await Promise.all(ids.map((id) => watcher.wait(watch(id))));
	expect(results.every(({ timedOut }, index) => !timedOut && results[index].record.id === ids[index])).toBe(true);
	// Rounds of three pages after 0, 2, 4, 8 and 16 seconds, and one read for each that ended.
	expect(asked.filter((path) => path === '/things')).toHaveLength(15);
	expect(asked).toHaveLength(15 + 1200);
});

/** Five at once, so that the list is asked. */
const five = ['a', 'b', 'c', 'd', 'e'];

it.each([
	[3, 0],
	[4, 1],
])('of %i records, %i pages are read', async (count, pages) => {
	const ids = five.slice(0, count);
	const done = (id: string) => ({ id, done: true });
	const { watcher, asked } = watcherOf(({ path }) => (path === '/things' ? ids.map(done) : done(path.slice(8))));
	await Promise.all(ids.map((id) => watcher.wait(watch(id))));
	expect(asked.filter((path) => path === '/things')).toHaveLength(pages);
});

it.each([
	[undefined, 5],
	[2_500, 5],
	[2_501, 1],
])('of a list of %s that shows none of five records, %i pages are read', async (total, pages) => {
	const items = Array.from({ length: 500 }, (_, row) => ({ id: `other-${row}`, done: false }));
	const { watcher, asked } = watcherOf(({ path }) =>
		path === '/things' ? { items, total } : { id: path.slice(8), done: true },
	);
	await Promise.all(five.map((id) => watcher.wait(watch(id))));
	expect(asked.filter((path) => path === '/things')).toHaveLength(pages);
});

it('the deadline ends the reading of pages', async () => {
	const others = Array.from({ length: 500 }, (_, row) => ({ id: `other-${row}`, done: false }));
	let pages = 0;
	const watcher = new Watcher({
		isCancelled: () => false,
		// Each page takes a second.
		uptime: () => pages * 1_000,
		pause: () => new Promise((resolve) => setImmediate(resolve)),
		send: ({ path }) => Promise.resolve({ id: path.slice(8), done: false }),
		page: () => {
			pages++;
			return Promise.resolve({ rows: others });
		},
	});
	const waits = Array.from({ length: 50 }, (_, id) => watcher.wait(watch(`id-${id}`, { maxWaitMs: 3_000 })));
	expect(new Set((await Promise.all(waits)).map(({ timedOut }) => timedOut))).toEqual(new Set([true]));
	expect(pages).toBe(3);
});

const passes: FailureDetails = { cause: 'temporarily-unavailable' };

it.each<[string, FailureDetails]>([
	['403', { httpCode: 403, cause: 'credential-invalid' }],
	['500', { httpCode: 500, ...passes }],
	['nothing', passes],
])(
	'a list that answers %s is asked again, and leaves each to be read by itself once per interval',
	async (_, details) => {
		const { watcher, asked, now } = watcherOf(({ path }, at) => {
			if (path === '/things') throw new Failure('no list', details);
			return { id: path.slice(8), done: at > 15_000 };
		});
		const results = await Promise.all(five.map((id) => watcher.wait(watch(id))));
		expect(results.map(({ record, timedOut }) => [record.id, timedOut])).toEqual(five.map((id) => [id, false]));
		// After 0, 2, 4, 8 and 16 seconds; the interval is 10.
		expect(asked.filter((path) => path === '/things')).toHaveLength(5);
		expect(asked.filter((path) => path === '/things/a')).toHaveLength(2);
		expect(seconds(now())).toBe(16);
	},
);

it('two that wait for the same record do not end the early checks of the others', async () => {
	const { watcher, now } = watcherOf(({ path }, at) => {
		const thing = (id: string) => ({ id, done: at > 3_000 });
		return path === '/things' ? { total: five.length, items: five.map(thing) } : thing(path.slice(8));
	});
	await Promise.all(['a', ...five].map((id) => watcher.wait(watch(id))));
	// After 2 and 4 seconds; the interval is 10.
	expect(now()).toBeLessThan(5_000);
});

it('rows that do not tell how far they are leave each to be read by itself', async () => {
	const { watcher } = watcherOf(({ path }, now) =>
		path === '/things' ? { items: five.map((id) => ({ id })) } : { id: path.slice(8), done: now > 5_000 },
	);
	const mayBeDone = (row: Json) => row.done !== false;
	const results = await Promise.all(five.map((id) => watcher.wait(watch(id, { mayBeDone }))));
	expect(results.every(({ timedOut }) => !timedOut)).toBe(true);
});

it('checks once more at the deadline', async () => {
	const { watcher, now } = watcherOf((_, now) => ({ id: 'a', done: now >= 6_000 }));
	expect(await watcher.wait(watch('a', { maxWaitMs: 7_000 }))).toEqual({
		record: { id: 'a', done: true },
		timedOut: false,
	});
	expect(seconds(now())).toBe(7);
});

it('one that cannot be read fails alone, and not before the third time', async () => {
	let bad = 0;
	const { watcher } = watcherOf(({ path }, now) => {
		if (path === '/things') return { items: five.map((id) => ({ id, done: now > 45_000 })) };
		if (path === '/things/b' && ++bad > 0) throw new Failure('broken', { httpCode: 500 });
		return { id: path.slice(8), done: now > 45_000 };
	});
	const results = await Promise.allSettled(
		five.map((id) =>
			watcher.wait(watch(id, { maxWaitMs: 90_000, mayBeDone: (row) => row.done === true || row.id === 'b' })),
		),
	);
	expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
	expect(bad).toBe(3);
});

it('a record known to exist may be shown late', async () => {
	let looks = 0;
	const { watcher } = watcherOf(() => {
		if (++looks < 4) throw new Failure('no such thing', { httpCode: 404 });
		return { id: 'a', done: true };
	});
	const unseen = await watcher.wait(watch('a', { isKnown: true, maxWaitMs: 0 }));
	expect(unseen).toEqual({ record: { id: 'a' }, timedOut: true });
	expect(await watcher.wait(watch('a', { isKnown: true }))).toMatchObject({ timedOut: false });
});

describe('when a wait is checked', () => {
	/** Seconds at which the thing was read, by nobody's hand until then. */
	async function checksOf(given: Partial<Watch>): Promise<number[]> {
		const times: number[] = [];
		const { watcher } = watcherOf((_, now) => {
			times.push(seconds(now));
			return { id: 'a', done: false };
		});
		await watcher.wait(watch('a', { pollIntervalMs: 30_000, maxWaitMs: 120_000, ...given }));
		return times;
	}

	it.each<[string, Partial<Watch>, number[]]>([
		['soon at first, then at the interval', {}, [0, 2, 4, 8, 16, 46, 76, 106, 120]],
		['of what was seen a moment ago, first after two seconds', { isFresh: true }, [2, 4, 8, 16, 46, 76, 106, 120]],
		['never after more than the interval', { pollIntervalMs: 3000, maxWaitMs: 16_000 }, [0, 2, 4, 7, 10, 13, 16]],
		['within one second', { pollIntervalMs: 1000, maxWaitMs: 3000, isFresh: true }, [1, 2, 3]],
		['once where nothing may be waited', { maxWaitMs: 0, isFresh: true }, [0]],
		['at its deadline between early checks', { maxWaitMs: 5000 }, [0, 2, 4, 5]],
	])('%s', async (_, given, expected) => {
		expect(await checksOf(given)).toEqual(expected);
	});

	it('also by those who come while others pause', async () => {
		const times: number[] = [];
		const { watcher, now } = watcherOf(({ path }, at) => {
			if (path.endsWith('late')) times.push(seconds(at));
			return { id: path.slice(8), done: path.endsWith('late') ? at >= 26_000 : at > 60_000 };
		});
		const early = watcher.wait(watch('early', { pollIntervalMs: 60_000, maxWaitMs: 90_000 }));
		while (now() < 20_000) await new Promise((resolve) => setImmediate(resolve));
		const began = seconds(now());
		await watcher.wait(watch('late', { pollIntervalMs: 60_000 }));
		await early;
		expect(times[0] - began).toBeLessThanOrEqual(2);
		expect(times.at(-1)! - began).toBeLessThanOrEqual(8);
	});

	it('of many that began apart in the rounds of the first ones', async () => {
		const pages: number[] = [];
		const { watcher, now } = watcherOf(({ path }, at) => {
			const done = at > 100_000;
			if (path !== '/things') return { id: path.slice(8), done };
			pages.push(seconds(at));
			return { items: Array.from({ length: 30 }, (_, place) => ({ id: `id-${place}`, done })) };
		});
		const given = { pollIntervalMs: 30_000, maxWaitMs: 200_000 };
		const waits: Array<Promise<unknown>> = [];
		for (let place = 0; place < 30; place++) {
			waits.push(watcher.wait(watch(`id-${place}`, given)));
			const next = now() + 500;
			while (place > 3 && now() < next) await new Promise((resolve) => setImmediate(resolve));
		}
		await Promise.all(waits);
		expect(pages).toEqual([0, 2, 4, 8, 16, 46, 76, 106]);
	});

	it('of many by themselves, not in every early round, where the list does not show them', async () => {
		const { watcher, asked } = watcherOf(({ path }, at) =>
			path === '/things' ? { items: [{ id: 'a', done: false }] } : { id: path.slice(8), done: at > 50_000 },
		);
		await Promise.all(five.map((id) => watcher.wait(watch(id, { pollIntervalMs: 30_000, maxWaitMs: 100_000 }))));
		// After 0, 16, 46 and 76 seconds; of the first the list tells, as long as it does not end.
		expect(asked.filter((path) => path === '/things/e')).toHaveLength(4);
		expect(asked.filter((path) => path === '/things/a')).toHaveLength(1);
	});
});
