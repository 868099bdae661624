import assert from 'node:assert/strict';
import { resources } from '../../../nodes/BusinessVerification/operations';
import { startSandbox } from '../../../sandbox';
import type { Checks, Sandbox, World } from '../suite';
import { createKeyCredential } from '../verification';
import { McpClient } from './mcp';
import { mcpServer, tool } from './workflows';

/** n8n remembers for a day what a client has submitted, so each check has businesses of its own. */
const business = (businessName: string) => ({ businessName, businessCity: 'Springfield', businessState: 'IL' });

const offered = Object.entries(resources).flatMap(([resource, { operations }]) =>
	Object.entries(operations)
		.filter(([, { notForTools }]) => notForTools === undefined)
		.map(([operation]) => ({ resource, operation, name: `${resource}_${operation}` })),
);

export function mcpChecks({ api, host, n8n, sandbox }: World): Checks {
	let client: McpClient;

	const created = async (name: string) => {
		const [said] = JSON.parse(await client.call('inquiry_create', business(name)));
		return said.thirdPartyData;
	};

	return {
		'MCP: a client sees every tool with what it costs and what to give': async () => {
			const key = await createKeyCredential(api, await sandbox());
			// Without this field of the author n8n publishes no seller search.
			const callback = { callback: 'https://n8n.example.com/webhook/reports' };
			const tools = offered.map(({ resource, operation, name }) =>
				tool(key, resource, operation, {}, name === 'sellerSearch_submit' ? callback : {}),
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

		'MCP: the same business is submitted once, also after n8n was started again': async () => {
			const service = await sandbox();
			service.reset();
			const first = await created('Twice LLC');
			const second = await created('TWICE  llc');
			await n8n.restart();
			await client.close();
			// n8n is ready before it has registered what is published.
			await api.until('the MCP server to be there again', async () => {
				const again = await McpClient.connect(host, `${api.url}/mcp/all`).catch(() => undefined);
				client = again ?? client;
				return again !== undefined;
			});
			const third = await created('Twice LLC');
			assert.equal(service.ledger.count('inquiry'), 1);
			const { id } = service.ledger[0];
			assert.deepEqual([first.id, second.id, third.id], [id, id, id]);
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
