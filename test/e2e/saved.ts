import { isDeepStrictEqual } from 'node:util';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { twoWorlds, type World as Records } from '../contract/fixture';
import { type Client, type Credential, type Execution, output } from './client';
import type { Sandbox } from './suite';
import { verificationNode } from './verification';
import { chain, itemsNode, manualTrigger } from './workflow';

interface Saved {
	operations: Record<string, Record<string, unknown>>;
	triggers: Record<string, Record<string, unknown>>;
}

export const savedWorkflows = (version: string): Saved =>
	JSON.parse(readFileSync(join(__dirname, '..', 'saved', `${version.split('-')[0]}.json`), 'utf8'));

const NODE = 'Business Verification';

const rows = [
	{ 'Business Name': 'Acme Trading LLC', City: 'Springfield', State: 'IL' },
	{ 'Business Name': 'Bolt & Sons', City: 'Portland', State: 'OR' },
];

/** What a run did, without what is another at each run. */
interface Effect {
	status: string;
	error?: string;
	requests: unknown[];
	output: unknown[];
}

/** A workflow for each saved operation, in an n8n as its user left it. */
export class SavedOperations {
	private constructor(
		private readonly api: Client,
		private readonly sandbox: Sandbox,
		private readonly workflows: Array<[operation: string, id: string]>,
	) {}

	static async create(api: Client, sandbox: Sandbox, credential: Credential, version: string) {
		const workflows: Array<[string, string]> = [];
		for (const [place, parameters] of Object.entries(savedWorkflows(version).operations)) {
			const [resource, operation] = place.split('.');
			const saved = { resource, operation, ...withIds(place, parameters) };
			const node = verificationNode(credential, saved, { name: NODE });
			const { id } = await api.createWorkflow(chain(place, [manualTrigger(), itemsNode([{}]), node]));
			workflows.push([place, id]);
		}
		return new SavedOperations(api, sandbox, workflows);
	}

	/** Runs each of them against a service that begins anew, and says what it did. */
	async effects(): Promise<Record<string, Effect>> {
		const effects: Record<string, Effect> = {};
		for (const [operation, id] of this.workflows) {
			const [records] = await twoWorlds(this.sandbox);
			// It sleeps until the service calls back.
			if (operation === 'sellerSearch.submitAndWait') this.sandbox.clock.unfreeze();
			await this.hand(id, operation === 'batch.submit' ? rows : [{ ...records }]);
			this.sandbox.requests.clear();
			effects[operation] = this.effectOf(await this.api.run(id), records);
		}
		this.sandbox.clock.unfreeze();
		return effects;
	}

	workflowOf = (operation: string) => this.workflows.find(([name]) => name === operation)![1];

	private async hand(id: string, items: object[]) {
		const { nodes } = await this.api.workflow(id);
		await this.api.updateWorkflow(id, {
			nodes: nodes.map((each) => (each.name === 'Items' ? { ...each, parameters: itemsNode(items).parameters } : each)),
		});
	}

	private effectOf(execution: Execution, records: Records): Effect {
		const steady = (value: unknown) => JSON.parse(withoutMoments(JSON.stringify(value), records));
		return {
			status: execution.status,
			...(execution.error && { error: execution.error.message }),
			requests: onceInARow(
				steady(this.sandbox.requests.map(({ method, path, query, body }) => ({ method, path, query, body }))),
			),
			output: steady(output(execution, NODE)),
		};
	}
}

/** An n8n that has just started looks at the list of batches twice before it sends one. */
const onceInARow = (requests: unknown[]): unknown[] =>
	requests.filter((request, place) => place === 0 || !isDeepStrictEqual(request, requests[place - 1]));

/** The example's identifiers, replaced by those that the service of the test has. */
function withIds(operation: string, parameters: Record<string, unknown>) {
	const present: Record<string, string> = {
		inquiryId: operation.startsWith('inquiry.retry') ? 'failedInquiry' : 'inquiry',
		taskId: 'task',
		batchId: 'batch',
		requestId: 'request',
		seller_id: 'seller',
	};
	return Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => [
			name,
			present[name] === undefined ? value : `={{ $json.${present[name]} }}`,
		]),
	);
}

/** Identifiers, times, addresses of this machine, signatures, and places in n8n's store. */
const VARYING = [
	/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
	/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g,
	/https?:\/\/127[^"]+/g,
	/proof=[^"&]+/g,
	/(?<="taskId":"\w+-)[0-9a-f]{8}\b/g,
	/filesystem[\w-]*:[^"]+/g,
];

function withoutMoments(text: string, records: Records): string {
	const named = Object.entries(records).reduce((left, [name, id]) => left.replaceAll(id, `<${name}>`), text);
	return VARYING.reduce((left, pattern) => left.replace(pattern, '<varies>'), named);
}
