import { verificationNode } from '../../test/e2e/verification';
import { chain, manualTrigger, node, type WorkflowBody, type WorkflowNode } from '../../test/e2e/workflow';
import type { ReadsWorld } from './world';

/** Reads of the service by our node, and by what a user would build instead. */

const bench = (name: string, type: string, parameters: Record<string, unknown>, more: Partial<WorkflowNode> = {}) =>
	node(name, `n8n-nodes-bench.${type}`, parameters, more);

const between = (world: ReadsWorld, name: string, count: number, nodes: WorkflowNode[]): WorkflowBody =>
	chain(name, [
		manualTrigger(),
		bench('Source', 'idSource', { count }),
		...nodes,
		bench('Sink', 'rowSink', { url: world.reportUrl }),
	]);

/** The ID as a sheet or a CRM hands it over. */
const id = "$json['External ID']";
const inquiryId = { __rl: true, mode: 'id', value: `={{ ${id} }}` };

const credentialOf = (world: ReadsWorld, url: string) =>
	url === world.serviceUrl ? world.credential : world.tlsCredential;

export const get = (world: ReadsWorld, count: number, url: string) =>
	between(world, 'this node', count, [
		verificationNode(credentialOf(world, url), {
			resource: 'inquiry',
			operation: 'get',
			inquiryId,
			output: 'raw',
			options: {},
		}),
	]);

const headerOf = ({ headerCredential: { id, name } }: ReadsWorld) => ({
	credentials: { httpHeaderAuth: { id, name } },
});

export const httpRequest = (world: ReadsWorld, count: number, url: string) =>
	between(world, 'HTTP Request', count, [
		node(
			'HTTP Request',
			'n8n-nodes-base.httpRequest',
			{
				url: `=${url}/v1/inquiries/{{ ${id} }}`,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				options: { allowUnauthorizedCerts: true },
			},
			{ typeVersion: 4.2, ...headerOf(world) },
		),
	]);

/** The floor of any node with a credential. */
export const helperWithCredential = (world: ReadsWorld, count: number, url: string) => {
	const { id, name, type } = world.bareCredential;
	const pool = bench(
		'Helper Pool',
		'helperPool',
		{ url: `${url}/v1/inquiries/` },
		{ credentials: { [type]: { id, name } } },
	);
	return between(world, "n8n's helper with a credential", count, [pool]);
};
