/**
 * A switch that changes nothing would let the tests that turn it prove nothing. So everything that the mock service
 * offers is played with each value of each switch: no two values may look the same. What a value means is shown by the
 * tests that turn it, which test/sandbox/coverage.test.ts asks for.
 */
import type { AxiosRequestConfig } from 'axios';
import { switchNames, switchTable, type SwitchName, type Switches } from '../../sandbox/switches';
import { business, NOON, useSandbox } from './harness';

const sandbox = useSandbox();

/** Of switches that take any text or number: another value than that of the start. */
const other: Partial<Switches> = {
	...{ inquiryListField: 'records', batchListField: 'records', batchInquiryListField: 'records' },
	...{ batchBodyField: 'items', apiKeyHeader: 'X-API-Key', apiKeyScheme: 'Token', tenantHeader: 'X-Tenant' },
	externalHeader: 'Authorization',
	sellerStatusPath: '/external/api/v1/status?request_id={request_id}',
	sellerResultPath: '/external/api/v1/reports/{request_id}',
	...{ pageCap: 2, callbackRetries: 0, callbackDuplicates: 2, sellerMs: 30_000 },
	...{ planningMs: 5_000, runningMs: 5_000, enrichingMs: 5_000, clusteringMs: 60_000, rerunDelayMs: 3_000 },
	...{ completedAtDelayMs: 3_000, listWindowMs: 60_000, inquiryListDelayMs: 30_000, searchDelayMs: 30_000 },
	...{ batchListDelayMs: 30_000, readDelayMs: 30_000, replicaLagMs: 30_000 },
};

/** What has to be set besides for a switch to show. */
const beside: Partial<Record<SwitchName, Partial<Switches>>> = { externalHeader: { externalAuth: 'header' } };

/** They need real time: tests of the engine turn them. */
const timed: SwitchName[] = ['latencyMs', 'maxInFlight'];

const external = '/external/api/v1';
const long = 'Leads of the first week of May, from the fair in Springfield';
const license = { license_name: 'A', license_id: '1', license_state: 'IL', license_category: 'plumbing' };
const camel = { licenseName: 'A', licenseId: '1', licenseState: 'IL', licenseCategory: 'plumbing' };
const seller = { name: 'Acme', address_line_1: '1 Main St', city: 'Springfield', state: 'IL', zip5: '62701' };
const rows = Array.from({ length: 12 }, (_, index) => ({ ...business, externalId: `r${index + 1}` }));
const names = ['Acme Plumbing LLC', 'Lumen Optics', 'Blue Door Books', 'Sable Security'];

/** Each answer with its status and type, and at the end what was billed and called back. IDs and tokens count by place. */
async function played(switches: Partial<Switches>): Promise<string> {
	const { it, get, post } = sandbox;
	it.reset();
	it.clock.freeze();
	it.clock.set(NOON);
	Object.assign(it.switches, switches);
	const { organization, inquiries, clock, ledger } = it;
	const seen: unknown[] = [];
	// As bytes: axios would take away a byte order mark.
	const see = async (sent: ReturnType<typeof get>) => {
		const { status, headers, data } = await sent;
		seen.push([status, headers['content-type'], headers['retry-after'], Buffer.from(data).toString('latin1')]);
	};
	const read = (path: string, options: AxiosRequestConfig = {}) =>
		see(get(path, { responseType: 'arraybuffer', ...options }));
	const send = (path: string, body?: unknown, options: AxiosRequestConfig = {}) =>
		see(post(path, body, { responseType: 'arraybuffer', ...options }));
	const key = `Bearer ${organization.apiKey}`;
	const withKey = { headers: { Authorization: key } };

	// Who may come in.
	for (const Authorization of [key, `Token ${organization.apiKey}`, organization.apiKey])
		await read('/v1/users/me', { headers: { Authorization } });
	await read('/v1/users/me', { headers: { 'X-API-Key': key } });
	await read('/v1/users/me', { headers: { Authorization: key, 'X-Tenant': 'nobody' } });
	const client = { client_id: organization.clientId, client_secret: organization.clientSecret };
	await send('/oauth/token', new URLSearchParams({ grant_type: 'client_credentials', ...client }), { headers: {} });
	await send('/v1/users/me/accept-inquiry-terms', undefined, withKey);

	// What is submitted, also twice and with faults.
	await read('/v1/inquiries/', withKey);
	await send('/v1/inquiries/', { ...business, externalId: `crm ${long}` });
	await send('/v1/inquiries/', { ...business, externalId: '00123' });
	await send('/v1/inquiries/', { ...business, externalId: '00123' });
	await send('/v1/inquiries/', { ...business, licenses: [license] });
	await send('/v1/inquiries/', { ...business, licenses: [camel] });
	await send('/v1/inquiries/', { ...business, businessCity: ' ', colour: 'red' });
	for (const businessName of names) await send('/v1/inquiries/', { ...business, businessName });
	await send('/v1/batch-inquiries/', { name: long, inquiries: rows });
	for (const name of [long, ...'bcdef', 'g · 2'])
		await send('/v1/batch-inquiries/', { name, inquiries: rows.slice(0, 1) });
	await send('/v1/batch-inquiries/', { name: long, items: rows });
	await send('/v1/batch-inquiries/', { name: 'partly', inquiries: [rows[0], { businessName: 'B' }, rows[2]] });
	const created = ledger.filter(({ kind }) => kind === 'inquiry').map(({ id }) => id);
	const batches = ledger.filter(({ kind }) => kind === 'batch').map(({ id }) => id);
	const found = { ...seller, callback: 'http://127.0.0.1:1/hook?ref=crm-1' };
	for (const headers of [
		withKey.headers,
		withKey.headers,
		{ 'X-External-Key': organization.externalKey },
		{},
		{ Authorization: organization.externalKey },
	])
		await send(`${external}/seller-detailed`, found, { headers });
	const verify = { LenderId: organization.id, seller_id: organization.sellerId, licensee_name: 'Ada Byron' };
	const verified = { ...verify, licensee_state: 'IL', licensee_category: 'healthcare' };
	const where = `${external}/license-verification`;
	await read(where, { params: verified });
	await read(where, { params: { ...verified, licensee_category: 'homeServices', licensee_id: 'PL-1' } });
	await read(where, { params: { ...verified, licensee_subcategory: 'dentistry' } });
	await read(where, { params: { ...verified, license_subcategory: 'dentistry' } });
	await send(where, verified);

	// What is listed: of inquiries that were always there, and with pages, orders and searches.
	inquiries.seed(10, { externalIdPrefix: 'crm-', createdFrom: NOON - 9_000 });
	inquiries.seed(2, { externalIdPrefix: 'tie', createdFrom: NOON - 60_001, createdTo: NOON - 60_001 });
	const old = inquiries.seedBatch('May', 2, { status: 'RUNNING', externalIdPrefix: 'b' });
	const lists = async () => {
		for (const query of ['', '?limit=4', '?offset=500', '?sort_by=created_at&sort_order=asc', '?status=COMPLETED'])
			await read(`/v1/inquiries/${query}`);
		for (const text of ['crm-1', 'CRM', 'm-1', 'crm', 'Business 10', '123', 'tie2'])
			await read('/v1/inquiries/', { params: { search: text } });
		await read('/v1/batch-inquiries/');
		for (const id of [old, ...batches]) {
			await read(`/v1/batch-inquiries/${id}`);
			await read(`/v1/batch-inquiries/${id}/inquiries`);
		}
	};
	const search = ledger.find(({ kind }) => kind === 'sellerSearch')?.id;
	const reports = async () => {
		for (const path of [
			`seller-detailed/${search}/status`,
			`status?request_id=${search}`,
			`seller-detailed/${search}`,
			`reports/${search}`,
		])
			await read(`${external}/${path}`);
	};
	await lists();
	await reports();
	await read('/v1/inquiries/');

	// What is added to an inquiry that runs and to one that has finished, each twice.
	const add = async (id: string) => {
		for (const part of ['principals', 'principals', 'licenses', 'licenses'])
			await send(`/v1/inquiries/${id}/${part}`, part === 'principals' ? { lastName: 'Smith' } : camel);
		await send(`/v1/inquiries/${id}/filings`, { sosId: '1', sosState: 'IL' });
	};
	await add(created[0]);
	// What time brings.
	for (const ms of [0, 999, 1, 1_999, 1, 999, 1, 500]) {
		clock.advance(ms);
		await read(`/v1/inquiries/${created[1]}`);
	}
	clock.advance(3_500);
	await it.callbacks.settled();
	await reports();
	for (const id of created) await read(`/v1/inquiries/${id}`);
	await read(`/v1/inquiries/${created[0]}/pdf`);
	await add(created[0]);
	inquiries.finishBatch(old, 'PARTIAL_SUCCESS');
	for (const ms of [0, 3_000, 30_000]) {
		clock.advance(ms);
		await read(`/v1/inquiries/${created[0]}`);
	}
	await lists();
	await it.callbacks.settled();
	const known = new Map<string, number>();
	return JSON.stringify([seen, ledger, it.callbacks]).replace(identity, (id) =>
		String(known.set(id, known.get(id) ?? known.size).get(id)),
	);
}

/** Inquiries, tasks, tokens, and where the mock service listens. */
const identity = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?<=[a-z]-)[\da-f]{8}|eyJ[\w.-]+|127\.0\.0\.1:\d{2,}/g;

let usual: string;
beforeAll(async () => {
	usual = await played({});
});

test('what is played looks the same each time', async () => {
	expect(await played({})).toBe(usual);
});

test.each(switchNames.filter((name) => !timed.includes(name)))('no two values of %s look the same', async (name) => {
	const { start, values = [start, other[name]] } = switchTable[name] as { start: unknown; values?: readonly unknown[] };
	const looks = [beside[name] ? await played(beside[name]) : usual];
	for (const value of values.slice(1)) looks.push(await played({ ...beside[name], [name]: value }));
	expect(values.length).toBeGreaterThan(1);
	expect(values.filter((_, index) => looks.indexOf(looks[index]) !== index)).toEqual([]);
});
