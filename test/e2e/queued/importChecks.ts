import assert from 'node:assert/strict';
import { outputJson } from '../client';
import { IMPORT, importOf, ROWS_PER_BATCH, tally } from '../imports';
import type { Queue } from '../queue';
import type { Checks, World } from '../suite';
import { createKeyCredential } from '../verification';

/** What one worker sends after the other, or both at the same moment. */
export function importChecks(world: World, queue: Queue): Checks {
	const { api, host } = world;
	const { rows = 1_500 } = world.size;

	return {
		[`a worker is killed in an import of ${rows} rows, the other worker runs it again: every row once`]: async () => {
			const { service, id } = await anImport(world, 'kill', rows, { advanced: { concurrency: 1, lookUpWait: 2 } });
			const first = await api.startRun(id);
			const batches = Math.ceil(rows / ROWS_PER_BATCH);
			await api.until('half of it', async () => service.ledger.count('batch') >= batches / 2);
			const worker = queue.workerOf(first)!;
			await worker.kill();
			try {
				const sent = service.ledger.count('batch');
				const again = await api.startRun(id);
				const { error, status } = await api.ended(again);
				assert.deepEqual([error?.message, status], [undefined, 'success']);
				assert.notEqual(queue.workerOf(again), worker);
				console.log(`    ${sent} of ${batches} batches were processed when the worker was gone`);
				assert.deepEqual(
					{ ...tally(service, 'kill', rows), batches: service.ledger.count('batch') },
					{ lost: 0, doubled: 0, batches },
				);
			} finally {
				// 2.8.4 fails at its first start after a kill in a manual run: whoever looks after it starts it once more.
				const starts = () => worker.launch();
				await (host === 'oldest' ? starts().catch(starts) : starts());
			}
		},

		'two workers begin the same import at the same moment: at most the announcing batch is sent twice, and said so':
			async () => {
				const { service, id } = await anImport(world, 'both', rows, { advanced: { lookUpWait: 2 } });
				// Both have looked before one of them sends, although one begins a little later.
				service.faults.add({ method: 'GET', path: '/v1/batch-inquiries/', times: 2, together: 2 });
				const executions = await Promise.all([api.startRun(id), api.startRun(id)]);
				const ended = await Promise.all(executions.map((each) => api.ended(each)));
				assert.equal(new Set(executions.map((each) => queue.workerOf(each))).size, 2);
				const { doubled } = tally(service, 'both', rows);
				assert.ok(doubled <= ROWS_PER_BATCH);
				const reported = ended.map((execution) =>
					outputJson(execution, IMPORT).flatMap((row) =>
						/^Also submitted in /.test(String(row.verificationProblem))
							? Number(/\d+$/.exec(String(row['External ID'])))
							: [],
					),
				);
				const stopped = ended.filter((execution) => outputJson(execution, IMPORT, 1).length > 0);
				console.log(`    ${doubled} rows were sent twice; ${stopped.length} of 2 runs stopped after their first batch`);
				// The batch by which the later of both announced itself: the first, or the next one if it saw that already.
				const announced = Array.from({ length: doubled }, (_, place) => reported[0][0] + place);
				assert.deepEqual(reported, [announced, announced]);
				if (doubled > 0) assert.equal(announced[0] % ROWS_PER_BATCH, 0);

				await api.ended(await api.startRun(id));
				assert.deepEqual(tally(service, 'both', rows), { lost: 0, doubled });
			},
	};
}

/** What cannot be sent leaves by the error output, as where a workflow handles it. */
async function anImport({ api, sandbox }: World, name: string, rows: number, options: Record<string, unknown>) {
	const service = await sandbox();
	service.reset();
	Object.assign(service.switches, { latencyMs: 400 });
	const credential = await createKeyCredential(api, service);
	const { id } = await api.createWorkflow(importOf(credential, name, rows, options, 'continueErrorOutput'));
	return { service, id };
}
