import assert from 'node:assert/strict';
import { McpClient } from '../agents/mcp';
import { mcpServer, tool } from '../agents/workflows';
import type { N8n } from '../n8n';
import type { Queue } from '../queue';
import type { Checks, World } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, manualTrigger } from '../workflow';

/** What a client of an MCP server calls runs on workers, each call in an execution of its own. */
export function toolChecks({ api, host, sandbox }: World, queue: Queue): Checks {
	return {
		'MCP: a business is submitted once, whichever worker it is; an addition once by each': async () => {
			const service = await sandbox();
			service.reset();
			service.switches.lifecycle = 'manual';
			const now = service.clock.now();
			const [inquiryId] = service.inquiries.seed(1, { status: 'RUNNING', createdFrom: now, createdTo: now });
			const credential = await createKeyCredential(api, service);
			const tools = ['create', 'addPrincipal'].map((operation) => tool(credential, 'inquiry', operation));
			const { pathname } = new URL(await mcpServer(api, 'queued', tools));
			const { id } = (await api.workflows()).find(({ name }) => name === 'MCP queued')!;
			const client = await McpClient.connect(host, new URL(pathname, queue.processors[0].url).href);

			const node = verificationNode(credential, { resource: 'inquiry', operation: 'wait', inquiryId });
			const waits = await api.createWorkflow(chain('Waits', [manualTrigger(), node]));
			/** A worker does one execution at a time: the next call is the other's. */
			const occupied = async (): Promise<{ executionId: string; worker: N8n }> => {
				const executionId = await api.startRun(waits.id);
				await api.until('a worker to wait', async () => queue.workerOf(executionId) !== undefined);
				return { executionId, worker: queue.workerOf(executionId)! };
			};
			const submit = async (businessName: string) => {
				const business = { businessName, businessCity: 'Springfield', businessState: 'IL' };
				const made = JSON.parse(await client.call('inquiry_create', business));
				await client.call('inquiry_addPrincipal', { inquiryId, lastName: 'Smith' });
				return made[0].thirdPartyData.id;
			};

			const one = await occupied();
			const first = [await submit('Twice LLC'), await submit('twice llc')];
			const other = await occupied();
			await api.stopExecution(one.executionId);
			await api.ended(one.executionId);
			const second = await submit('TWICE  llc');
			await api.stopExecution(other.executionId);
			await client.close();

			const workers = (await api.executionIds(id)).map((each) => queue.workerOf(each));
			assert.equal(new Set(workers).size, 2);
			assert.deepEqual([...first, second], [second, second, second]);
			assert.deepEqual([service.ledger.count('inquiry'), service.ledger.count('principal')], [1, 2]);
		},
	};
}
