import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type SignOptions, signCallbackUrl } from '../../../nodes/BusinessVerification/seller/signing';
import { type Client, type Credential, ENDED, outputJson } from '../client';
import type { Sandbox } from '../suite';
import { KEY_TYPE, keyData, PACKAGE } from '../verification';
import { chain, node, type WorkflowNode } from '../workflow';
import { call, pause } from './calls';

/** An n8n to call, its editor, and the service that it uses. */
interface Place {
	api: Client;
	n8n: { url: string };
	sandbox(): Promise<Sandbox>;
}

const SECRET = 'a long random text for callbacks';
const NAME = 'Seller Trigger';

export const sellerCredential = async ({ api, sandbox }: Place, change: Record<string, unknown> = {}) =>
	api.createCredential('Seller', KEY_TYPE, { ...keyData(await sandbox()), callbackSecret: SECRET, ...change });

export const triggerNode = (credential: Credential, parameters: Record<string, unknown> = {}): WorkflowNode =>
	node(
		NAME,
		`${PACKAGE}.businessVerificationSellerTrigger`,
		{ authentication: 'apiKey', ...parameters },
		{ credentials: { [credential.type]: { id: credential.id, name: credential.name } }, webhookId: randomUUID() },
	);

/** A workflow that a Seller Report starts. */
export class Receiver {
	private readonly read = new Map<string, Array<Record<string, unknown>>>();

	private constructor(
		private readonly api: Client,
		readonly workflowId: string,
		private readonly base: string,
		private readonly path: string,
	) {}

	static async create({ api, n8n }: Place, trigger: WorkflowNode): Promise<Receiver> {
		const { id } = await api.createWorkflow(chain('Receives Seller Reports', [trigger]));
		return new Receiver(api, id, n8n.url, `${trigger.webhookId}/seller-report-${trigger.webhookId}`);
	}

	static async started(world: Place, trigger: WorkflowNode): Promise<Receiver> {
		const receiver = await Receiver.create(world, trigger);
		await world.api.activate(receiver.workflowId);
		await receiver.listens();
		return receiver;
	}

	/** The same trigger, called at another process of n8n. */
	behind = (base: string) => new Receiver(this.api, this.workflowId, base, this.path);

	/** What the user copies from the trigger's panel. */
	get url() {
		return `${this.base}/webhook/${this.path}`;
	}

	get testUrl() {
		return `${this.base}/webhook-test/${this.path}`;
	}

	sign = (options: Partial<SignOptions> = {}, url = this.url) =>
		signCallbackUrl(url, { secret: SECRET, placement: 'query', ...options });

	/**
	 * Until the trigger itself refuses an empty call. Published and ready, n8n may for a moment still answer 404, under load
	 * 503, and while it starts even 200.
	 */
	async listens(url = this.url) {
		await this.api.until('the trigger to listen', async () => [401, 422].includes((await call(url, {})).status));
	}

	/** Waits for that many executions, and a moment longer for one too many. */
	async executions(expected: number): Promise<number> {
		const count = async () => (await this.api.executionIds(this.workflowId)).length;
		await this.api.until(`${expected} executions`, async () => (await count()) >= expected);
		await pause(500);
		return await count();
	}

	/** What the executions started with. */
	async items(): Promise<Array<Record<string, unknown>>> {
		const items: Array<Record<string, unknown>> = [];
		for (const id of await this.api.executionIds(this.workflowId))
			items.push(...outputJson(await this.api.ended(id), NAME));
		return items;
	}

	/**
	 * What the executions started with once every call so far has started its own, or has not: a last call is made at each
	 * of the addresses, and when it has started one and nothing runs, no answered call is still under way.
	 */
	async itemsOfAll(addresses: Receiver[] = [this]): Promise<Array<Record<string, unknown>>> {
		const last = addresses.map(() => `last-${randomUUID()}`);
		for (const [index, address] of addresses.entries()) {
			const { status } = await call(address.sign({ ref: last[index] }), { request_id: last[index] });
			assert.equal(status, 200, 'the last call');
		}
		await this.api.until('the executions to end: they are late, not lost', async () => {
			const executions = await this.api.executions(this.workflowId);
			if (executions.some(({ status }) => !ENDED.includes(status))) return false;
			for (const { id } of executions)
				if (!this.read.has(id)) this.read.set(id, outputJson(await this.api.ended(id), NAME));
			const refs = [...this.read.values()].flat().map(({ ref }) => ref);
			return last.every((ref) => refs.includes(ref));
		});
		return [...this.read.values()].flat().filter(({ ref }) => !last.includes(String(ref)));
	}

	async refs(): Promise<unknown[]> {
		return (await this.items()).map(({ ref }) => ref).sort();
	}
}
