import axios from 'axios';
import { routes } from '../../nodes/BusinessVerification/document/routes';
import { resources } from '../../nodes/BusinessVerification/operations';
import { type Fault, type Organisation, type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../harness/inProcess';

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

const search = {
	name: '={{ $json.name }}',
	address_line_1: '1 Main Street',
	city: 'Springfield',
	state: 'IL',
	zip5: '62701',
};

interface Write {
	kind: Parameters<Sandbox['ledger']['count']>[0];
	parameters: Record<string, unknown>;
	/** The path that a fault must meet, and no read before it. */
	path: RegExp;
	method?: 'POST';
	/** How many items it takes, and how they leave when the first answer is lost. Two: one is unknown, one is good. */
	items?: 1;
	whenLost?: { good: number; unknown: number };
	billed?: number;
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
	'inquiry: retryProcess': {
		kind: 'retryProcess',
		path: /processes\/[^/]+\/retry$/,
		parameters: { resource: 'inquiry', operation: 'retryProcess', inquiryId, taskId: '={{ $json.task }}' },
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
			...search,
			callback: 'http://127.0.0.1:9/webhook/reports',
		},
	},
	'sellerSearch: submitAndWait': {
		kind: 'sellerSearch',
		path: /seller-detailed$/,
		parameters: { resource: 'sellerSearch', operation: 'submitAndWait', ...search, maxWaitHours: 1 },
		items: 1,
		whenLost: { good: 0, unknown: 1 },
	},
	'batch: submit': {
		kind: 'batch',
		path: /^\/v1\/batch-inquiries\/$/,
		method: 'POST',
		parameters: {
			resource: 'batch',
			operation: 'submit',
			name: '={{ "Leads of " + $now.toMillis() }}',
			columnsFrom: 'mapping',
			columns: {
				mappingMode: 'defineBelow',
				value: { businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL' },
			},
		},
		// The list tells what became of it.
		whenLost: { good: 2, unknown: 0 },
		billed: 1,
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

it('are all here: whatever the document lets submit', () => {
	const submits = (endpoint = '') => endpoint.startsWith('POST ') || endpoint === routes.licenseVerification;
	const registered = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([name, { endpoint }]) => (submits(endpoint) ? [`${resource}: ${name}`] : [])),
	);
	expect(Object.keys(writes).sort()).toEqual(registered.sort());
});

/** Two items, each with an inquiry of its own that has ended with failed processes, and a seller that was reported. */
async function items(count = 2): Promise<Array<Record<string, unknown>>> {
	const seller = await reportedSeller();
	const made = await Promise.all(
		['One', 'Two'].slice(0, count).map(async (name) => {
			const business = { businessName: name, businessCity: 'Springfield', businessState: 'IL' };
			const { data } = await client().post('/v1/inquiries/', business);
			sandbox.inquiries.finish(data.id, 'FAILED');
			const read = await client().get<{ processStatuses: Record<string, { status: string; phase: string }> }>(
				`/v1/inquiries/${data.id}`,
			);
			const [task] = Object.entries(read.data.processStatuses).find(
				([, { status, phase }]) => status === 'FAILED' && phase === 'SOURCE',
			)!;
			return { name, inquiry: data.id as string, task, seller };
		}),
	);
	sandbox.ledger.clear();
	return made;
}

const client = () =>
	axios.create({ baseURL: sandbox.url, headers: { authorization: `Bearer ${sandbox.organisation.apiKey}` } });

async function reportedSeller(): Promise<string> {
	const search = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };
	const { data } = await client().post('/external/api/v1/seller-detailed', {
		...search,
		callback: 'http://127.0.0.1:9/',
	});
	sandbox.clock.advance(5_000);
	const report = await client().get(`/external/api/v1/seller-detailed/${data.request_id}`);
	sandbox.ledger.length = 0;
	return report.data.seller_id as string;
}

type Items = Awaited<ReturnType<typeof items>>;

const optionsOf = ({ kind }: Write, more: object) => (kind === 'batch' ? { lookupGrace: 0, ...more } : more);

async function expectOneUnknown(write: Write, fault: Fault, given: Items, more: object = {}): Promise<void> {
	const { kind, parameters, path, method, whenLost = { good: 1, unknown: 1 }, billed = given.length } = write;
	sandbox.faults.add({ ...fault, path, method });
	const {
		items: good,
		failed,
		error,
	} = await runNode({
		parameters: { ...parameters, options: optionsOf(write, { concurrency: 1, ...more }) } as never,
		credential: credential(),
		items: given,
		onError: 'continueErrorOutput',
		retryOnFail: true,
	});
	expect(error).toBeUndefined();
	expect(sandbox.ledger.count(kind)).toBe(billed);
	expect(good).toHaveLength(whenLost.good);
	expect(failed).toHaveLength(whenLost.unknown);
	if (whenLost.unknown === 0) return;
	expect(failed[0].json.error).toMatchObject({ submission: 'unknown', itemIndex: 0 });
	expect((failed[0].json.error as { description: string }).description).toContain('It was not sent again');
}

// Side by side: each takes as long as the node waits for an answer, and on a loaded machine no other may take that long.
it('every write is sent once when the service answers too late', async () => {
	const own = Object.values(writes).filter(({ kind }) => kind !== 'sellerSearch');
	const given: Items[] = [];
	for (const { items: count } of own) given.push(await items(count));
	const never: Fault = { after: true, delayMs: 600_000 };
	await Promise.all(own.map((write, index) => expectOneUnknown(write, never, given[index], { timeout: 5 })));
});

describe.each(Object.entries(writes))('%s', (_name, write) => {
	const { kind, parameters, path, method, items: count = 2, billed = count } = write;

	it.each(Object.entries(faults))('is sent once when the service %s', async (_fault, fault) => {
		await expectOneUnknown(write, fault, await items(count));
	});

	it('is not doubled by a 401 in between', async () => {
		const given = await items(count);
		sandbox.faults.add({ path, method, status: 401, skip: billed - 1 });
		const { failed } = await runNode({
			parameters: { ...parameters, options: optionsOf(write, { concurrency: 1 }) } as never,
			credential: credential(),
			items: given,
			onError: 'continueErrorOutput',
			retryOnFail: billed > 1,
		});
		expect(failed.length).toBeGreaterThanOrEqual(1);
		for (const { json } of failed) expect(json.error).toMatchObject({ httpCode: 401 });
		expect(sandbox.ledger.count(kind)).toBe(billed - 1);
	});

	it('is sent again after 429, which proves that it was not processed', async () => {
		const given = await items(count);
		sandbox.faults.add({ path, method, status: 429, headers: { 'retry-after': '0' } });
		const { items: good } = await runNode({
			parameters: { ...parameters, options: optionsOf(write, {}) } as never,
			credential: credential(),
			items: given,
		});
		expect(good.length).toBeGreaterThanOrEqual(count);
		expect(sandbox.ledger.count(kind)).toBe(billed);
	});

	it('is sent once for its place when Retry On Fail runs the node again with other data', async () => {
		const given = await items(count);
		const changing = Object.fromEntries(
			Object.entries(parameters).map(([name, value]) => [name, value === '={{ $json.name }}' ? changingName : value]),
		);
		sandbox.faults.add({ path, method, status: 422, skip: billed - 1 });
		const { error } = await runNode({
			parameters: { ...changing, options: optionsOf(write, { concurrency: 1 }) } as never,
			credential: credential(),
			items: given,
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(sandbox.ledger.count(kind)).toBe(billed);
	});
});

/** Another value at every look at it. */
const changingName = '={{ $json.name + " " + $now.toMillis() + Math.random() }}';

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
	// The process remembers what it has made under one: each test is an organisation of its own.
	let organisation: Organisation;
	beforeEach(() => {
		organisation = sandbox.addOrganisation();
	});
	const credential = () => ({ baseUrl: sandbox.url, apiKey: organisation.apiKey });
	const create = {
		resource: 'inquiry',
		operation: 'create',
		...business,
		externalId: '={{ $json.crm }}',
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
