import { startSandbox, type Sandbox } from '../../sandbox';
import { keyCredential } from '../contract/call';
import { runNode } from '../harness/inProcess';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it.each(['id', 'inquiryId'] as const)(
	"a row of a batch comes out with the inquiry's ID, also where the service calls it %s",
	async (key) => {
		sandbox.reset();
		sandbox.switches.batchRowsId = key;
		const batch = sandbox.inquiries.seedBatch('March', 2, { externalIdPrefix: 'crm-' });
		const run = await runNode({
			parameters: { resource: 'batch', operation: 'getInquiries', batchId: batch },
			credential: keyCredential(sandbox),
		});
		const ids = ['crm-1', 'crm-2'].map((externalId) => sandbox.inquiries.find(externalId)[0].id);
		expect(run.items.map(({ json }) => json.id).sort()).toEqual(ids.sort());
	},
);
