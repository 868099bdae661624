import assert from 'node:assert/strict';
import { call } from '../callbacks/calls';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import { type Execution, output, outputJson } from '../client';
import type { Queue } from '../queue';
import type { Checks, World } from '../suite';
import { createKeyCredential, PACKAGE, verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger, node } from '../workflow';

/** What is tried in the editor runs on workers too, as n8n 3 makes it the rule, and is shown by the main process. */
export function editorChecks(world: World, queue: Queue): Checks {
	const { api, sandbox } = world;
	/** Of a manual run that a worker did well. */
	const byWorker = (execution: Execution): Execution => {
		const { id, mode, status, error } = execution;
		assert.deepEqual([mode, status, error?.message], ['manual', 'success', undefined]);
		assert.ok(queue.workerOf(id), 'no worker did it');
		return execution;
	};
	const ended = async () => {
		const service = await sandbox();
		service.reset();
		const now = service.clock.now();
		const ids = service.inquiries.seed(2, { status: 'COMPLETED', createdFrom: now - 60_000, createdTo: now });
		return { ids, credential: await createKeyCredential(api, service) };
	};

	return {
		'a manual run on a worker: its items and files are there in the editor, and an item that fails has its reason':
			async () => {
				const { ids, credential } = await ended();
				const items = itemsNode([ids[0], 'unknown', ids[1]].map((id) => ({ id })));
				const parameters = { resource: 'inquiry', operation: 'downloadPdf', inquiryId: '={{ $json.id }}' };
				const download = verificationNode(credential, parameters, {
					name: 'Download',
					onError: 'continueErrorOutput',
				});
				const { id } = await api.createWorkflow(chain('Downloads', [manualTrigger(), items, download]));
				const execution = byWorker(await api.run(id));
				const files = output(execution, 'Download').map(({ binary }) => binary!.data as { id: string });
				assert.deepEqual(
					outputJson(execution, 'Download').map(({ inquiryId }) => inquiryId),
					ids,
				);
				for (const file of files) {
					const address = `/rest/binary-data?action=download&id=${encodeURIComponent(file.id)}`;
					const { data } = await api.send('GET', address);
					assert.match(String(data), /^%PDF/);
				}
				const [{ error }] = outputJson(execution, 'Download', 1) as Array<{ error: Record<string, unknown> }>;
				assert.deepEqual([error.httpCode, error.itemIndex], [404, 1]);
			},

		'a test of each trigger is executed by a worker': async () => {
			const { ids, credential } = await ended();
			const status = node(
				'Status Trigger',
				`${PACKAGE}.businessVerificationTrigger`,
				{ authentication: 'apiKey' },
				{ credentials: { [credential.type]: { id: credential.id, name: credential.name } } },
			);
			const { id } = await api.createWorkflow(chain('Samples', [status]));
			const [sample, ...more] = outputJson(byWorker(await api.run(id)), 'Status Trigger');
			assert.deepEqual([ids.includes(String(sample.id)), sample.event, more], [true, 'completed', []]);

			const receiver = await Receiver.create(world, triggerNode(await sellerCredential(world)));
			await api.startRun(receiver.workflowId);
			const signed = receiver.sign({ ref: 'test' }, receiver.testUrl);
			assert.equal((await call(signed, { request_id: 'r', seller_id: 's' })).status, 200);
			assert.equal(await receiver.executions(1), 1);
			const [executionId] = await api.executionIds(receiver.workflowId);
			byWorker(await api.ended(executionId));
			assert.deepEqual(await receiver.refs(), ['test']);
		},
	};
}
