import {
	judgeByResults,
	pollInquiries,
	type PollOptions,
	type State,
	type StatusSource,
} from '../../nodes/BusinessVerification/status';
import { instant } from '../../nodes/BusinessVerification/status/source';
import { Model, type ModelOptions } from './model';

const minute = 60_000;

function watching(options: ModelOptions = {}, pollOptions: Partial<PollOptions> = {}) {
	const model = new Model(options);
	let state: State | undefined;
	const poll = async (source: StatusSource = model, more: Partial<PollOptions> = {}) => {
		model.deadline = model.now + 36_000;
		const { events, next, trouble } = await pollInquiries(source, state, { scope: 'all', ...pollOptions, ...more });
		state = JSON.parse(JSON.stringify(next)) as State;
		model.now += minute;
		return {
			told: events.map(
				({ kind, row, previousStatus }) => `${kind} ${row.id.slice(-2)} ${previousStatus} > ${row.status}`,
			),
			events,
			trouble,
		};
	};
	return { model, poll, forget: () => (state = undefined), state: () => state };
}

it('asks for one page of each kind when nothing happens, however long the history', async () => {
	for (const history of [10, 5_000]) {
		const { model, poll } = watching();
		model.addHistory(history, model.now - 30 * 86_400_000, model.now - minute);
		await poll();
		await poll();
		model.requests = 0;
		await poll();
		expect(model.requests).toBe(3);
	}
});

it('tells of creation and end of what came and went between two polls', async () => {
	const { model, poll } = watching();
	await poll();
	model.move(model.create(), 'COMPLETED');
	expect((await poll()).told).toEqual(['created 01 null > COMPLETED', 'ended 01 null > COMPLETED']);
	expect((await poll()).told).toEqual([]);
});

it('finds an end that the list shows late', async () => {
	const { model, poll } = watching({ latenessMs: 50_000 });
	await poll();
	const late = model.create();
	model.now += 1_000;
	model.move(late, 'FAILED');
	expect((await poll()).told).toEqual([]);
	expect((await poll()).told).toEqual(['created 01 null > FAILED', 'ended 01 null > FAILED']);
});

it('drops what vanished, after looking twice', async () => {
	const { model, poll } = watching();
	const inquiry = model.create();
	await poll();
	model.vanish(inquiry);
	const reads: string[] = [];
	const counting: StatusSource = {
		page: (query) => model.page(query),
		read: (id) => (reads.push(id), model.read(id)),
		remainingMs: () => model.remainingMs(),
	};
	for (let round = 0; round < 4; round++) expect((await poll(counting)).told).toEqual([]);
	expect(reads).toEqual([inquiry.id, inquiry.id]);
});

it('does not take an old page for a second run', async () => {
	const { model, poll } = watching();
	const inquiry = model.create();
	await poll();
	model.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 PLANNING > COMPLETED']);
	const stale: StatusSource = {
		page: async (query) => {
			const page = await model.page(query);
			const isActiveList = query.status?.includes('RUNNING');
			return isActiveList
				? {
						...page,
						rows: [
							{
								id: inquiry.id,
								status: 'RUNNING',
								createdAt: new Date(inquiry.createdAt).toISOString(),
								completedAt: null,
							},
						],
						total: 1,
					}
				: page;
		},
		read: (id) => model.read(id),
		remainingMs: () => model.remainingMs(),
	};
	expect((await poll(stale)).told).toEqual([]);
	expect((await poll()).told).toEqual([]);
	model.move(inquiry, 'RUNNING');
	expect((await poll()).told).toEqual(['changed 01 COMPLETED > RUNNING']);
	model.move(inquiry, 'COMPLETED');
	expect((await poll()).told).toEqual(['ended 01 RUNNING > COMPLETED']);
});

it('keeps apart two ends that a service dates alike', async () => {
	const { model, poll } = watching({ onRerun: 'keep' });
	const inquiry = model.create();
	await poll();
	model.move(inquiry, 'COMPLETED');
	const first = await poll();
	model.move(inquiry, 'RUNNING');
	await poll();
	model.move(inquiry, 'COMPLETED');
	const second = await poll();
	expect(second.told).toEqual(['ended 01 RUNNING > COMPLETED']);
	expect(second.events[0].key).not.toBe(first.events[0].key);
});

it('follows a status nobody knows until a known end', async () => {
	const { model, poll } = watching();
	const inquiry = model.create();
	await poll();
	model.move(inquiry, 'ON_HOLD');
	expect((await poll()).told).toEqual(['changed 01 PLANNING > ON_HOLD']);
	expect((await poll()).told).toEqual([]);
	model.move(inquiry, 'PARTIAL_SUCCESS');
	expect((await poll()).told).toEqual(['ended 01 ON_HOLD > PARTIAL_SUCCESS']);
});

it('reports the rest when one inquiry cannot be read', async () => {
	const { model, poll } = watching({ undatedRows: true });
	const [broken, fine] = [model.create(), model.create()];
	await poll();
	model.move(broken, 'COMPLETED');
	model.move(fine, 'COMPLETED');
	const failing: StatusSource = {
		page: (query) => model.page(query),
		read: async (id) => {
			if (id === broken.id) throw new Error('unavailable');
			return model.read(id);
		},
		remainingMs: () => model.remainingMs(),
	};
	const { told, trouble } = await poll(failing);
	expect(told).toEqual(['ended 02 PLANNING > COMPLETED']);
	expect(trouble).toEqual(new Error('unavailable'));
	expect((await poll()).told).toEqual(['ended 01 PLANNING > COMPLETED']);
});

it('stays within its time and goes on next time', async () => {
	const { model, poll } = watching({ beforeAnswer: () => void (model.now += 1_000) }, { limits: { page: 10 } });
	const inquiries = Array.from({ length: 200 }, () => ((model.now += 10), model.create()));
	await poll();
	for (const inquiry of inquiries) model.move(inquiry, 'COMPLETED');
	const seen: string[] = [];
	for (let round = 0; round < 12; round++) {
		const started = model.now;
		const { events } = await poll();
		expect(model.now - started - minute).toBeLessThanOrEqual(36_000);
		seen.push(...events.filter(({ kind }) => kind === 'ended').map(({ row }) => row.id));
	}
	expect(seen.sort()).toEqual(inquiries.map(({ id }) => id));
});

it('goes on from its last poll when another version of the package wrote the state', async () => {
	const { model, poll, state } = watching();
	const old = model.create();
	model.move(old, 'COMPLETED');
	model.now += 20 * minute;
	const inquiry = model.create();
	await poll();
	model.move(inquiry, 'COMPLETED');
	const { events } = await pollInquiries(model, { v: 99, at: state()?.at }, { scope: 'all' });
	expect(events.filter(({ kind }) => kind === 'ended').map(({ row }) => row.id)).toEqual([inquiry.id]);
});

it('lets a date far in the future hide nothing', async () => {
	const { model, poll } = watching();
	model.create(model.now + 400 * 86_400_000);
	await poll();
	model.move(model.create(), 'COMPLETED');
	expect((await poll()).told).toContain('ended 02 null > COMPLETED');
});

it('judges ends by what the service lists, many at a time, a crowd of one creation time included', async () => {
	const { model, poll } = watching();
	await poll();
	const inquiries = Array.from({ length: 30 }, () => model.create());
	for (const inquiry of inquiries) model.move(inquiry, 'COMPLETED');
	model.requests = 0;
	const { events } = await poll(model, {
		wanted: ({ kind }) => kind === 'ended',
		judge: (all, source, mayGoOn) => judgeByResults(source, { scorecard_score_min: 20 }, all, mayGoOn, 7),
	});
	expect(events.map(({ row }) => row.scorecardScore)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
	expect(model.requests).toBeLessThan(12);
});

it.each([
	['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
	['2026-01-01T00:00:00.123456+00:00', Date.UTC(2026, 0, 1) + 123],
	['2026-01-01T00:00:00.5', Date.UTC(2026, 0, 1) + 500],
	['2026-01-01T02:00:00+02:00', Date.UTC(2026, 0, 1)],
	['no date', 0],
	[null, 0],
	[undefined, 0],
])('reads %s as UTC where no zone is given', (text, ms) => {
	expect(instant(text)).toBe(ms);
});

it('reports again after a restart what it had reported, and nothing from before its first activation', async () => {
	const { model, poll } = watching();
	model.addHistory(5, model.now - 30 * minute, model.now - 10 * minute);
	await poll();
	model.move(model.create(), 'COMPLETED');
	await poll();
	const again = (await poll(model, { recheckMs: 60 * minute })).told;
	expect(again.filter((told) => told.startsWith('ended'))).toEqual(['ended 06 null > COMPLETED']);
	expect((await poll()).told).toEqual([]);
});
