import assert from 'node:assert/strict';
import { burst } from '../callbacks/burst';
import { call, pause } from '../callbacks/calls';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import { SEARCH, Search, searchNode } from '../callbacks/search';
import { type Credential, output, outputJson } from '../client';
import { N8n } from '../n8n';
import type { Suite } from '../suite';
import { chain, itemsNode, manualTrigger, node } from '../workflow';

/** Seller Reports in the real n8n: nothing forged starts anything, and no report of ours is lost. */
const callback: Suite = {
	// A call costs the newest n8n a fifth of a second of computing with its default engine. The check that starts n8n
	// again does so without this.
	env: { N8N_EXPRESSION_ENGINE: 'legacy' },

	checks(world) {
		const { api, n8n, host } = world;
		const report = (requestId: string) => ({
			status: 'complete',
			request_id: requestId,
			seller_id: `seller of ${requestId}`,
		});
		const never = 3_600_000;
		/** n8n refuses a report until the execution sleeps, however long a busy machine takes for that. */
		const repeats = { callbackRetries: 100 };
		let credential: Credential;

		return {
			'a report wakes the execution that sleeps until it comes': async () => {
				credential = await sellerCredential(world);
				const { clock, switches } = await world.sandbox();
				Object.assign(switches, { callbackRetries: 0, sellerMs: 1_000 });
				clock.freeze();
				const searches = [await Search.start(world, credential), await Search.start(world, credential)];
				for (const search of searches) await search.asleep();
				clock.advance(1_000);
				clock.unfreeze();
				for (const search of searches) assert.equal((await search.output()).status, 'complete');
			},

			'only its own callback wakes an execution, once': async () => {
				const { clock, switches } = await world.sandbox();
				switches.sellerMs = never;
				clock.freeze();
				const search = await Search.start(world, credential);
				const other = await Search.start(world, credential);
				const { requestId, callback } = await search.asleep();
				const { requestId: otherId, callback: otherCallback } = await other.asleep();
				const forged = new URL(callback);
				forged.searchParams.set('nonce', new URL(otherCallback).searchParams.get('nonce')!);
				assert.equal((await call(forged.toString(), report(requestId))).status, 401);
				await pause(500);
				assert.deepEqual([await search.status(), await other.status()], ['waiting', 'waiting']);

				assert.equal((await call(callback, report(requestId))).status, 200);
				assert.deepEqual(await search.output(), {
					status: 'complete',
					isFinal: true,
					ref: (await search.output()).ref,
					requestId,
					sellerId: `seller of ${requestId}`,
					report: report(requestId),
				});
				assert.deepEqual(output(await search.ended(), SEARCH)[0].pairedItem, { item: 0 });
				assert.equal((await call(callback, report(requestId))).status, 409);
				assert.equal((await call(otherCallback, report(otherId))).status, 200);
				await other.output();
				clock.unfreeze();
			},

			'the way out: Loop Over Items, one at a time': async () => {
				Object.assign((await world.sandbox()).switches, { sellerMs: 10, ...repeats });
				const search = searchNode(credential, {
					operation: 'submitAndWait',
					name: '={{ $json.company }}',
					ref: '={{ $json.company }}',
					maxWaitHours: 1,
				});
				const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 1, options: {} }, { typeVersion: 3 });
				const workflow = chain('Three', [
					manualTrigger(),
					itemsNode([{ company: 'A' }, { company: 'B' }, { company: 'C' }]),
					loop,
					search,
				]);
				workflow.connections[loop.name] = { main: [[], [{ node: SEARCH, type: 'main', index: 0 }]] };
				workflow.connections[SEARCH] = { main: [[{ node: loop.name, type: 'main', index: 0 }]] };
				const execution = await api.run((await api.createWorkflow(workflow)).id);
				const reports = outputJson(execution, loop.name) as Array<{
					ref: string;
					report: { seller: { name: string } };
				}>;
				assert.deepEqual(
					reports.map(({ ref, report }) => [ref, report.seller.name]),
					[
						['A', 'A'],
						['B', 'B'],
						['C', 'C'],
					],
				);
			},

			'Submit signs, in the query or in the path, and the reference comes back': async () => {
				const { callbacks, switches } = await world.sandbox();
				Object.assign(switches, { sellerMs: 10, callbackKeepsQuery: false, callbackRetries: 0, callbackDuplicates: 1 });
				const receiver = await Receiver.started(world, triggerNode(credential));
				const submit = async (ref: string, options: object) => {
					const search = searchNode(credential, { operation: 'submit', callback: receiver.url, ref, options });
					const workflow = await api.createWorkflow(chain('Submits', [manualTrigger(), search]));
					callbacks.clear();
					const [answer] = outputJson(await api.run(workflow.id), SEARCH);
					await api.until(
						'both copies to be sent',
						async () => callbacks.filter(({ status }) => status !== null).length === 2,
					);
					return { answer, statuses: callbacks.map(({ status }) => status) };
				};
				const inQuery = await submit('in the query', {});
				assert.deepEqual(inQuery.statuses, [401, 401], 'a service that drops the query');
				const inPath = await submit('in the path/ü', { placement: 'path' });
				assert.deepEqual(inPath.statuses, [200, 200]);
				switches.callbackKeepsQuery = true;
				assert.deepEqual((await submit('in the query', {})).statuses, [200, 200]);
				assert.equal(await receiver.executions(2), 2);
				assert.deepEqual(await receiver.refs(), ['in the path/ü', 'in the query']);
				const [first] = (await receiver.items()).filter(({ ref }) => ref === 'in the path/ü');
				assert.equal(first.requestId, inPath.answer.requestId);
				switches.callbackDuplicates = 0;
			},

			'the test URL takes one report while the editor listens': async () => {
				const receiver = await Receiver.create(world, triggerNode(credential));
				const signed = receiver.sign({ ref: 'test' }, receiver.testUrl);
				assert.equal((await call(signed, report('t'))).status, 404);
				await api.startRun(receiver.workflowId);
				assert.equal((await call(signed, report('t'))).status, 200);
				assert.equal(await receiver.executions(1), 1);
				assert.deepEqual(await receiver.refs(), ['test']);
				assert.equal((await call(signed, report('t'))).status, 404);
			},

			'a multipart form is what its fields say, and without any it starts nothing': async () => {
				const receiver = await Receiver.started(world, triggerNode(credential));
				const signed = receiver.sign({ ref: 'form' });
				const form = new FormData();
				form.append('scan', new Blob(['a file']), 'scan.txt');
				assert.equal((await call(signed, form)).status, 422);
				for (const [name, value] of Object.entries(report('form'))) form.append(name, value);
				assert.equal((await call(signed, form)).status, 200);
				assert.equal(await receiver.executions(1), 1);
				assert.equal((await receiver.items())[0].requestId, 'form');
			},

			'100 good callbacks, each sent twice, start 100 executions': async () => {
				const receiver = await Receiver.started(world, triggerNode(credential));
				const { executions, keys } = await burst([receiver], 100);
				assert.deepEqual({ executions, keys }, { executions: 100, keys: 100 });
			},

			'reports arrive, once, and waits end, although n8n was killed and started again since the search': async () => {
				const { clock, callbacks, switches } = await world.sandbox();
				Object.assign(switches, { sellerMs: 1000, callbackRetries: 0, callbackDuplicates: 0 });
				const receiver = await Receiver.started(world, triggerNode(credential));
				const [before, between] = ['before', 'between'].map((ref) => receiver.sign({ ref }));
				assert.equal((await call(before, report('before'))).status, 200);
				assert.equal(await receiver.executions(1), 1);
				clock.freeze();
				const stopped = await Search.start(world, credential);
				await stopped.asleep();
				await n8n.stop();

				// The same data and address, with the default expression engine.
				const again = await N8n.start({ host, folder: n8n.folder, port: Number(new URL(n8n.url).port) });
				try {
					await api.logIn();
					const killed = await Search.start(world, credential);
					await killed.asleep();
					switches.sellerMs = never;
					const unanswered = await Search.start(world, credential, { maxWaitHours: 25 / 3600 });
					// A busy machine may notice its sleep only when that is over.
					await api.until('it to sleep', async () => !['new', 'running'].includes(await unanswered.status()));
					await receiver.listens();
					assert.equal((await call(between, report('between'))).status, 200);
					assert.equal(await receiver.executions(2), 2);
					const soFar = again.log().length;
					await again.kill();
					await again.launch();
					await receiver.listens();
					// Until n8n has gone through what the kill left unended, it answers reports for it with 500.
					await api.until('n8n to recover', async () =>
						again.log().slice(soFar).includes('Found unfinished executions'),
					);
					clock.unfreeze();
					clock.advance(10_000);
					const ours = [await stopped.submitted(), await killed.submitted()].map(({ requestId }) => requestId);
					const calls = () => callbacks.filter(({ requestId }) => ours.includes(requestId));
					await api.until(
						'both reports to be sent',
						async () => calls().filter(({ outcome: how }) => how !== 'waiting').length === 2,
					);
					assert.deepEqual(
						calls().map(({ status }) => status),
						[200, 200],
					);
					for (const search of [stopped, killed]) {
						await api.until('the report to wake it', async () => (await search.status()) === 'success');
						assert.equal((await search.output()).status, 'complete');
					}
					assert.equal((await call(before, report('before'))).status, 200);
					assert.equal((await call(between, report('between'))).status, 200);
					assert.equal((await call(before, report('another'))).status, 401);
					assert.equal((await call(receiver.sign({ ref: 'after' }), report('after'))).status, 200);
					await receiver.executions(3);
					assert.deepEqual(await receiver.refs(), ['after', 'before', 'between']);
					assert.equal((await unanswered.output()).status, 'timeout');
				} finally {
					await again.stop();
				}
			},
		};
	},
};

export default callback;
