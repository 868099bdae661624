import { type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../inProcess';

let sandbox: Sandbox;
const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey });
const parameters = { resource: 'batch', operation: 'submit', name: 'March leads', columns: { mappingMode: 'autoMapInputData', value: null } };

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		'Business Name': `Business ${index + 1}`,
		City: 'Springfield',
		State: 'IL',
		Zip: 2139,
		'External ID': `crm-${index + 1}`,
	}));

it('sends the rows of a sheet as batches of 250 and outputs each row with its batch', async () => {
	const { items, error } = await runNode({ parameters, credential: credential(), items: rows(600) });
	expect(error).toBeUndefined();
	expect(sandbox.ledger.filter(({ kind }) => kind === 'batch').map(({ count }) => count)).toEqual([250, 250, 100]);
	expect(items).toHaveLength(600);
	expect(items[599]).toMatchObject({
		json: { 'Business Name': 'Business 600', verification: { row: 600, reused: false, batchName: expect.stringMatching(/^March leads 3\/3 #[0-9a-f]{10}$/) } },
		pairedItem: { item: 599 },
	});
	expect(sandbox.ledger.times('crm-1')).toBe(1);
});

it('sends nothing a second time when the same import runs again', async () => {
	await runNode({ parameters, credential: credential(), items: rows(300) });
	const { items } = await runNode({ parameters, credential: credential(), items: rows(300) });
	expect(items[0].json.verification).toMatchObject({ reused: true });
	expect(sandbox.ledger.count('batch')).toBe(2);
});
