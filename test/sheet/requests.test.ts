import { post, sheet, useWorld, world } from './importer';

// How many requests an import of 10,000 rows takes, in the first run, and when the sheet is read again.

useWorld();

it.each([
	['the rows of batches show external IDs', {}, 60],
	['only the list of all inquiries shows them', { batchRowsExternalId: false }, 75],
])(
	'%s',
	async (where, switches, mostUnchanged) => {
		Object.assign(world.sandbox.switches, switches);
		const requestsFor = async (rows: ReturnType<typeof sheet>) => {
			const before = world.sandbox.requests.total;
			const { error } = await world.import({ rows, more: { name: where }, options: { includeDetails: false } });
			expect(error).toBeUndefined();
			return world.sandbox.requests.total - before;
		};
		const rows = sheet(10_000);
		const first = await requestsFor(rows);
		const unchanged = await requestsFor([...rows].reverse());
		// Inquiries are listed from some seconds before the new batch on.
		world.sandbox.clock.advance(60_000);
		const appended = await requestsFor([...rows, ...sheet(20, 10_001)]);
		console.log(`${where}: ${first} requests, unchanged ${unchanged}, 20 appended ${appended}`);
		expect(first).toBeLessThanOrEqual(60);
		expect(unchanged).toBeLessThanOrEqual(mostUnchanged);
		expect(appended).toBeLessThanOrEqual(75);
		expect(world.sandbox.ledger.count('batch')).toBe(41);
	},
	120_000,
);

it('sends the batches after the first side by side', async () => {
	// None of the three is answered before all have arrived.
	world.sandbox.faults.add({ ...post, skip: 1, together: 3, times: 3 });
	const options = { chunkSize: 1, concurrency: 3 };
	const { error } = await world.import({ rows: sheet(4), more: { name: 'beside' }, options });
	expect([error, world.sandbox.requests.peakInFlight]).toEqual([undefined, 3]);
});
