import assert from 'node:assert/strict';
import { outputJson } from '../client';
import { example, withCredentials } from '../examples';
import type { Checks, World } from '../suite';
import { createKeyCredential, PACKAGE } from '../verification';
import { everyTwoSeconds } from '../workflow';

/** The example workflows of the status trigger. */
export function exampleChecks({ api, sandbox }: World): Checks {
	const finished = async (ids: string[]) => {
		const { inquiries } = await sandbox();
		inquiries.finish(ids[0]);
		inquiries.finish(ids[1], 'FAILED');
	};
	return {
		'the example without other accounts has a line for each completion': async () => {
			const service = await sandbox();
			const now = service.clock.now();
			const ids = service.inquiries.seed(2, {
				status: 'RUNNING',
				createdFrom: now - 60_000,
				createdTo: now,
				externalIdPrefix: 'crm-',
			});
			const credential = await createKeyCredential(api, service);
			const workflow = example('completion-alert-offline.json');
			for (const node of workflow.nodes) {
				if (node.type.startsWith(PACKAGE)) node.parameters.pollTimes = everyTwoSeconds;
			}
			const { id } = await api.createWorkflow({
				...workflow,
				nodes: workflow.nodes.map((node) => withCredentials(node, [credential])),
			});
			await api.activate(id);
			await finished(ids);
			const messages = async () => {
				const sent: unknown[] = [];
				for (const each of await api.executionIds(id)) {
					const execution = await api.execution(each);
					assert.equal(execution.error?.message, undefined);
					sent.push(...outputJson(execution, 'The message').flatMap(({ text }) => String(text).split('\n')));
				}
				return sent.sort();
			};
			await api.until('two messages', async () => (await messages()).length >= 2);
			await api.deactivate(id);
			const [first, second, ...more] = (await messages()).map(String);
			// The businesses may be filled in a moment later.
			assert.match(first, /^Inquiry crm-1: COMPLETED, score 80\.( 1 business found\.)?$/);
			assert.match(second, /^Inquiry crm-2: FAILED\.( No businesses listed\.)?$/);
			assert.deepEqual(more, []);
		},
	};
}
