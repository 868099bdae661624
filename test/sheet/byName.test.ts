import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../harness/inProcess';
import { post, sheet, useWorld, world } from './importer';

// People know the name that they gave an import, not the ID that the service gave its batch.

useWorld();

const run = (operation: string, items: Array<{ batch: string }>, more: INodeParameters = {}) =>
	runNode({
		parameters: {
			resource: 'batch',
			operation,
			batchId: { __rl: true, mode: 'name', value: '={{ $json.batch }}' },
			...more,
		},
		credential: { baseUrl: world.sandbox.url, apiKey: world.sandbox.organization.apiKey },
		items,
		onError: 'continueErrorOutput',
	});

it.each(['get', 'getInquiries', 'wait'])(
	'%s finds a batch by its exact name, with one list for all items',
	async (name) => {
		await world.import({ rows: sheet(3), more: { name: 'May leads' } });
		await world.import({ rows: sheet(2, 7), more: { name: 'may leads 2' } });
		world.sandbox.requests.clear();
		const batches = ['May leads', 'may leads', 'may leads 2'].map((batch) => ({ batch }));
		const { items, failed } = await run(name, batches, { options: {} });
		expect(new Set(items.map(({ json }) => json.batchId))).toEqual(new Set(world.sandbox.ledger.map(({ id }) => id)));
		expect(failed.map(({ json }) => json.error)).toEqual([
			{
				message: "No batch is named 'may leads'",
				description: "Names are compared exactly. 'Batch: Get Many' lists them.",
				kind: 'row',
				parameter: 'batchId',
				itemIndex: 1,
			},
		]);
		const lists = world.sandbox.requests.filter(({ path }) => path === '/v1/batch-inquiries/');
		expect(lists.length).toBeLessThanOrEqual(name === 'wait' ? 2 : 1);
	},
);

it('reads the names where the list shows none, and passes a batch by that is not there any more', async () => {
	world.sandbox.switches.batchNameKey = 'none';
	await world.import({ rows: sheet(3), more: { name: 'May leads' } });
	await world.import({ rows: sheet(2, 7), more: { name: 'April leads' } });
	const [may, april] = world.sandbox.ledger.map(({ id }) => String(id));
	world.sandbox.faults.add({ method: 'GET', path: `/v1/batch-inquiries/${april}`, status: 404, times: Infinity });
	const { items, failed } = await run('getInquiries', [{ batch: 'May leads' }, { batch: 'April leads' }]);
	expect(items.map(({ json }) => json.batchId)).toEqual([may, may, may]);
	expect(failed).toHaveLength(1);
});

it('names the other batches of the import, and takes the newest of one name', async () => {
	await world.import({ rows: sheet(5), more: { name: 'June' }, options: { chunkSize: 3 } });
	world.sandbox.clock.advance(60_000);
	await fetch(`${world.sandbox.url}${post.path}`, {
		method: post.method,
		headers: { authorization: `Bearer ${world.sandbox.organization.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({
			name: 'June · 2',
			inquiries: [{ businessName: 'B', businessCity: 'C', businessState: 'IL' }],
		}),
	});
	const [first, second, newest] = world.sandbox.ledger.map(({ id }) => String(id));
	const read = await run('get', [{ batch: 'June' }, { batch: 'June · 2' }]);
	expect(read.items.map(({ json }) => json.batchId)).toEqual([first, newest]);
	expect(read.hints).toEqual([
		`Batch ${first} of 'June' was read. There are others: June · 2 (${newest}), June · 2 (${second}).`,
		`Batch ${newest} of 'June · 2' was read. There are others: June · 2 (${second}).`,
	]);
	// A batch without a date is not the newest.
	const named = [{ batchId: first }, { batchId: second, createdAt: '2026-03-02T09:00:00Z' }, { batchId: newest }];
	const items = named.map((batch) => ({ ...batch, batchName: 'July' }));
	world.sandbox.faults.add({ method: 'GET', path: post.path, body: { total: 3, items } });
	const dated = await run('get', [{ batch: 'July' }]);
	expect(dated.items.map(({ json }) => json.batchId)).toEqual([second]);
});
