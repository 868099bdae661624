import { startSandbox, type Sandbox, type Switches } from '../../sandbox';
import { keyCredential } from '../contract/call';
import { runNode } from '../harness/inProcess';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it.each<[string, Partial<Switches>]>([
	['id', {}],
	['inquiryId', { batchRowsId: 'inquiryId' }],
	['inquiryId beside an ID of the row', { batchRowsId: 'both' }],
	['inquiry.id', { batchRowsShape: 'nested' }],
])("a row of a batch comes out with the inquiry's ID, also where the service calls it %s", async (_, switches) => {
	sandbox.reset();
	Object.assign(sandbox.switches, switches);
	const batch = sandbox.inquiries.seedBatch('March', 2, { externalIdPrefix: 'crm-' });
	const run = await runNode({
		parameters: { resource: 'batch', operation: 'getInquiries', batchId: batch },
		credential: keyCredential(sandbox),
	});
	const ids = ['crm-1', 'crm-2'].map((externalId) => sandbox.inquiries.find(externalId)[0].id);
	expect(run.items.map(({ json }) => json.id).sort()).toEqual(ids.sort());
	expect(run.items.map(({ json }) => json.status)).toEqual(['COMPLETED', 'COMPLETED']);
});
