import { randomUUID } from 'node:crypto';
import { type SignOptions, signCallbackUrl } from '../../../nodes/BusinessVerification/seller/signing';
import { type Client, type Credential, outputJson } from '../client';
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

export const SECRET = 'a long random text for callbacks';
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
	private constructor(
		private readonly api: Client,
		readonly workflowId: string,
		private readonly base: string,
		private readonly path: string,
	) {}

	static async create({ api, n8n }: Place, trigger: WorkflowNode, behind: WorkflowNode[] = []): Promise<Receiver> {
		const { id } = await api.createWorkflow(chain('Receives Seller Reports', [trigger, ...behind]));
		return new Receiver(api, id, n8n.url, `${trigger.webhookId}/seller-report-${trigger.webhookId}`);
	}

	static async started(world: Place, trigger: WorkflowNode, behind: WorkflowNode[] = []): Promise<Receiver> {
		const receiver = await Receiver.create(world, trigger, behind);
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
		await this.api.until('the trigger to listen', 60_000, async () =>
			[401, 422].includes((await call(url, {})).status),
		);
	}

	/** Waits for that many executions, and a moment longer for one too many. */
	async executions(expected: number, withinMs = 60_000): Promise<number> {
		const count = async () => (await executionIds(this.api, this.workflowId)).length;
		await this.api.until(`${expected} executions`, withinMs, async () => (await count()) >= expected);
		await pause(500);
		return await count();
	}

	/** What the executions started with. */
	async items(): Promise<Array<Record<string, unknown>>> {
		const items: Array<Record<string, unknown>> = [];
		for (const id of await executionIds(this.api, this.workflowId))
			items.push(...outputJson(await this.api.ended(id), NAME));
		return items;
	}

	/** The same once nothing is being started any more. */
	async settledItems() {
		for (let before = -1; ; await pause(1000)) {
			const items = await this.items();
			if (items.length === before) return items;
			before = items.length;
		}
	}

	async refs(): Promise<unknown[]> {
		return (await this.items()).map(({ ref }) => ref).sort();
	}

	/** How many refused calls the trigger has noted. */
	async refused(): Promise<{ total: number; reasons: Record<string, number> } | undefined> {
		return (await this.api.staticData(this.workflowId))[`node:${NAME}`]?.refused;
	}
}

/**
 * n8n lists executions by pages; older versions go on behind an ID, newer ones with a cursor. The older list is in the order
 * in which workers started them, which is not quite that of the IDs, so its pages overlap.
 */
export async function executionIds(api: Client, workflowId: string): Promise<string[]> {
	const ids = new Set<string>();
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	let behind = '';
	for (;;) {
		const { results, nextCursor } = await api.get(`/rest/executions?filter=${filter}&limit=100${behind}`);
		for (const { id } of results as Array<{ id: string }>) ids.add(id);
		if (results.length < 100 || nextCursor === null) return [...ids];
		behind =
			nextCursor === undefined
				? `&lastId=${Number(results.at(-1).id) + 50}`
				: `&cursor=${encodeURIComponent(nextCursor)}`;
	}
}
