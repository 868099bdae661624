import { business, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const submit = async () => {
	const inquiries = ['r1', 'r2', 'r3'].map((externalId) => ({ ...business, externalId }));
	return (await sandbox.post('/v1/batch-inquiries/', { name: 'May', inquiries })).data;
};

switched(
	'batchTakes',
	async () => {
		const { batchId, total } = await submit();
		const { data } = await sandbox.get(`/v1/batch-inquiries/${batchId}`);
		return [total, data.total, sandbox.it.ledger[0].keys];
	},
	[
		['all', [3, 3, ['r1', 'r2', 'r3']]],
		['allButLast', [2, 2, ['r1', 'r2']]],
		['allButLastUnsaid', [3, 2, ['r1', 'r2']]],
		['none', [0, 0, []]],
	],
);

/** Two answers to the same request: whether they name the same thing, and what the ledger holds. */
const twice = async (path: string, body: object, name: string) => {
	const first = await sandbox.post(path, body);
	const second = await sandbox.post(path, body);
	const paid = sandbox.it.ledger.filter(({ duplicate }) => !duplicate).length;
	return [first.status, second.status, second.data[name] === first.data[name], paid];
};

switched('externalIdRepeated', () => twice('/v1/inquiries/', { ...business, externalId: 'x' }, 'id'), [
	['another', [200, 200, false, 2]],
	['existing', [200, 200, true, 1]],
	['again', [200, 200, true, 2]],
	['refused', [200, 409, false, 1]],
]);

const seeded = () => sandbox.it.inquiries.seed(1)[0];

switched('principalRepeated', () => twice(`/v1/inquiries/${seeded()}/principals`, { lastName: 'Smith' }, 'id'), [
	['another', [200, 200, false, 2]],
	['same', [200, 200, true, 1]],
	['refused', [200, 409, false, 1]],
]);

const license = { licenseName: 'Acme', licenseId: 'PL-1', licenseState: 'IL', licenseCategory: 'plumbing' };

switched('licenseRepeated', () => twice(`/v1/inquiries/${seeded()}/licenses`, license, 'licenseId'), [
	['same', [200, 200, true, 1]],
	['again', [200, 200, true, 2]],
	['refused', [200, 409, false, 1]],
	['noContent', [200, 204, false, 1]],
]);

const seller = { name: 'Acme', address_line_1: '1 Main St', city: 'Springfield', state: 'IL', zip5: '62701' };

switched(
	'searchRepeated',
	async () => {
		const search = async (number: number) =>
			(await sandbox.post('/external/api/v1/seller-detailed', { ...seller, callback: `https://a.example/${number}` }))
				.data.request_id;
		const same = (await search(1)) === (await search(2));
		return [same, sandbox.it.ledger.map(({ duplicate }) => duplicate ?? false)];
	},
	[
		['another', [false, [false, false]]],
		['same', [true, [false, true]]],
	],
);

switched(
	'additionsWhileRunning',
	async () => {
		const [id] = sandbox.it.inquiries.seed(1, { status: 'RUNNING' });
		const sends = [
			sandbox.post(`/v1/inquiries/${id}/principals`, { lastName: 'Smith' }),
			sandbox.post(`/v1/inquiries/${id}/licenses`, license),
			sandbox.post(`/v1/inquiries/${id}/filings`, { sosId: '1', sosState: 'IL' }),
		];
		return [...(await Promise.all(sends)).map(({ status }) => status), sandbox.it.ledger.length];
	},
	[
		['taken', [200, 200, 200, 3]],
		['refused', [409, 409, 409, 0]],
	],
);

test('a proxy performs a request twice: the client sees one answer', async () => {
	sandbox.it.faults.add({ method: 'POST', twice: true });
	const { data } = await sandbox.post('/v1/inquiries/', { ...business, externalId: 'x' });
	expect(sandbox.it.ledger.times('x')).toBe(2);
	expect(sandbox.it.ledger[1].id).toBe(data.id);
	expect(sandbox.it.requests.total).toBe(1);
});

test('a request whose connection was cut is performed later', async () => {
	sandbox.it.faults.add({ method: 'POST', performedAfterMs: 5_000 });
	await expect(sandbox.post('/v1/inquiries/', { ...business, externalId: 'x' })).rejects.toThrow(/socket hang up/);
	sandbox.it.clock.advance(4_999);
	expect(sandbox.it.ledger.count()).toBe(0);
	sandbox.it.clock.advance(1);
	await Promise.all(sandbox.it.requests.late);
	expect(sandbox.it.ledger.times('x')).toBe(1);
	expect(sandbox.it.requests.total).toBe(1);
});
