import assert from 'node:assert/strict';
import { pause } from '../callbacks/calls';
import type { Checks, World } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, manualTrigger } from '../workflow';

/** How a wait on a worker ends. */
export const waitChecks = ({ api, host, sandbox }: World): Checks => ({
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
				waitingOptions: { maxWait, pollInterval: 1 },
			};
			const node = verificationNode(credential, parameters, { name: 'Wait' });
			const { id } = await api.createWorkflow(chain('Waits', [manualTrigger(), node], settings));
			const from = service.requests.total;
			const executionId = await api.startRun(id);
			await api.until('the wait to begin', async () => service.requests.total > from);
			return executionId;
		};
		/** A request may be on its way while the execution ends. */
		const looksNoMore = () =>
			api.until('the node to look no more', async () => {
				const from = service.requests.total;
				await pause(3_000);
				return service.requests.total === from;
			});
		const stopped = await waiting({}, 10);
		await api.stopExecution(stopped);
		assert.equal((await api.ended(stopped)).status, 'canceled');
		await looksNoMore();

		// An older worker looks at the time-out between two nodes only: there the node's own deadline ends the wait.
		const timedOut = await waiting({ executionTimeout: 3 }, host === 'oldest' ? 0.2 : 10);
		assert.equal((await api.ended(timedOut)).status, host === 'oldest' ? 'error' : 'canceled');
		await looksNoMore();

		const own = await api.ended(await waiting({}, 0.05));
		assert.equal(own.status, 'error');
		assert.match(own.error!.message, /did not finish within/);
	},
});
