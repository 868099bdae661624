import { z } from 'zod';
import { Failure } from '../../nodes/BusinessVerification/definition/failure';
import type { Json, Request, Watch } from '../../nodes/BusinessVerification/definition/service';
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
