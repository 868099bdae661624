import { Agent, request } from 'node:http';
import { verificationNode } from '../../test/e2e/verification';
import { node, type WorkflowBody } from '../../test/e2e/workflow';
import type { ImportWorld } from './world';

type Row = Record<string, string>;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, which n8n loads as it is
const { rowOf } = require('../nodes/RowSource.node.js') as { rowOf(n: number): Row };

const perBatch = 250;
const inFlight = 4;

let runs = 0;
/** Our node. Each run has a name of its own: the same import would not be sent again. */
export const ours = (world: ImportWorld, rows: number): WorkflowBody =>
	world.around(
		[
			verificationNode(world.credential, {
				resource: 'batch',
				operation: 'submit',
				name: `Bench ${++runs}`,
				sheetOptions: { maxRows: 0 },
				options: { advanced: { concurrency: inFlight } },
			}),
		],
		'ours',
		rows,
	);

/** An inquiry made of a row, as text for a Code node or an expression. */
const inquiryText = (row: string) =>
	`{ businessName: ${row}['Business Name'], businessDba: ${row}.DBA, businessCity: ${row}.City, businessState: ${row}.State, businessEin: ${row}.EIN,
	businessAddressLine1: ${row}['Address Line 1'], businessAddressLine2: ${row}['Address Line 2'], businessZip: ${row}.Zip, businessPhone: ${row}.Phone,
	businessEmail: ${row}.Email, businessDomain: ${row}.Domain, businessSosId: ${row}['SOS ID'], principals: [{ lastName: ${row}['Principal 1 Last Name'] }],
	externalId: ${row}['External ID'] }`;

/** The HTTP Request node has no cap on requests in flight; this comes closest. */
const fourInFlight = { batching: { batch: { batchSize: inFlight, batchInterval: 30 } } };

export const codeThenHttp = (world: ImportWorld, rows: number): WorkflowBody => {
	const jsCode = `const inquiries = $input.all().map(({ json }) => (${inquiryText('json')}));
const batches = [];
for (let from = 0; from < inquiries.length; from += ${perBatch}) batches.push({ json: { name: 'code ' + from, inquiries: inquiries.slice(from, from + ${perBatch}) } });
return batches;`;
	const post = world.httpRequest({
		method: 'POST',
		url: `${world.serviceUrl}/v1/batch-inquiries/`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: fourInFlight,
	});
	const code = node('Code', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });
	return world.around([code, post], 'Code + HTTP Request', rows);
};

/** A client of nothing but Node, with connections kept open. */
function openClient({ serviceUrl }: ImportWorld) {
	const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
	const path = `${serviceUrl}/v1/batch-inquiries/`;
	return {
		batches: async () => (await bareRequest<{ items: Batch[] }>(agent, path)).items,
		inquiries: async (batchId: string) =>
			(await bareRequest<{ items: Array<{ externalId: string }> }>(agent, `${path}${batchId}/inquiries`)).items,
		submit: (name: string, inquiries: object[]) => bareRequest<Batch>(agent, path, JSON.stringify({ name, inquiries })),
		close: () => agent.destroy(),
	};
}

interface Batch {
	batchId: string;
	batchName: string;
}

const allRows = (count: number) => Array.from({ length: count }, (_, n) => rowOf(n));

/** Maps the same rows and sends the same chunks; milliseconds. */
export async function bareClient(world: ImportWorld, count: number): Promise<number> {
	const rows = allRows(count);
	const client = openClient(world);
	const started = performance.now();
	let next = 0;
	const sendAll = async () => {
		while (next < count) await client.submit(`bare ${next}`, rows.slice(next, (next += perBatch)).map(bareInquiry));
	};
	await Promise.all(Array.from({ length: inFlight }, sendAll));
	client.close();
	return performance.now() - started;
}

/**
 * The same, with the promises of this node: no row is sent twice, in this run, a later one, or one beside it, and each
 * returns with its status. So it finds what was sent before, sends the first batch alone, compares its external IDs and
 * looks for another run's, and at the end finds all of its batches in the list.
 */
export async function promisingClient(world: ImportWorld, count: number): Promise<number> {
	const rows = allRows(count);
	const client = openClient(world);
	const started = performance.now();
	const asked = client.batches();
	const inquiries = new Map<string, object>();
	for (const row of rows) {
		const id = row['External ID'];
		if (inquiries.has(id)) throw new Error('a row twice');
		inquiries.set(id, bareInquiry(row));
	}
	const batchOf = new Map<string, string>();
	for (const { batchId, batchName } of await asked) {
		if (!batchName.startsWith('promising')) continue;
		for (const { externalId } of await client.inquiries(batchId)) batchOf.set(externalId, batchId);
	}
	const rest = [...inquiries].filter(([id]) => !batchOf.has(id));
	const sent = new Set<string>();
	let next = 0;
	const send = async () => {
		const chunk = rest.slice(next, (next += perBatch));
		const { batchId } = await client.submit(
			`promising ${next}`,
			chunk.map(([, inquiry]) => inquiry),
		);
		sent.add(batchId);
		for (const [id] of chunk) batchOf.set(id, batchId);
	};
	const sendAll = async () => {
		while (next < rest.length) await send();
	};
	const findAll = async () => {
		const ours = (await client.batches()).filter(({ batchName }) => batchName.startsWith('promising'));
		if (ours.length !== sent.size || ours.some(({ batchId }) => !sent.has(batchId))) throw new Error('another run');
	};
	await send();
	await findAll();
	const shown = new Set((await client.inquiries([...sent][0])).map(({ externalId }) => externalId));
	if (rest.slice(0, perBatch).some(([id]) => !shown.has(id))) throw new Error('an ID did not return');
	await Promise.all(Array.from({ length: inFlight }, sendAll));
	await findAll();
	const output = rows.map((row) => ({ verificationStatus: 'sent', ...row, batchId: batchOf.get(row['External ID']) }));
	if (output.some(({ batchId }) => batchId === undefined)) throw new Error('a row is lost');
	client.close();
	return performance.now() - started;
}

function bareInquiry(row: Row) {
	if (!(row['Business Name'] || row.DBA) || !row.City || !row.State || !row['Principal 1 Last Name'])
		throw new Error('a bad row');
	return {
		businessName: row['Business Name'],
		businessDba: row.DBA,
		businessCity: row.City,
		businessState: row.State,
		businessEin: row.EIN,
		businessAddressLine1: row['Address Line 1'],
		businessAddressLine2: row['Address Line 2'],
		businessZip: row.Zip,
		businessPhone: row.Phone,
		businessEmail: row.Email,
		businessDomain: row.Domain,
		businessSosId: row['SOS ID'],
		principals: [{ lastName: row['Principal 1 Last Name'] }],
		externalId: row['External ID'],
	};
}

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
