import { Agent, get as getPlain } from 'node:http';
import { Agent as TlsAgent, get as getTls } from 'node:https';
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

export const get = (world: ReadsWorld, count: number, options: Record<string, unknown> = {}, url = world.serviceUrl) =>
	between(world, 'this node', count, [
		verificationNode(credentialOf(world, url), {
			resource: 'inquiry',
			operation: 'get',
			inquiryId,
			output: 'raw',
			options,
		}),
	]);

const headerOf = ({ headerCredential: { id, name } }: ReadsWorld) => ({
	credentials: { httpHeaderAuth: { id, name } },
});

export const httpRequest = (
	world: ReadsWorld,
	count: number,
	options: Record<string, unknown> = {},
	url = `${world.serviceUrl}/v1/inquiries/{{ ${id} }}`,
) =>
	between(world, 'HTTP Request', count, [
		node(
			'HTTP Request',
			'n8n-nodes-base.httpRequest',
			{ url: `=${url}`, authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth', options },
			{ typeVersion: 4.2, ...headerOf(world) },
		),
	]);

/** As the editor offers it: 50 items, then a second's pause. */
export const usualBatching = { batching: { batch: {} } };

export const oneByOne = (world: ReadsWorld, count: number) =>
	between(world, 'a node that sends one by one', count, [
		bench('One by One', 'oneByOne', { url: `=${world.serviceUrl}/v1/inquiries/{{ ${id} }}` }, headerOf(world)),
	]);

const helper =
	(name: string, more: (world: ReadsWorld) => Partial<WorkflowNode>) =>
	(world: ReadsWorld, count: number, url = world.serviceUrl) =>
		between(world, name, count, [bench('Helper Pool', 'helperPool', { url: `${url}/v1/inquiries/` }, more(world))]);

export const helperPool = helper("n8n's bare helper", () => ({}));

/** The floor of any node with a credential. */
export const helperWithCredential = helper(
	"n8n's helper with a credential",
	({ bareCredential: { id, name, type } }) => ({
		credentials: { [type]: { id, name } },
	}),
);

/** Nothing but Node, connections kept open, so many at once; milliseconds. `take` is handed each answer's bytes. */
async function bareClient(url: string, paths: string[], atOnce: number, take: (bytes: Buffer) => void) {
	const isTls = url.startsWith('https:');
	const agent = isTls
		? new TlsAgent({ keepAlive: true, maxSockets: atOnce, rejectUnauthorized: false })
		: new Agent({ keepAlive: true, maxSockets: atOnce });
	const ask = (path: string) =>
		new Promise<void>((resolve, reject) => {
			const options = { agent, headers: { authorization: 'Bearer bench' } };
			const sent = (isTls ? getTls : getPlain)(url + path, options, (response) => {
				const parts: Buffer[] = [];
				response.on('data', (part: Buffer) => parts.push(part));
				response.on('end', () => (take(Buffer.concat(parts)), resolve()));
			});
			sent.on('error', reject);
		});
	const started = performance.now();
	let next = 0;
	const work = async () => {
		while (next < paths.length) await ask(paths[next++]);
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	const ms = performance.now() - started;
	agent.destroy();
	return ms;
}

/** The records by the bare client, each answer read. */
export const bareRecords = (world: ReadsWorld, url: string) => async (count: number) => {
	const ids = new Set<string>();
	const paths = Array.from({ length: count }, (_, n) => `/v1/inquiries/inquiry-${n}`);
	const take = (bytes: Buffer) => void ids.add((JSON.parse(bytes.toString()) as { id: string }).id);
	const ms = await bareClient(url, paths, 32, take);
	return { ms, counts: await world.counts(), items: count, ids: ids.size, inOrder: true };
};
