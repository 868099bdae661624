/** What comes out of a list, in which order. */
import { type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../harness/inProcess';

describe('a list', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(() => sandbox.close());

	it('has one order, all of it or a part: the newest first', async () => {
		const run = (parameters: object, items: object[] = [{}]) =>
			runNode({
				parameters: { resource: 'inquiry', ...parameters } as never,
				credential: { baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey },
				items: items as never,
			});
		const business = { businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL' };
		for (const name of ['A', 'B', 'C', 'D']) await run({ operation: 'create', ...business }, [{ name }]);
		const names = async (parameters: object) =>
			(await run({ operation: 'getAll', output: 'raw', ...parameters })).items.map(({ json }) => json.id);
		const newestFirst = await names({ limit: 10 });
		expect(newestFirst).toHaveLength(4);
		expect(await names({ returnAll: true })).toEqual(newestFirst);
		const oldestFirst = await names({ returnAll: true, sort: { sort_order: 'asc' } });
		expect(oldestFirst).toEqual([...newestFirst].reverse());
	});
});
