import assert from 'node:assert/strict';
import { outputJson } from '../client';
import type { World } from '../suite';
import { chain, manualTrigger, node } from '../workflow';
import { pause } from './calls';
import { Receiver, sellerCredential, triggerNode } from './receiver';
import { SEARCH, Search, searchNode } from './search';

/** A service that treats a callback URL in another way than the documentation has it. */
export const shapeChecks = (world: World): Record<string, () => Promise<void>> => {
	const { api } = world;

	return {
		'a service that drops queries wakes nobody by itself, and by way of the trigger': async () => {
			const { clock, switches, callbacks } = await world.sandbox();
			const credential = await sellerCredential(world);
			Object.assign(switches, { callbackKeepsQuery: false, callbackRetries: 0, sellerMs: 3000 });
			clock.freeze();
			try {
				const search = await Search.start(world, credential, { maxWaitHours: 1 });
				const { requestId } = await search.asleep();
				clock.advance(3000);
				const sent = () => callbacks.filter((each) => each.requestId === requestId && each.status !== null);
				await api.until('the callback', async () => sent().length === 1);
				assert.equal(sent()[0].status, 401);
				await pause(500);
				assert.equal(await search.status(), 'waiting');

				const forward = node(
					'Forward',
					'n8n-nodes-base.httpRequest',
					{
						method: 'POST',
						url: '={{ $json.ref }}',
						sendBody: true,
						specifyBody: 'json',
						jsonBody: '={{ JSON.stringify($json.report) }}',
					},
					{ typeVersion: 4.2 },
				);
				const receiver = await Receiver.started(world, triggerNode(credential), [forward]);
				const submit = searchNode(credential, {
					operation: 'submit',
					callback: receiver.url,
					ref: '={{ $execution.resumeUrl }}',
					options: { placement: 'path' },
				});
				const wait = node(
					'Wait',
					'n8n-nodes-base.wait',
					{ resume: 'webhook', httpMethod: 'POST', options: {} },
					{ typeVersion: 1.1, webhookId: 'wait-for-the-report' },
				);
				const workflow = await api.createWorkflow(
					chain('Waits by way of the trigger', [manualTrigger(), submit, wait]),
				);
				const executionId = await api.startRun(workflow.id);
				await api.until('the execution to sleep', async () => (await api.execution(executionId)).status === 'waiting');
				clock.advance(3000);
				const execution = await api.ended(executionId);
				const [{ body }] = outputJson(execution, 'Wait') as Array<{ body: { request_id: string } }>;
				assert.equal(body.request_id, outputJson(execution, SEARCH)[0].requestId);
				assert.equal((await api.executionIds(receiver.workflowId)).length, 1);
			} finally {
				clock.unfreeze();
				Object.assign(switches, { callbackKeepsQuery: true, sellerMs: 1000 });
			}
		},
	};
};
