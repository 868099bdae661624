import { verificationNode } from '../../test/e2e/verification';
import { node, type WorkflowBody, type WorkflowNode } from '../../test/e2e/workflow';
import type { ReadsWorld } from './world';

/** Reads of the service by our node, and by what a user would build instead. */

/** The ID as a sheet or a CRM hands it over. */
const id = "$json['External ID']";
const inquiryId = { __rl: true, mode: 'id', value: `={{ ${id} }}` };

const credentialOf = (world: ReadsWorld, url: string) =>
	url === world.serviceUrl ? world.credential : world.tlsCredential;

const around = (world: ReadsWorld, of: WorkflowNode, name: string, count: number): WorkflowBody =>
	world.around([of], name, count, true);

export const get = (world: ReadsWorld, count: number, url: string) => {
	const parameters = { resource: 'inquiry', operation: 'get', inquiryId, output: 'raw', options: {} };
	return around(world, verificationNode(credentialOf(world, url), parameters), 'this node', count);
};

export const httpRequest = (world: ReadsWorld, count: number, url: string) => {
	const request = { url: `=${url}/v1/inquiries/{{ ${id} }}`, options: { allowUnauthorizedCerts: true } };
	return around(world, world.httpRequest(request), 'HTTP Request', count);
};

/** The floor of any node with a credential. */
export const helperWithCredential = (world: ReadsWorld, count: number, url: string) => {
	const { id, name, type } = world.bareCredential;
	const credentials = { [type]: { id, name } };
	const pool = node('Helper Pool', 'n8n-nodes-bench.helperPool', { url: `${url}/v1/inquiries/` }, { credentials });
	return around(world, pool, "n8n's helper with a credential", count);
};
