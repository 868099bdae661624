import { Agent, request } from 'node:http';
import { verificationNode } from '../../test/e2e/verification';
import { chain, manualTrigger, node, type WorkflowBody, type WorkflowNode } from '../../test/e2e/workflow';
import type { ImportWorld } from './world';

type Row = Record<string, string>;

/* eslint-disable @typescript-eslint/no-require-imports -- plain JavaScript, which n8n loads as it is */
const { rowOf } = require('../nodes/RowSource.node.js') as { rowOf(n: number): Row };
const { inquiryOf } = require('../nodes/inquiry.js') as { inquiryOf(row: Row): object };
/* eslint-enable @typescript-eslint/no-require-imports */

const perBatch = 250;
const inFlight = 4;

let runs = 0;
const bench = (name: string, type: string, parameters: Record<string, unknown>) =>
	node(name, `n8n-nodes-bench.${type}`, parameters);
const between = (world: ImportWorld, name: string, rows: number, nodes: WorkflowNode[]): WorkflowBody =>
	chain(name, [
		manualTrigger(),
		bench('Source', 'rowSource', { rows }),
		...nodes,
		bench('Sink', 'rowSink', { url: world.reportUrl }),
	]);

/** Our node. Each run has a name of its own: the same import would not be sent again. */
export const ours = (world: ImportWorld, rows: number, more: Record<string, unknown> = {}): WorkflowBody =>
	between(world, 'ours', rows, [
		verificationNode(world.credential, {
			resource: 'batch',
			operation: 'submit',
			name: `Bench ${++runs}`,
			outputPer: 'batch',
			sheetOptions: { maxRows: 0 },
			options: { advanced: { concurrency: inFlight } },
			...more,
		}),
	]);

/** What no node of n8n can be cheaper than. */
export const batchPool = (world: ImportWorld, rows: number): WorkflowBody =>
	between(world, 'batch pool', rows, [
		{
			...bench('Batch Pool', 'batchPool', { url: `${world.serviceUrl}/v1/batch-inquiries/` }),
			credentials: { benchApi: { id: world.bareCredential.id, name: world.bareCredential.name } },
		},
	]);

/** An inquiry made of a row, as text for a Code node or an expression. */
const inquiryText = (row: string) =>
	`{ businessName: ${row}['Business Name'], businessDba: ${row}.DBA, businessCity: ${row}.City, businessState: ${row}.State, businessEin: ${row}.EIN,
	businessAddressLine1: ${row}['Address Line 1'], businessAddressLine2: ${row}['Address Line 2'], businessZip: ${row}.Zip, businessPhone: ${row}.Phone,
	businessEmail: ${row}.Email, businessDomain: ${row}.Domain, businessSosId: ${row}['SOS ID'], principals: [{ lastName: ${row}['Principal 1 Last Name'] }],
	externalId: ${row}['External ID'] }`;

/** The HTTP Request node has no cap on requests in flight; this comes closest. */
const fourInFlight = { batching: { batch: { batchSize: inFlight, batchInterval: 30 } } };

const post = (world: ImportWorld, path: string, jsonBody: string, options: Record<string, unknown> = {}) =>
	node(
		'HTTP Request',
		'n8n-nodes-base.httpRequest',
		{
			method: 'POST',
			url: `${world.serviceUrl}${path}`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody,
			options,
		},
		{
			typeVersion: 4.2,
			credentials: { httpHeaderAuth: { id: world.headerCredential.id, name: world.headerCredential.name } },
		},
	);

const code = (jsCode: string) => node('Code', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });

export const onePerRow = (world: ImportWorld, rows: number): WorkflowBody =>
	between(world, 'one request per row', rows, [
		post(world, '/v1/inquiries/', `={{ JSON.stringify(${inquiryText('$json')}) }}`),
	]);

const batchBody = '={{ JSON.stringify($json) }}';

export const codeThenHttp = (
	world: ImportWorld,
	rows: number,
	options: Record<string, unknown> = fourInFlight,
): WorkflowBody =>
	between(world, 'Code + HTTP Request', rows, [
		code(`const inquiries = $input.all().map(({ json }) => (${inquiryText('json')}));
const batches = [];
for (let from = 0; from < inquiries.length; from += ${perBatch}) batches.push({ json: { name: 'code ' + from, inquiries: inquiries.slice(from, from + ${perBatch}) } });
return batches;`),
		post(world, '/v1/batch-inquiries/', batchBody, options),
	]);

export function loopOverItems(world: ImportWorld, rows: number): WorkflowBody {
	const loop = node(
		'Loop Over Items',
		'n8n-nodes-base.splitInBatches',
		{ batchSize: perBatch, options: {} },
		{ typeVersion: 3 },
	);
	const batch = code(
		`return [{ json: { name: 'loop', inquiries: $input.all().map(({ json }) => (${inquiryText('json')})) } }];`,
	);
	const send = post(world, '/v1/batch-inquiries/', batchBody);
	const workflow = between(world, 'Loop Over Items + Code + HTTP Request', rows, [loop, batch, send]);
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	workflow.connections[loop.name] = { main: [to('Sink'), to(batch.name)] };
	workflow.connections[send.name] = { main: [to(loop.name)] };
	return workflow;
}

export const fieldByField = (world: ImportWorld, rows: number): WorkflowBody => {
	const headers = {
		businessName: 'Business Name',
		businessDba: 'DBA',
		businessCity: 'City',
		businessState: 'State',
		businessEin: 'EIN',
		businessAddressLine1: 'Address Line 1',
		businessAddressLine2: 'Address Line 2',
		businessZip: 'Zip',
		businessPhone: 'Phone',
		businessEmail: 'Email',
		businessDomain: 'Domain',
		businessSosId: 'SOS ID',
		lastName: 'Principal 1 Last Name',
		externalId: 'External ID',
	};
	const parameters = Object.fromEntries(
		Object.entries(headers).map(([name, header]) => [name, `={{ $json["${header}"] }}`]),
	);
	return between(world, 'field by field', rows, [
		bench('Field by Field', 'fieldByField', { url: `${world.serviceUrl}/v1/batch-inquiries/`, ...parameters }),
	]);
};

/**
 * Maps the same rows and sends the same chunks with nothing but Node, connections kept open; milliseconds. With `promises`
 * it keeps ours: it reads the batch list before, after the first batch, which goes alone and whose external IDs are
 * compared with those that were sent, and when all are sent.
 */
export async function bareClient(world: ImportWorld, count: number, promises = false): Promise<number> {
	const rows = Array.from({ length: count }, (_, n) => rowOf(n));
	const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
	const started = performance.now();
	const look = () => bareRequest<{ items: Array<{ batchId: string }> }>(agent, `${world.serviceUrl}${batchPath}`);
	let next = 0;
	const send = async () => {
		const chunk = rows.slice(next, (next += perBatch));
		const body = JSON.stringify({ name: `bare ${next}`, inquiries: chunk.map(bareInquiry) });
		await bareRequest(agent, `${world.serviceUrl}${batchPath}`, body);
	};
	const readBack = async () => {
		const [{ batchId }] = (await look()).items;
		const url = `${world.serviceUrl}${batchPath}${batchId}/inquiries`;
		const { items } = await bareRequest<{ items: Array<{ externalId: string }> }>(agent, url);
		const ids = new Set(items.map(({ externalId }) => externalId));
		if (rows.slice(0, perBatch).some((row) => !ids.has(row['External ID']))) throw new Error('an ID did not come back');
	};
	const sendAll = async () => {
		while (next < count) await send();
	};
	if (promises) for (const step of [look, send, readBack]) await step();
	await Promise.all(Array.from({ length: inFlight }, sendAll));
	if (promises) await look();
	const ms = performance.now() - started;
	agent.destroy();
	return ms;
}

function bareInquiry(row: Row) {
	if (!(row['Business Name'] || row.DBA) || !row.City || !row.State || !row['Principal 1 Last Name'])
		throw new Error('a bad row');
	return inquiryOf(row);
}

const batchPath = '/v1/batch-inquiries/';

const bareRequest = <T>(agent: Agent, url: string, body = '') =>
	new Promise<T>((resolve, reject) => {
		const headers = {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			authorization: 'Bearer bench',
		};
		const sent = request(url, { method: body === '' ? 'GET' : 'POST', agent, headers }, (response) => {
			let text = '';
			response.on('data', (part) => (text += String(part)));
			response.on('end', () => resolve(JSON.parse(text) as T));
		});
		sent.on('error', reject);
		sent.end(body);
	});
