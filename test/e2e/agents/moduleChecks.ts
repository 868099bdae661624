import assert from 'node:assert/strict';
import { type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { toolVariants } from '../../../nodes/BusinessVerification/agents/tools';
import { nodeProperties } from '../../../nodes/BusinessVerification/kit/operation';
import { resources } from '../../../nodes/BusinessVerification/operations';
import type { Credential } from '../client';
import type { Checks, World } from '../suite';
import { createKeyCredential, PACKAGE } from '../verification';
import { Model, type Turn } from './model';

const acme = { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' };

/** A tool as the editor of an agent saves it: fields that are left to the model stand in its parameters. */
function toolParameters(resource: string, operation: string): INodeParameters {
	const given = { authentication: 'apiKey', resource, operation };
	const properties = nodeProperties(resources, toolVariants);
	const type = { name: `${PACKAGE}.businessVerificationTool`, version: 1, properties } as INodeTypeDescription;
	return NodeHelpers.getNodeParameters(properties, given, true, false, { typeVersion: 1 }, type) ?? given;
}

/** n8n's own agents, which are no workflows, since n8n 2.41: n8n runs each tool by itself. */
export function moduleChecks({ api, host, sandbox }: World): Checks {
	if (host !== 'newest') return {};

	const agent = async (model: Model, key: Credential, tools: Array<[string, string, object?]>) => {
		const chat = await api.createCredential('Model', 'openAiApi', { apiKey: 'none', url: model.url });
		const { id: project } = (await api.send('GET', '/rest/projects/personal')).data.data;
		const agents = `/rest/projects/${project}/agents/v2`;
		const { id } = (await api.send('POST', agents, { name: 'Analyst' })).data.data;
		const config = {
			name: 'Analyst',
			model: 'openai/scripted',
			credential: chat.id,
			instructions: 'You verify businesses.',
			tools: tools.map(([resource, operation, more]) => ({
				type: 'node',
				name: `${resource}_${operation}`,
				description: 'Copied from Description.',
				node: {
					nodeType: `${PACKAGE}.businessVerificationTool`,
					nodeTypeVersion: 1,
					nodeParameters: toolParameters(resource, operation),
					credentials: { [key.type]: { id: key.id, name: key.name } },
				},
				...more,
			})),
		};
		const { configHash = null } = (await api.send('GET', `${agents}/${id}/config`)).data.data ?? {};
		await api.send('PUT', `${agents}/${id}/config`, { config, baseConfigHash: configHash });
		return {
			say: async (path: string, body: object): Promise<string> =>
				String((await api.send('POST', `${agents}/${id}/${path}`, body)).data),
		};
	};

	const withModel = async (work: (model: Model) => Promise<void>) => {
		const model = await Model.start();
		await work(model).finally(() => model.close());
	};
	const creates: Turn = () => ({ tool: 'inquiry_create', args: acme });

	return {
		"n8n's Agents: a tool submits once, answers in its form, and what is not for agents is refused": () =>
			withModel(async (model) => {
				const service = await sandbox();
				service.reset();
				const key = await createKeyCredential(api, { ...service, organization: service.addOrganization({}) });
				const { say } = await agent(model, key, [
					['inquiry', 'create'],
					['user', 'getApiKey'],
				]);
				model.says(
					creates,
					creates,
					() => ({ tool: 'user_getApiKey', args: {} }),
					() => 'Done.',
				);
				const stream = await say('chat', { message: 'Verify Acme.' });
				assert.equal(model.heard.length, 3, stream.slice(0, 2000));
				assert.match(model.heard[0], /"thirdPartyData"/);
				assert.match(model.heard[0], /'Wait for inquiry' waits for it/);
				assert.match(model.heard[2], /is not available to AI agents/);
				assert.equal(service.ledger.count('inquiry'), 1);
				const { description, parameters } = model.tools.find(({ name }) => name === 'inquiry_create')!;
				assert.match(description, /^Copied from Description\./);
				assert.ok('businessCity' in (parameters.properties ?? {}));
			}),
	};
}
