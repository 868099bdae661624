import type { Service, Watch } from '../../nodes/BusinessVerification/kit/service';
import { afterBatch, batchOutput, untilDone } from '../../nodes/BusinessVerification/sheet/batches';
import { strictContext } from '../harness/strictContext';

// When a batch counts as finished, and what its wait returns if it does not finish in time.

const running = { total: 4, completed: 1, partialSuccess: 0, failed: 0 };
const finished = { total: 4, completed: 2, partialSuccess: 1, failed: 1 };

function waiting(onTimeout = 'fail') {
	let watch!: Watch;
	let end!: (result: { record: object; timedOut: boolean }) => void;
	const service = strictContext<Service>({
		wait: (given: Watch) => {
			watch = given;
			return new Promise((resolve) => (end = resolve as never));
		},
	});
	const outcome = untilDone(service, 'b-1', { maxWait: 2, pollInterval: 30, onTimeout } as never);
	return { watch, outcome, end };
}

it('a row of the list is worth a read where it has finished, or does not show both counts', () => {
	const rows = [{}, { ...finished, total: '4' }, { total: 4 }, { total: 4, completed: null }, running, finished];
	const { watch } = waiting();
	expect(rows.map((row) => watch.mayBeDone(row))).toEqual([true, true, true, true, false, true]);
	expect([running, finished].map((batch) => watch.isDone(batch))).toEqual([false, true]);
	expect(watch).toMatchObject({ id: 'b-1', maxWaitMs: 120_000, pollIntervalMs: 30_000 });
});

it('returns the finished batch, or its last counts, or fails, as chosen', async () => {
	const done = waiting();
	done.end({ record: finished, timedOut: false });
	expect(await done.outcome).toEqual({ batch: finished, extra: {} });
	const late = waiting('lastState');
	late.end({ record: running, timedOut: true });
	expect(await late.outcome).toEqual({ batch: running, extra: { isFinal: false, timedOut: true } });
	const failing = waiting();
	failing.end({ record: running, timedOut: true });
	await expect(failing.outcome).rejects.toMatchObject({
		message: 'Batch b-1 did not finish within 2 minutes',
		details: { id: 'b-1', description: "Do not submit it again: run 'Batch: Wait' with this ID for the result." },
	});
});

it('says how much of it is done, to a tenth, where the service counts', () => {
	const rows = [{ ...finished, total: 6 }, { ...running, total: 0, completed: 0 }, { batchId: 'b-3' }];
	const done = rows.map((row) => batchOutput(row, { output: 'simplified' }).donePercent);
	expect(done).toEqual([66.7, 0, undefined]);
});

it('tells an agent to read the inquiries of a finished batch, and never to submit a running one again', () => {
	expect(afterBatch(finished)).toEqual(["'Get inquiries of batch' lists its inquiries."]);
	expect(afterBatch(running)).toEqual([
		'Submitted and not finished yet: do not submit it again.',
		"'Wait for batch' waits for it.",
		"'Get batch' reads it later.",
	]);
});
