import { untilFinished } from '../../nodes/BusinessVerification/inquiry/completion';
import type { Json, Service, Watch } from '../../nodes/BusinessVerification/kit/service';
import { strictContext } from '../harness/strictContext';

// When an inquiry counts as finished: at its first final status, or after an addition only once it was seen to run again.

const options = { maxWait: 2, pollInterval: 30, onTimeout: 'fail', waitForBusinesses: 0 };
const finished = {
	id: 'i-1',
	status: 'COMPLETED',
	startedAt: '2026-03-02T09:00:00Z',
	completedAt: '2026-03-02T09:05:00Z',
};
const running = { ...finished, status: 'RUNNING', completedAt: null };

/** What a wait is told to look for, with a clock of the test. */
function waiting(known: Json, { reRunWait, more = {} }: { reRunWait?: number; more?: object } = {}) {
	let now = 1_000_000;
	let watch!: Watch;
	let answer!: (result: { record: Json; timedOut: boolean }) => void;
	const service = strictContext<Service>({
		uptime: () => now,
		wait: (given: Watch) => {
			watch = given;
			return new Promise((resolve) => (answer = resolve as never));
		},
	});
	const outcome = untilFinished(service, 'i-1', { ...options, ...more } as never, known, {
		reRunWait,
		ifLate: 'run it again',
	});
	return {
		watch,
		outcome,
		end: (record: Json, timedOut = false) => answer({ record, timedOut }),
		/** Whether the wait is over once this was seen. */
		sees: (record: Json, secondsLater = 0) => {
			now += secondsLater * 1_000;
			return watch.isDone(record);
		},
	};
}

it('a final status is final if nothing was added', () => {
	const { sees } = waiting({ id: 'i-1' });
	expect([sees(running), sees({ ...running, status: 'ENRICHING' }), sees(finished)]).toEqual([false, false, true]);
});

it('after an addition the earlier final status does not count, until it ran again or the wait has passed', () => {
	const rerun = waiting(finished, { reRunWait: 60 });
	expect([rerun.sees(finished), rerun.sees(running), rerun.sees(finished)]).toEqual([false, false, true]);
	const unseen = waiting(finished, { reRunWait: 60 });
	expect([unseen.sees(finished), unseen.sees(finished, 59), unseen.sees(finished, 1)]).toEqual([false, false, true]);
});

it.each([
	['it began at another time', { ...finished, startedAt: '2026-03-02T10:00:00Z' }],
	['it ended at another time', { ...finished, completedAt: '2026-03-02T10:00:00Z' }],
])('after an addition it ran again where %s', (_, later) => {
	expect(waiting(finished, { reRunWait: 60 }).sees(later)).toBe(true);
});

it('an inquiry that ran before an addition needs no second run', () => {
	expect(waiting(running, { reRunWait: 60 }).sees(finished)).toBe(true);
	// A service may show no times.
	expect(waiting({ status: 'RUNNING' }, { reRunWait: 60 }).sees({ status: 'COMPLETED' })).toBe(true);
	expect(waiting({ status: 'FAILED' }, { reRunWait: 60 }).sees({ status: 'COMPLETED' })).toBe(false);
});

it('a status that was just read is not read again at once, except a final one to which nothing was added', () => {
	const isFresh = (known: Json, reRunWait?: number) => waiting(known, { reRunWait }).watch.isFresh;
	expect([isFresh({ id: 'i-1' }), isFresh(running), isFresh(finished)]).toEqual([false, true, false]);
	expect([isFresh({}, 60), isFresh(running, 60), isFresh(finished, 60)]).toEqual([false, true, true]);
});

it('after completion the businesses are waited for, and no longer than the seconds allowed', () => {
	const { sees } = waiting({}, { more: { waitForBusinesses: 10 } });
	expect([sees(running, 100), sees(finished), sees(finished, 9), sees(finished, 1)]).toEqual([
		false,
		false,
		false,
		true,
	]);
	expect(waiting({}, { more: { waitForBusinesses: 10 } }).sees({ ...finished, businesses: [] })).toBe(true);
	// An inquiry that failed gets none.
	expect(waiting({}, { more: { waitForBusinesses: 10 } }).sees({ ...finished, status: 'FAILED' })).toBe(true);
	const again = waiting({}, { more: { waitForBusinesses: 10 } });
	expect([again.sees(finished), again.sees(running, 20), again.sees(finished)]).toEqual([false, false, false]);
});

it('an inquiry has finished, although its businesses did not come in time', async () => {
	const without = waiting({}, { more: { waitForBusinesses: 300 } });
	expect(without.sees(finished, 100)).toBe(false);
	without.end(finished, true);
	expect((await without.outcome).inquiry).toEqual(finished);
	const late = waiting({}, { more: { waitForBusinesses: 300 } });
	expect(late.sees(running, 100)).toBe(false);
	late.end(running, true);
	await expect(late.outcome).rejects.toThrow('Inquiry i-1 did not finish within 2 minutes');
});

it('a row of a list is worth a read where it is final, or does not tell', () => {
	const { mayBeDone } = waiting({}).watch;
	expect([{}, { status: 7 }, running, finished].map(mayBeDone)).toEqual([true, true, false, true]);
	// A row may have a status besides that of the inquiry inside.
	const inside = [running, finished].map((inquiry) => ({ status: 'LINKED', inquiry }));
	expect(inside.map(mayBeDone)).toEqual([false, true]);
});

it('lists are asked for newest first', () => {
	const { list, isKnown, ...watch } = waiting({ id: 'i-1' }).watch;
	expect(isKnown).toBe(true);
	expect(list.query).toEqual({ sort_by: 'created_at', sort_order: 'desc' });
	expect(watch).toMatchObject({ id: 'i-1', maxWaitMs: 120_000, pollIntervalMs: 30_000 });
	expect(waiting({}).watch.isKnown).toBe(false);
});

it('returns the final record, and after an addition whether a new run was seen', async () => {
	const plain = waiting({});
	plain.end(finished);
	expect(await plain.outcome).toEqual({ inquiry: finished, extra: {} });
	for (const record of [finished, running]) {
		const added = waiting(finished, { reRunWait: 60 });
		added.sees(record);
		added.end(finished);
		expect(await added.outcome).toEqual({ inquiry: finished, extra: { restartSeen: record === running } });
	}
});

it('a wait that ends before the inquiry does outputs the last state or fails, as the user chose', async () => {
	const last = waiting({ id: 'i-1', externalId: 'crm-1' }, { more: { onTimeout: 'lastState' } });
	last.end({ status: 'RUNNING' }, true);
	expect(await last.outcome).toEqual({
		inquiry: { id: 'i-1', externalId: 'crm-1', status: 'RUNNING' },
		extra: { isFinal: false, timedOut: true },
	});
	for (const [record, status] of [
		[{ status: 'RUNNING' }, 'RUNNING'],
		[{}, 'unknown'],
	] as const) {
		const failing = waiting({ id: 'i-1' });
		failing.end(record, true);
		await expect(failing.outcome).rejects.toMatchObject({
			message: 'Inquiry i-1 did not finish within 2 minutes',
			details: {
				submission: 'accepted',
				description:
					`It was accepted, and its last status was ${status}: do not submit it again. ` +
					"To get the result, run 'Inquiry: Wait' with this ID, or run it again.",
			},
		});
	}
});
