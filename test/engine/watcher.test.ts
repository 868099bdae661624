import { z } from 'zod';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Json, Request, Watch } from '../../nodes/BusinessVerification/kit/service';
import { Watcher } from '../../nodes/BusinessVerification/engine/waiting';

const watch = (id: string, given: Partial<Watch> = {}): Watch => ({
	id,
	read: { method: 'GET', path: `/things/${id}`, kind: 'read', answer: z.record(z.unknown()) },
	list: { path: '/things', query: () => ({}), idOf: (row) => row.id as string },
	mayBeDone: (row) => row.done === true,
	isDone: (record) => record.done === true,
	maxWaitMs: 60_000,
	pollIntervalMs: 10_000,
	...given,
});

/** Time passes only while the watcher pauses. */
function watcherOf(answer: (request: Request, now: number) => unknown) {
	let now = 0;
	const asked: string[] = [];
	const watcher = new Watcher({
		itemsField: '',
		isCancelled: () => false,
		now: () => now,
		pause: async (ms) => {
			await new Promise((resolve) => setImmediate(resolve));
			now += ms;
		},
		send: (request) => {
			asked.push(request.path);
			return Promise.resolve().then(() => answer(request, now));
		},
	});
	return { watcher, asked, now: () => now };
}

it.each([0, 1, 2, 3, 4, 5, 8, 20])('a wait that begins %i steps after the last one ended is served', async (steps) => {
	const { watcher } = watcherOf(({ path }) => ({ id: path.split('/').at(-1), done: path.endsWith('b') }));
	expect(await watcher.wait(watch('a', { maxWaitMs: 0 }))).toEqual({
		record: { id: 'a', done: false },
		timedOut: true,
	});
	for (let step = 0; step < steps; step++) await Promise.resolve();
	expect(await watcher.wait(watch('b'))).toEqual({ record: { id: 'b', done: true }, timedOut: false });
});

it('each keeps its own deadline', async () => {
	const { watcher, now } = watcherOf(({ path }) => ({ id: path.split('/').at(-1), done: false }));
	const ended: Array<[string, number]> = [];
	const waits = [10_000, 25_000, 5_000].map(async (maxWaitMs, index) => {
		const { timedOut } = await watcher.wait(watch(`id-${index}`, { maxWaitMs }));
		expect(timedOut).toBe(true);
		ended.push([`id-${index}`, now()]);
	});
	await Promise.all(waits);
	expect(ended).toEqual([
		['id-2', 5_000],
		['id-0', 10_000],
		['id-1', 25_000],
	]);
});

it('three rounds in a row without an answer end the wait with the reason; two do not', async () => {
	let failing = 2;
	const flaky = (request: Request): Json => {
		if (failing-- > 0) throw new Failure('down', { httpCode: 500 });
		return { id: request.path.split('/').at(-1), done: true };
	};
	expect(await watcherOf(flaky).watcher.wait(watch('a'))).toMatchObject({ timedOut: false });
	failing = 3;
	await expect(watcherOf(flaky).watcher.wait(watch('a'))).rejects.toThrow('down');
});

it('what does not exist ends alone', async () => {
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
	// Three rounds of three pages, and one read for each that ended.
	expect(asked.filter((path) => path === '/things')).toHaveLength(9);
	expect(asked).toHaveLength(9 + 1200);
});

/** Five at once, so that the list is asked. */
const five = ['a', 'b', 'c', 'd', 'e'];

it.each([403, 404, 500])('a list that answers %i leaves each to be read by itself', async (httpCode) => {
	const { watcher, asked } = watcherOf(({ path }, now) => {
		if (path === '/things') throw new Failure('no list', { httpCode });
		return { id: path.slice(8), done: now > 15_000 };
	});
	const results = await Promise.all(five.map((id) => watcher.wait(watch(id))));
	expect(results.map(({ record, timedOut }) => [record.id, timedOut])).toEqual(five.map((id) => [id, false]));
	// A refusal stands; what is wrong with the service may pass.
	expect(asked.filter((path) => path === '/things')).toHaveLength(httpCode < 500 ? 1 : 3);
});

it('rows that do not tell how far they are leave each to be read by itself', async () => {
	const { watcher } = watcherOf(({ path }, now) =>
		path === '/things' ? { items: five.map((id) => ({ id })) } : { id: path.slice(8), done: now > 5_000 },
	);
	const mayBeDone = (row: Json) => row.done !== false;
	const results = await Promise.all(five.map((id) => watcher.wait(watch(id, { mayBeDone }))));
	expect(results.every(({ timedOut }) => !timedOut)).toBe(true);
});

it('looks once more at the deadline', async () => {
	const { watcher, now } = watcherOf((_, now) => ({ id: 'a', done: now >= 6_000 }));
	expect(await watcher.wait(watch('a', { maxWaitMs: 7_000 }))).toEqual({
		record: { id: 'a', done: true },
		timedOut: false,
	});
	expect(now()).toBe(7_000);
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
		if (++looks < 3) throw new Failure('no such thing', { httpCode: 404 });
		return { id: 'a', done: true };
	});
	expect(await watcher.wait(watch('a', { isKnown: true }))).toMatchObject({ timedOut: false });
});

it.each([
	['with a zone', '2026-03-02T09:00:00Z', '2026-03-02T08:59:59.000Z'],
	['with an offset', '2026-03-02T10:00:00+01:00', '2026-03-02T08:59:59.000Z'],
	['without a zone', '2026-03-02T09:00:00.5', '2026-03-02T08:59:59.500'],
])('asks for the span of creation %s as the service writes it', async (_, createdAt, from) => {
	const spans: unknown[] = [];
	const { watcher } = watcherOf(({ path }) =>
		path === '/things' ? { items: five.map((id) => ({ id, done: true })) } : { id: path.slice(8), done: true },
	);
	const query = (span: unknown) => {
		spans.push(span);
		return {};
	};
	const list = { path: '/things', query, idOf: (row: Json) => row.id as string };
	await Promise.all(five.map((id) => watcher.wait(watch(id, { list, createdAt }))));
	expect(spans).toEqual([expect.objectContaining({ from })]);
});
