import assert from 'node:assert/strict';
import { burst } from '../callbacks/burst';
import { call, pause } from '../callbacks/calls';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import { Search } from '../callbacks/search';
import { outputJson } from '../client';
import { IMPORT, importOf, ROWS_PER_BATCH, tally } from '../imports';
import { Queue } from '../queue';
import type { Suite, World } from '../suite';
import { Watched } from '../triggers/watched';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, manualTrigger } from '../workflow';

const minuteMs = 60_000;

let queue: Queue;

/**
 * n8n in queue mode: the main process polls and enqueues, workers execute (manual runs too), webhook processors take the
 * calls. `--rows` says how many rows an import has, `--runs` how many callbacks come.
 */
const suite: Suite = {
	async prepare(host) {
		queue = await Queue.start(host);
		return { env: queue.env, close: () => queue.close() };
	},

	checks(world) {
		const { runs: callbacks = 200, rows = 1_500 } = world.size;
		const { api, host, n8n, sandbox } = world;

		return {
			'two workers and two webhook processors join the main process': () => queue.join(),

			'what ends while the main process is there, or is not, is reported once': async () => {
				const service = await sandbox();
				service.switches.lifecycle = 'manual';
				const now = service.clock.now();
				const ids = service.inquiries.seed(12, {
					status: 'RUNNING',
					createdFrom: now - 10 * minuteMs,
					createdTo: now - 5 * minuteMs,
					externalIdPrefix: 'run-',
				});
				const watched = await Watched.start(world);
				const ends = (numbers: number[]) => {
					for (const number of numbers) service.inquiries.finish(ids[number - 1]);
					return numbers.map((number): [string, string, string] => [`run-${number}`, 'completed', 'RUNNING']);
				};
				await watched.reports(ends([1, 2, 3]));
				for (const killed of [
					[4, 5],
					[6, 7, 8],
				]) {
					// The middle between two polls: what a kill at the hand-over costs is another suite's question.
					await watched.polls(1);
					await pause(1_000);
					await n8n.kill();
					const expected = ends(killed);
					await n8n.launch();
					await watched.reports(expected);
				}
				await watched.reports(ends([9, 10, 11, 12]));
				await watched.stop();
			},

			[`a worker is killed in an import of ${rows} rows, the other worker runs it again: every row once`]: async () => {
				const { service, id } = await anImport(world, 'kill', rows, { concurrency: 1, lookupGrace: 2 });
				const first = await api.startRun(id);
				await api.until('two batches', minuteMs, async () => service.ledger.count('batch') >= 2);
				const worker = queue.workerOf(first)!;
				await worker.kill();
				const sent = service.ledger.count('batch');
				const again = await api.startRun(id);
				const { error, status } = await api.ended(again, 5 * minuteMs);
				assert.deepEqual([error?.message, status], [undefined, 'success']);
				assert.notEqual(queue.workerOf(again), worker);
				const batches = Math.ceil(rows / ROWS_PER_BATCH);
				console.log(`    ${sent} of ${batches} batches were processed when the worker was gone`);
				assert.deepEqual(
					{ ...tally(service, 'kill', rows), batches: service.ledger.count('batch') },
					{ lost: 0, doubled: 0, batches },
				);
				await worker.launch();
			},

			'two workers begin the same import at the same moment: at most the first batch is sent twice, and said so':
				async () => {
					const { service, id } = await anImport(world, 'both', rows, { lookupGrace: 2 });
					// Both have looked before one of them sends, although one begins a little later.
					service.switches.latencyMs = 3_000;
					const executions = await Promise.all([api.startRun(id), api.startRun(id)]);
					const ended = await Promise.all(executions.map((each) => api.ended(each, 5 * minuteMs)));
					assert.equal(new Set(executions.map((each) => queue.workerOf(each))).size, 2);
					const { doubled } = tally(service, 'both', rows);
					assert.ok(doubled <= ROWS_PER_BATCH);
					const reported = ended.map((execution) =>
						outputJson(execution, IMPORT).flatMap(({ alsoSentAs, firstRow, lastRow }) =>
							alsoSentAs === undefined ? [] : [[firstRow, lastRow]],
						),
					);
					const stopped = ended.filter((execution) => outputJson(execution, IMPORT, 1).length > 0);
					console.log(
						`    ${doubled} rows were sent twice; ${stopped.length} of 2 runs stopped after their first batch`,
					);
					assert.deepEqual(reported, doubled === 0 ? [[], []] : [[[1, ROWS_PER_BATCH]], [[1, ROWS_PER_BATCH]]]);

					await api.ended(await api.startRun(id), 5 * minuteMs);
					assert.deepEqual(tally(service, 'both', rows), { lost: 0, doubled });
				},

			'Submit and Wait on a worker is woken by a call to the other processor': async () => {
				const { clock } = await sandbox();
				clock.freeze();
				const search = await Search.start(world, await sellerCredential(world));
				const { requestId, callback } = await search.asleep();
				const [, other] = queue.processors;
				const { pathname, search: query } = new URL(callback);
				const report = { request_id: requestId, seller_id: 's-1' };
				assert.equal((await call(`${other.url}${pathname}${query}`, report)).status, 200);
				const output = await search.output();
				assert.deepEqual([output.requestId, output.report], [requestId, report]);
				assert.notEqual((await call(callback, report)).status, 200);
				clock.unfreeze();
			},

			[`${callbacks} callbacks, each sent to both processors: as many keys`]: async () => {
				const [one, other] = queue.processors;
				const there = { api, sandbox, n8n: { url: one.url } };
				const receiver = await Receiver.started(there, triggerNode(await sellerCredential(world)));
				const second = receiver.behind(other.url);
				await second.listens();
				const { executions, keys, callsPerSecond } = await burst([receiver, second], callbacks);
				console.log(`    ${callsPerSecond} calls a second, ${executions} executions, ${keys} keys`);
				assert.equal(keys, callbacks);
				assert.ok(executions < 2 * callbacks, 'no copy was dropped');
			},

			'a wait on a worker ends with the stop button, with the time-out of the workflow, and by itself': async () => {
				const service = await sandbox();
				service.switches.lifecycle = 'manual';
				const now = service.clock.now();
				const [inquiryId] = service.inquiries.seed(1, { status: 'RUNNING', createdFrom: now, createdTo: now });
				const credential = await createKeyCredential(api, service);
				const waiting = async (settings: Record<string, unknown>, maxWait: number) => {
					const parameters = {
						resource: 'inquiry',
						operation: 'wait',
						inquiryId,
						options: { maxWait, pollInterval: 1 },
					};
					const node = verificationNode(credential, parameters, { name: 'Wait' });
					const { id } = await api.createWorkflow(chain('Waits', [manualTrigger(), node], settings));
					const from = service.requests.total;
					const executionId = await api.startRun(id);
					await api.until('the wait to begin', 30_000, async () => service.requests.total > from);
					return executionId;
				};
				const looksNoMore = async () => {
					await pause(2_000);
					const from = service.requests.total;
					await pause(3_000);
					assert.equal(service.requests.total - from, 0, 'the node goes on');
				};
				const stopped = await waiting({}, 1);
				await api.stopExecution(stopped);
				assert.equal((await api.ended(stopped)).status, 'canceled');
				await looksNoMore();

				// An older worker looks at the time-out between two nodes only: there the node's own deadline ends the wait.
				const timedOut = await waiting({ executionTimeout: 3 }, 0.2);
				assert.equal((await api.ended(timedOut)).status, host === 'oldest' ? 'success' : 'canceled');
				await looksNoMore();

				const [own] = outputJson(await api.ended(await waiting({}, 0.05)), 'Wait');
				assert.deepEqual([own.id, own.isFinal], [inquiryId, false]);
			},
		};
	},
};

/** What cannot be sent leaves by the error output, as where a workflow handles it. */
async function anImport({ api, sandbox }: World, name: string, rows: number, options: Record<string, unknown>) {
	const service = await sandbox();
	service.reset();
	Object.assign(service.switches, { latencyMs: 400 });
	const credential = await createKeyCredential(api, service);
	const { id } = await api.createWorkflow(importOf(credential, name, rows, options, 'continueErrorOutput'));
	return { service, id };
}

export default suite;
