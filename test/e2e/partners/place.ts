import assert from 'node:assert/strict';
import type { Credential, Execution, ExecutionSummary, Workflow } from '../client';
import { example, soon, withCredentials } from '../examples';
import type { Sandbox, World } from '../suite';
import { createKeyCredential } from '../verification';
import { everyTwoSeconds, type WorkflowNode } from '../workflow';
import { GoogleSheets } from './google';
import { HubSpot } from './hubspot';
import { Internet } from './internet';
import { Slack } from './slack';

/** The partners of one n8n. They are there before it starts, because it is started with the way to them. */
export class Partners {
	readonly slack = new Slack();
	readonly hubspot = new HubSpot();
	readonly google = new GoogleSheets();
	readonly internet = new Internet([this.slack, this.hubspot, this.google]);

	async prepared() {
		await this.internet.open();
		return { env: this.internet.env, close: () => this.internet.close() };
	}
}

/** An n8n in which a reader has chosen credentials for the examples, as their pages say. */
export class Place {
	private constructor(
		readonly world: World,
		readonly partners: Partners,
		readonly sandbox: Sandbox,
		readonly service: Credential,
		private readonly credentials: Credential[],
	) {}

	static async furnish(world: World, partners: Partners): Promise<Place> {
		const { api } = world;
		const { slack, hubspot, google } = partners;
		const sandbox = await world.sandbox();
		const service = await createKeyCredential(api, sandbox);
		const ofGoogle = {
			...{ clientId: google.client.id, clientSecret: google.client.secret },
			oauthTokenData: {
				...{ access_token: google.accessToken, refresh_token: google.refreshToken, token_type: 'Bearer' },
				expires_in: 3599,
			},
		};
		const credentials = [
			await api.createCredential('Slack account', 'slackApi', { accessToken: slack.token }),
			await api.createCredential('HubSpot App Token account', 'hubspotAppToken', { appToken: hubspot.appToken }),
			await api.createCredential('Google Sheets account', 'googleSheetsOAuth2Api', ofGoogle),
		];
		return new Place(world, partners, sandbox, service, credentials);
	}

	/** The example as its page says: imported, credentials chosen. Nothing waits longer than it must. */
	async load(file: string, edit: (node: WorkflowNode) => WorkflowNode = (node) => node): Promise<Workflow> {
		const { pinData: _, ...workflow } = example(file);
		const ready = (node: WorkflowNode) => hurried(soon(withCredentials(node, [this.service, ...this.credentials])));
		return await this.world.api.createWorkflow({
			...workflow,
			nodes: workflow.nodes.map((node) => edit(ready(node))),
		});
	}

	/** The executions of a published workflow that have ended, the last one first. */
	async over(workflowId: string): Promise<ExecutionSummary[]> {
		return (await this.world.api.executions(workflowId)).filter(({ status }) => ['success', 'error'].includes(status));
	}

	/** The same, once there are so many. */
	async finished(workflowId: string, count: number): Promise<Execution[]> {
		const { api } = this.world;
		await api.until(`${count} executions`, async () => (await this.over(workflowId)).length >= count);
		return await Promise.all((await this.over(workflowId)).map(({ id }) => api.execution(id)));
	}
}

/** What waits before it tries again waits for a moment, and what polls each minute does so every two seconds. */
function hurried(node: WorkflowNode): WorkflowNode {
	const { parameters } = node;
	if ('pollTimes' in parameters) return { ...node, parameters: { ...parameters, pollTimes: everyTwoSeconds } };
	return node.retryOnFail === true ? { ...node, waitBetweenTries: 50 } : node;
}

export const succeeded = ({ error, status }: Execution) => {
	assert.equal(error && `${error.message} ${error.description ?? ''}`, undefined);
	assert.equal(status, 'success');
};
