import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { type SignOptions, signCallbackUrl } from '../../nodes/BusinessVerification/callback/signing';
import { type Client, type Credential, outputJson, type Workflow } from './client';
import type { Sandbox, World } from './suite';
import { KEY_TYPE, keyData, PACKAGE, verificationNode } from './verification';
import { chain, node, type WorkflowNode } from './workflow';

export const SECRET = 'a long random text for callbacks';

export const TRIGGER = 'Seller Trigger';
export const SEARCH = 'Search';

export const merchant = { name: 'Acme Trading LLC', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };

export const sellerCredential = async (api: Client, sandbox: Sandbox, change: Record<string, unknown> = {}) =>
	api.createCredential('Seller', KEY_TYPE, { ...keyData(sandbox), callbackSecret: SECRET, ...change });

export function sellerTriggerNode(credential: Credential, parameters: Record<string, unknown> = {}): WorkflowNode {
	return node(
		TRIGGER,
		`${PACKAGE}.businessVerificationSellerTrigger`,
		{ authentication: 'apiKey', ...parameters },
		{ credentials: { [credential.type]: { id: credential.id, name: credential.name } }, webhookId: randomUUID() },
	);
}

export const searchNode = (credential: Credential, parameters: Record<string, unknown>) =>
	verificationNode(credential, { resource: 'sellerSearch', ...merchant, ...parameters }, { name: SEARCH, webhookId: randomUUID() });

/** An active workflow that a Seller Report starts. */
export class Receiver {
	private constructor(
		private readonly api: Client,
		readonly workflow: Workflow,
		/** What the user copies from the trigger's panel. */
		readonly url: string,
	) {}

	static async start({ api, n8n }: World, trigger: WorkflowNode): Promise<Receiver> {
		const workflow = await api.createWorkflow(chain('Receives Seller Reports', [trigger]));
		await api.activate(workflow.id);
		const receiver = new Receiver(api, workflow, `${n8n.url}${triggerPath(trigger)}`);
		await receiver.listens();
		return receiver;
	}

	sign = (options: Partial<SignOptions> = {}) =>
		signCallbackUrl(this.url, { secret: SECRET, placement: 'query', ...options }).url;

	/** n8n calls a workflow published a moment before its addresses answer, after a start too. */
	async listens() {
		await this.api.until('the trigger to listen', 30_000, async () => (await call(this.url, {})).status !== 404);
	}

	/** What started the workflow, oldest first. */
	async items(): Promise<Array<Record<string, any>>> {
		const ids = await executionIds(this.api, this.workflow.id);
		const items: Array<Record<string, any>> = [];
		for (const id of ids.reverse()) items.push(...outputJson(await this.api.ended(id), TRIGGER));
		return items;
	}

	async refs(): Promise<string[]> {
		return (await this.items()).map(({ ref }) => ref).sort();
	}

	/** Waits for them, and a moment longer for one too many. */
	async executions(expected: number): Promise<number> {
		await this.api.until(`${expected} executions`, 60_000, async () => (await this.count()) >= expected);
		await new Promise((resolve) => setTimeout(resolve, 500));
		return await this.count();
	}

	private count = async () => (await executionIds(this.api, this.workflow.id)).length;
}

export const triggerPath = ({ webhookId }: WorkflowNode, from = 'webhook') => `/${from}/${webhookId}/seller-report-${webhookId}`;

/** All of them, newest first; n8n lists them by pages. */
export async function executionIds(api: Client, workflowId: string): Promise<string[]> {
	const ids: string[] = [];
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	for (;;) {
		const before = ids.length === 0 ? '' : `&lastId=${ids[ids.length - 1]}`;
		const { results } = await api.get(`/rest/executions?filter=${filter}&limit=100${before}`);
		ids.push(...(results as Array<{ id: string }>).map(({ id }) => id));
		if (results.length < 100) return ids;
	}
}

const http = axios.create({
	proxy: false,
	validateStatus: () => true,
	timeout: 60_000,
	maxRedirects: 0,
	httpAgent: new Agent({ keepAlive: true, maxSockets: 16 }),
});

/** A call as the service, or an attacker, would make it. */
export const call = async (url: string, body?: unknown, more: AxiosRequestConfig = {}): Promise<AxiosResponse> =>
	http.request({ method: 'POST', url, data: body, ...more });

/** Several at a time, as many callers would. */
export async function inParallel<T>(width: number, tasks: T[], run: (task: T, index: number) => Promise<unknown>) {
	let next = 0;
	const worker = async () => {
		while (next < tasks.length) {
			const index = next++;
			await run(tasks[index], index);
		}
	};
	await Promise.all(Array.from({ length: width }, worker));
}
