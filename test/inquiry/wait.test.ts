import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { credential, sandbox, useSandbox } from '../harness/sandbox';

beforeAll(hurry);
useSandbox();

it('what an earlier node created is waited for although it is not found yet, and an ID from elsewhere is not', async () => {
	const [created, other] = sandbox.inquiries.seed(2);
	for (const id of [created, other]) sandbox.faults.add({ path: `/v1/inquiries/${id}`, status: 404, times: 1 });
	const { items, failed } = await runNode({
		parameters: {
			...{ resource: 'inquiry', operation: 'wait', waitingOptions: { pollInterval: 1 } },
			inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		credential: credential(),
		items: [{ id: created, status: 'PLANNING' }, { id: other }],
		onError: 'continueErrorOutput',
	});
	expect(items.map(({ json }) => [json.id, json.status])).toEqual([[created, 'COMPLETED']]);
	expect(failed.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([[other, { item: 1 }]]);
});
