import { addAndWait } from '../../nodes/BusinessVerification/inquiry/addition';
import { untilFinished } from '../../nodes/BusinessVerification/inquiry/completion';
import { inquiryIdOf } from '../../nodes/BusinessVerification/inquiry/record';
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
	const remarks: string[] = [];
	const service = strictContext<Service>({
		uptime: () => now,
		remark: (text: string) => void remarks.push(text),
		wait: (given: Watch) => {
			watch = given;
			return new Promise((resolve) => (answer = resolve as never));
		},
	});
	const outcome = untilFinished(service, 'i-1', { ...options, ...more, reRunWait } as never, known);
	return {
		watch,
		outcome,
		remarks,
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

it('an addition has an option for how long', async () => {
	let now = 0;
	let watch!: Watch;
	const service = strictContext<Service>({
		uptime: () => now,
		send: () => Promise.resolve(finished),
		wait: (given: Watch) => {
			watch = given;
			return Promise.reject(new Error('ends here'));
		},
	});
	const asked = { inquiryId: { id: 'i-1' }, waitForCompletion: true, waitingOptions: options };
	const addition = addAndWait(
		service,
		{ ...asked, options: { advanced: { reRunWait: 5 } } } as never,
		() => ({}) as never,
		{} as never,
	);
	await expect(addition).rejects.toThrow('ends here');
	const done = [4_999, 5_000].map((ms) => {
		now = ms;
		return watch.isDone(finished);
	});
	expect(done).toEqual([false, true]);
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

describe('businesses', () => {
	const late = "Finished without 'businesses', which the service may add later. To read them then, use 'Inquiry: Get'.";
	const follow = (known: Json, seconds = 10) => waiting(known, { more: { waitForBusinesses: seconds } });
	const seenToFinish = (record: Json) => {
		const { sees } = follow(running);
		return [sees(running, 100), sees(record), sees(record, 9), sees(record, 1)];
	};

	it('are waited for after completion, and no longer than the seconds allowed', () => {
		expect(seenToFinish(finished)).toEqual([false, false, false, true]);
		// An inquiry that failed gets none.
		for (const record of [
			{ ...finished, businesses: [] },
			{ ...finished, status: 'FAILED' },
		])
			expect(seenToFinish(record)).toEqual([false, true, true, true]);
		const again = follow(running);
		expect([again.sees(finished), again.sees(running, 20), again.sees(finished)]).toEqual([false, false, false]);
	});

	it('are not waited for where the inquiry finished long ago, whatever its clock says of one seen running', () => {
		expect(follow({}).sees(finished)).toBe(true);
		expect(follow({}).sees({ ...finished, completedAt: new Date().toISOString() })).toBe(false);
		expect(follow({}).sees({ ...finished, completedAt: null })).toBe(false);
	});

	it.each([
		['are there', { ...finished, businesses: [] }, 60, []],
		['never come to one that failed', { ...finished, status: 'FAILED' }, 60, []],
		['are missing', finished, 60, [late]],
		['are not wanted', finished, 0, []],
	])('that %s', async (_, record, seconds, hints) => {
		const { end, outcome, remarks } = follow({}, seconds);
		end(record);
		await outcome;
		expect(remarks).toEqual(hints);
	});

	it('that do not come in time fail nothing', async () => {
		const without = follow(running, 300);
		expect(without.sees(finished, 100)).toBe(false);
		without.end(finished, true);
		expect((await without.outcome).inquiry).toEqual(finished);
		const late = follow(running, 300);
		expect(late.sees(running, 100)).toBe(false);
		late.end(running, true);
		await expect(late.outcome).rejects.toThrow('Inquiry i-1 did not finish within 2 minutes');
	});
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
	const query = { sort_by: 'created_at', sort_order: 'desc' };
	expect(list).toMatchObject({ path: '/v1/inquiries/', query, idOf: inquiryIdOf });
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
	const last = waiting({ id: 'i-1', status: 'PLANNING', externalId: 'crm-1' }, { more: { onTimeout: 'lastState' } });
	last.end({ status: 'RUNNING' }, true);
	expect(await last.outcome).toEqual({
		inquiry: { id: 'i-1', externalId: 'crm-1', status: 'RUNNING' },
		extra: { isFinal: false, timedOut: true },
	});
	for (const [record, status] of [
		[{ status: 'RUNNING' }, 'RUNNING'],
		[{}, 'unknown'],
	] as const) {
		const failing = waiting({ id: 'i-1' }, { more: { maxWait: 1 } });
		failing.end(record, true);
		await expect(failing.outcome).rejects.toMatchObject({
			message: 'Inquiry i-1 did not finish within 1 minute',
			details: {
				...{ id: 'i-1', cause: 'temporarily-unavailable' },
				facts: `Its last status was ${status}.`,
				description: "Do not submit it again: run 'Inquiry: Wait' with this ID for the result.",
			},
		});
	}
});
