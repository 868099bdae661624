import { randomUUID } from 'node:crypto';
import { type Credential, type Execution, type ExecutionSummary, outputJson } from '../client';
import type { World } from '../suite';
import { verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger, type WorkflowNode } from '../workflow';

export const SEARCH = 'Search';

const merchant = {
	name: 'Acme Trading LLC',
	address_line_1: '1 Main Street',
	city: 'Springfield',
	state: 'IL',
	zip5: '62701',
};

export const searchNode = (credential: Credential, parameters: Record<string, unknown>): WorkflowNode =>
	verificationNode(
		credential,
		{ resource: 'sellerSearch', ...merchant, ...parameters },
		{ name: SEARCH, webhookId: randomUUID() },
	);

/** One execution of 'Submit and Wait', on its way. The name of the merchant tells it from all others. */
export class Search {
	private constructor(
		private readonly world: World,
		readonly executionId: string,
		private readonly name: string,
	) {}

	static async start(world: World, credential: Credential, parameters: Record<string, unknown> = {}): Promise<Search> {
		const name = `Acme ${randomUUID()}`;
		const node = searchNode(credential, {
			operation: 'submitAndWait',
			ref: name,
			maxWaitHours: 1,
			...parameters,
			name,
		});
		const workflow = await world.api.createWorkflow(
			chain('Waits for its report', [manualTrigger(), itemsNode([{ from: 'before' }]), node]),
		);
		return new Search(world, await world.api.startRun(workflow.id), name);
	}

	/** What the service was asked for: its ID of the request, and where it shall call back. */
	async submitted(): Promise<{ requestId: string; callback: string }> {
		const { ledger, requests } = await this.world.sandbox();
		await this.world.api.until('the search to be submitted', async () => ledger.times(this.name) === 1);
		const [{ id }] = ledger.filter(({ key }) => key === this.name);
		const [{ body }] = requests.filter(
			(request) => (request.body as { name?: string } | undefined)?.name === this.name,
		);
		return { requestId: id, callback: (body as { callback: string }).callback };
	}

	async asleep(): Promise<{ requestId: string; callback: string }> {
		const submitted = await this.submitted();
		await this.world.api.until('the execution to sleep', async () => (await this.status()) === 'waiting');
		return submitted;
	}

	status = async (): Promise<ExecutionSummary['status']> => (await this.world.api.execution(this.executionId)).status;

	ended = async (): Promise<Execution> => await this.world.api.ended(this.executionId);

	/** What came out of it. */
	async output(): Promise<Record<string, unknown>> {
		const execution = await this.ended();
		if (execution.error !== undefined) throw new Error(`The execution ended with: ${execution.error.message}`);
		const items = outputJson(execution, SEARCH);
		if (items.length !== 1) throw new Error(`One item was expected, not ${JSON.stringify(items)}`);
		return items[0];
	}
}
