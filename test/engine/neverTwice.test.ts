import axios from 'axios';
import { type Fault, type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../inProcess';

let sandbox: Sandbox;
const credential = () => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.organisation.apiKey,
	callbackSecret: 'a callback secret of a test',
});

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(() => sandbox.reset());

const business = { businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL' };
const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.inquiry }}' };

interface Write {
	kind: Parameters<Sandbox['ledger']['count']>[0];
	parameters: Record<string, unknown>;
	/** The path that a fault must meet, and no read before it. */
	path: RegExp;
}

/** Every operation that costs money or changes something. */
const writes: Record<string, Write> = {
	'inquiry: create': {
		kind: 'inquiry',
		path: /^\/v1\/inquiries\/$/,
		parameters: { resource: 'inquiry', operation: 'create', ...business },
	},
	'inquiry: addPrincipal': {
		kind: 'principal',
		path: /principals$/,
		parameters: { resource: 'inquiry', operation: 'addPrincipal', inquiryId, lastName: '={{ $json.name }}' },
	},
	'inquiry: addLicense': {
		kind: 'license',
		path: /licenses$/,
		parameters: {
			resource: 'inquiry',
			operation: 'addLicense',
			inquiryId,
			licenseName: 'Plumbing',
			licenseId: '={{ $json.name }}',
			licenseState: 'IL',
			licenseCategory: 'plumbing',
		},
	},
	'inquiry: addFiling': {
		kind: 'filing',
		path: /filings$/,
		parameters: { resource: 'inquiry', operation: 'addFiling', inquiryId, sosId: '={{ $json.name }}', sosState: 'IL' },
	},
	'inquiry: retryFailed': {
		kind: 'retryFailed',
		path: /retry-failed$/,
		parameters: { resource: 'inquiry', operation: 'retryFailed', inquiryId },
	},
	'user: acceptTerms': {
		kind: 'terms',
		path: /accept-inquiry-terms$/,
		parameters: { resource: 'user', operation: 'acceptTerms', confirm: '={{ $json.name !== "" }}' },
	},
	'sellerSearch: submit': {
		kind: 'sellerSearch',
		path: /seller-detailed$/,
		parameters: {
			resource: 'sellerSearch',
			operation: 'submit',
			name: '={{ $json.name }}',
			address_line_1: '1 Main Street',
			city: 'Springfield',
			state: 'IL',
			zip5: '62701',
			callback: 'http://127.0.0.1:9/webhook/reports',
		},
	},
	'license: verify': {
		kind: 'licenseVerification',
		path: /license-verification$/,
		parameters: {
			resource: 'license',
			operation: 'verify',
			seller_id: '={{ $json.seller }}',
			licensee_name: '={{ $json.name }}',
			licensee_state: 'IL',
			licensee_category: 'homeServices',
			licensee_id: 'PL-1',
			additionalFields: {},
		},
	},
};

const faults: Record<string, Fault> = {
	'answers 502 after processing': { after: true, status: 502 },
	'answers 500 after processing': { after: true, status: 500 },
	'drops the connection after processing': { after: true, drop: true },
	'answers a web page after processing': { after: true, html: true },
};

/** Two items, each with an inquiry of its own that has ended with failed processes, and a seller that was reported. */
async function items(): Promise<Array<Record<string, unknown>>> {
	const seller = await reportedSeller();
	return ['One', 'Two'].map((name) => ({ name, inquiry: sandbox.inquiries.seed(1, { status: 'FAILED' })[0], seller }));
}

async function reportedSeller(): Promise<string> {
	const search = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };
	const client = axios.create({
		baseURL: sandbox.url,
		headers: { authorization: `Bearer ${sandbox.organisation.apiKey}` },
	});
	const { data } = await client.post('/external/api/v1/seller-detailed', {
		...search,
		callback: 'http://127.0.0.1:9/',
	});
	sandbox.clock.advance(5_000);
	const report = await client.get(`/external/api/v1/seller-detailed/${data.request_id}`);
	sandbox.ledger.length = 0;
	return report.data.seller_id as string;
}

type Items = Awaited<ReturnType<typeof items>>;

async function expectOneUnknown({ kind, parameters, path }: Write, fault: Fault, given: Items): Promise<void> {
	sandbox.faults.add({ ...fault, path });
	const {
		items: good,
		failed,
		error,
	} = await runNode({
		parameters: { ...parameters, options: { timeout: 1, concurrency: 1 } } as never,
		credential: credential(),
		items: given,
		onError: 'continueErrorOutput',
		retryOnFail: true,
	});
	expect(error).toBeUndefined();
	expect(sandbox.ledger.count(kind)).toBe(2);
	expect(good).toHaveLength(1);
	expect(good[0].pairedItem).toMatchObject({ item: 1 });
	expect(failed).toHaveLength(1);
	expect(failed[0].json.error).toMatchObject({ submission: 'unknown', itemIndex: 0 });
	expect((failed[0].json.error as { description: string }).description).toContain('It was not sent again');
}

// Side by side: each takes as long as the node waits for an answer.
it('every write is sent once when the service answers too late', async () => {
	const given: Items[] = [];
	for (const {} of Object.keys(writes)) given.push(await items());
	await Promise.all(
		Object.values(writes).map((write, index) => expectOneUnknown(write, { after: true, delayMs: 1500 }, given[index])),
	);
});

describe.each(Object.entries(writes))('%s', (_name, write) => {
	const { kind, parameters, path } = write;

	it.each(Object.entries(faults))('is sent once when the service %s', async (_fault, fault) => {
		await expectOneUnknown(write, fault, await items());
	});

	it('is not doubled by a 401 in between', async () => {
		const given = await items();
		sandbox.faults.add({ path, status: 401 });
		const { failed, items: good } = await runNode({
			parameters: { ...parameters, options: { concurrency: 1 } } as never,
			credential: credential(),
			items: given,
			onError: 'continueErrorOutput',
		});
		expect(failed.map(({ json }) => (json.error as { httpCode: number }).httpCode)).toEqual([401]);
		expect(good).toHaveLength(1);
		expect(sandbox.ledger.count(kind)).toBe(1);
	});

	it('is sent again after 429, which proves that it was not processed', async () => {
		const given = await items();
		sandbox.faults.add({ path, status: 429, headers: { 'retry-after': '0' } });
		const { items: good } = await runNode({ parameters: parameters as never, credential: credential(), items: given });
		expect(good.length).toBeGreaterThanOrEqual(2);
		expect(sandbox.ledger.count(kind)).toBe(2);
	});
});

it('sends nothing twice when Retry On Fail runs the node again for one failing item', async () => {
	const create = { resource: 'inquiry', operation: 'create', ...business };
	sandbox.faults.add({ path: '/v1/inquiries/', bodyContains: 'Seven', status: 422, times: 2 });
	const names = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];
	const { items: good, error } = await runNode({
		parameters: create,
		credential: credential(),
		items: names.map((name) => ({ name })),
		retryOnFail: true,
	});
	expect(error).toBeUndefined();
	expect(good).toHaveLength(10);
	expect(sandbox.ledger.count('inquiry')).toBe(10);
});

it('does not send a submission of unknown outcome again when Retry On Fail runs the node again', async () => {
	sandbox.faults.add({ path: '/v1/inquiries/', method: 'POST', after: true, drop: true });
	const { error } = await runNode({
		parameters: { resource: 'inquiry', operation: 'create', ...business },
		credential: credential(),
		items: [{ name: 'Only' }],
		retryOnFail: true,
	});
	expect(error?.message).toContain('Whether the service processed the submission is unknown');
	expect(error?.context).toMatchObject({ submission: 'unknown', itemIndex: 0 });
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

describe('an external ID', () => {
	const create = {
		resource: 'inquiry',
		operation: 'create',
		...business,
		additionalFields: { externalId: '={{ $json.crm }}' },
		ifExternalIdExists: 'reuse',
	};
	const twice = [
		{ name: 'One', crm: 'crm-1' },
		{ name: 'One again', crm: 'crm-1' },
		{ name: 'Two', crm: 'crm-2' },
	];

	it('is submitted once in a run, and reused in the next', async () => {
		const first = await runNode({ parameters: create, credential: credential(), items: twice });
		expect(first.items.map(({ json }) => json.reused)).toEqual([false, true, false]);
		expect(first.items[1].json.id).toBe(first.items[0].json.id);
		const second = await runNode({ parameters: create, credential: credential(), items: twice });
		expect(second.items.map(({ json }) => json.reused)).toEqual([true, true, true]);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	it('is submitted once by executions side by side, also when the list shows new inquiries late', async () => {
		sandbox.switches.inquiryListDelayMs = 60_000;
		const runs = await Promise.all(
			[1, 2, 3].map(() => runNode({ parameters: create, credential: credential(), items: twice })),
		);
		expect(new Set(runs.flatMap(({ items: good }) => good.map(({ json }) => json.id))).size).toBe(2);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	it('can stop the item instead', async () => {
		const stop = { ...create, ifExternalIdExists: 'stop' };
		const { items: good, failed } = await runNode({
			parameters: stop,
			credential: credential(),
			items: twice,
			onError: 'continueErrorOutput',
		});
		expect(good).toHaveLength(2);
		expect(failed[0].json.error).toMatchObject({ itemIndex: 1, parameter: 'externalId' });
	});

	it('that is only part of another one is not reused', async () => {
		await runNode({ parameters: create, credential: credential(), items: [{ name: 'Longer', crm: 'crm-11' }] });
		const { items: good } = await runNode({
			parameters: create,
			credential: credential(),
			items: [{ name: 'Short', crm: 'crm-1' }],
		});
		expect(good[0].json.reused).toBe(false);
	});
});
