import assert from 'node:assert/strict';
import type { Credential } from '../client';
import type { Checks, World } from '../suite';
import { createKeyCredential } from '../verification';
import type { WorkflowNode } from '../workflow';
import { Model, type Turn } from './model';
import { agentWorkflow, tool } from './workflows';

const acme = { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' };
/** n8n remembers what an agent has submitted: each conversation is about a business of its own. */
let conversations = 0;
const creates: Turn = () => ({
	tool: 'inquiry_create',
	args: { ...acme, businessName: `Acme ${conversations} LLC` },
});
const idIn = (text: string): string => /"id":"([^"]+)"/.exec(text)![1];

export function agentChecks({ api, sandbox }: World): Checks {
	let model: Model;
	let chat: Credential;
	let key: Credential;

	const checks: Checks = {
		'a scripted model is ready': async () => {
			model = await Model.start();
			chat = await api.createCredential('Model', 'openAiApi', { apiKey: 'none', url: model.url });
			key = await createKeyCredential(api, await sandbox());
		},
	};

	const conversation = async (version: number, tools: WorkflowNode[], ...turns: Turn[]) => {
		conversations++;
		model.says(...turns);
		const { id } = await api.createWorkflow(agentWorkflow(version, chat, tools));
		return await api.run(id);
	};

	for (const version of [2.2, 3]) {
		const named = (what: string) => `Agent v${Math.floor(version)}: ${what}`;

		checks[named('creates three times and is billed once, waits, gets, and answers')] = async () => {
			const service = await sandbox();
			service.reset();
			const tools = ['create', 'wait', 'get'].map((operation) => tool(key, 'inquiry', operation));
			const execution = await conversation(
				version,
				tools,
				creates,
				creates,
				creates,
				([made]) => ({ tool: 'inquiry_wait', args: { inquiryId: idIn(made) } }),
				([made]) => ({ tool: 'inquiry_get', args: { inquiryId: idIn(made) } }),
				(heard) => `It is ${/"status":"(\w+)"/.exec(heard.at(-1)!)![1]}.`,
			);
			assert.equal(execution.error?.message, undefined);
			assert.match(JSON.stringify(execution.runs.Agent.at(-1)), /It is COMPLETED\./);
			assert.equal(service.ledger.count('inquiry'), 1);
			assert.equal(model.heard.length, 5);
			assert.match(model.heard[2], /"reused":true/);
			for (const { description } of model.tools) assert.match(description, /^(COSTS MONEY|FREE)/);
		};

		checks[named('a refusal is told, with an error output by version 2 only')] = async () => {
			const service = await sandbox();
			for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
				service.reset();
				service.faults.add({
					method: 'POST',
					path: '/v1/inquiries/',
					status: 422,
					body: { detail: 'City is unknown' },
				});
				await conversation(version, [tool(key, 'inquiry', 'create', { onError })], creates, () => 'Done.');
				// Agent v3 puts the error output, which a tool does not have, in the place of all that a tool says.
				const isUnheard = version === 3 && onError === 'continueErrorOutput';
				assert.match(model.heard[0], isUnheard ? /^""$/ : /"submission":"none".*City is unknown/, onError);
				assert.equal(service.ledger.count('inquiry'), 0);
			}
		};
	}

	checks['the scripted model ends'] = async () => void (await model.close());
	return checks;
}
