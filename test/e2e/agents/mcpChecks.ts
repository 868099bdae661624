import assert from 'node:assert/strict';
import { resources } from '../../../nodes/BusinessVerification/operations';
import { byModel } from '../../contract/cases';
import { startSandbox } from '../../../sandbox';
import type { Credential } from '../client';
import type { Checks, Sandbox, World } from '../suite';
import { createKeyCredential } from '../verification';
import { McpClient } from './mcp';
import { mcpServer, tool } from './workflows';

/** n8n remembers for a day what a client has submitted, so each check has businesses of its own. */
const business = (businessName: string) => ({ businessName, businessCity: 'Springfield', businessState: 'IL' });

/** Fields that the author of a tool fills in. */
const authored: Record<string, object> = {
	sellerSearch_submit: { callback: 'https://n8n.example.com/webhook/reports' },
	inquiry_getAll: { returnAll: true },
};

const offered = Object.entries(resources).flatMap(([resource, { operations }]) =>
	Object.entries(operations)
		.filter(([, { notForTools }]) => notForTools === undefined)
		.map(([operation]) => ({ resource, operation, name: `${resource}_${operation}` })),
);

export function mcpChecks({ api, host, n8n, sandbox }: World): Checks {
	let key: Credential;
	let client: McpClient;

	const answer = async (name: string, args: object = {}) => {
		const text = await client.call(name, args);
		const [said] = JSON.parse(text) as Array<Record<string, any>>;
		return { text, rows: [said.thirdPartyData].flat() as Array<Record<string, any>> };
	};

	return {
		'MCP: a client sees every tool with what it costs and what to give': async () => {
			key = await createKeyCredential(api, await sandbox());
			const tools = offered.map(({ resource, operation, name }) =>
				tool(key, resource, operation, {}, authored[name] ?? {}),
			);
			client = await McpClient.connect(host, await mcpServer(api, 'all', tools));
			const listed = await client.tools();
			assert.deepEqual(listed.map(({ name }) => name).sort(), offered.map(({ name }) => name).sort());
			for (const { name, description, inputSchema } of listed) {
				assert.match(description, /^(COSTS MONEY|FREE)/, name);
				for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
					assert.ok(schema.description, `${name}: ${argument}`);
				}
			}
			const create = listed.find(({ name }) => name === 'inquiry_create')!;
			assert.deepEqual(create.inputSchema.required?.sort(), ['businessCity', 'businessState']);
		},

		'MCP: every tool is called': async () => {
			const service = await sandbox();
			service.reset();
			service.switches.sellerCompleteAtOnce = true;
			const [inquiryId] = service.inquiries.seed(3);
			const batchId = service.inquiries.seedBatch('Leads', 2);
			const { sellerId, id: lender } = service.organization;
			const ids = {
				...{ inquiry: inquiryId, failedInquiry: inquiryId, batch: batchId, request: '' },
				...{ seller: sellerId, lender, task: 'unknown', unknown: 'none' },
			};
			// The same again in the row of the table, so that it is ordered once.
			const made = await answer('sellerSearch_submit', byModel('sellerSearch.submit', ids).given);
			ids.request = made.rows[0].request_id;
			for (const { resource, operation, name } of offered) {
				const { text, rows } = await answer(name, byModel(`${resource}.${operation}`, ids).given);
				assert.ok(rows.length > 0, name);
				// There is nothing to retry.
				if (!name.startsWith('inquiry_retry')) assert.doesNotMatch(text, /"problem"/, name);
			}
			assert.deepEqual([service.ledger.count('inquiry'), service.ledger.times('March leads')], [1, 1]);
			assert.equal(service.ledger.count('batch'), 1);
			assert.equal(service.ledger.count('sellerSearch'), 1);
		},

		'MCP: the same business is submitted once, also after n8n was started again': async () => {
			const service = await sandbox();
			service.reset();
			const [first] = (await answer('inquiry_create', business('Twice LLC'))).rows;
			const [second] = (await answer('inquiry_create', business('TWICE  llc'))).rows;
			await n8n.restart();
			await client.close();
			// n8n is ready before it has registered what is published.
			await api.until('the MCP server to be there again', async () => {
				const again = await McpClient.connect(host, `${api.url}/mcp/all`).catch(() => undefined);
				client = again ?? client;
				return again !== undefined;
			});
			const [third] = (await answer('inquiry_create', business('Twice LLC'))).rows;
			assert.equal(service.ledger.count('inquiry'), 1);
			assert.deepEqual([second.id, third.id], [first.id, first.id]);
			await client.close();
		},
	};
}

/** Most of a minute: other checks run in the meantime. */
export function longJob({ api, host }: World): { begins: () => Promise<void>; ends: () => Promise<void> } {
	let service: Sandbox;
	let client: McpClient;
	let answer: Promise<string>;

	return {
		async begins() {
			service = await startSandbox({ switches: { runningMs: 600_000 } });
			const key = await createKeyCredential(api, service);
			const waits = [tool(key, 'inquiry', 'create', { name: 'verify' }, { waitForCompletion: true })];
			client = await McpClient.connect(host, await mcpServer(api, 'waits-long', waits));
			answer = client.call('verify', business('Slow LLC'));
			answer.catch(() => {});
			await api.until('the submission', async () => service.ledger.count('inquiry') === 1);
		},

		async ends() {
			try {
				assert.match(await answer, /not finished yet: do not submit it again.*"id":"[^"]+"/);
				assert.equal(service.ledger.count('inquiry'), 1);
				await client.close();
			} finally {
				await service.close();
			}
		},
	};
}
