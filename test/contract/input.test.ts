/** What people and expressions put into the form, and what goes out of it. Two items or more, one of them bad. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

type Json = Record<string, unknown>;

useSandbox();

const run = (parameters: object, items: Array<Record<string, unknown>>, credential: object = {}) =>
	runNode({
		parameters: parameters as never,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey, ...credential },
		items,
		onError: 'continueErrorOutput',
	});
const errors = ({ failed }: Awaited<ReturnType<typeof run>>) =>
	failed.map(({ json }) => json.error as { message: string; itemIndex: number; parameter?: string });
const bodies = () =>
	sandbox.requests
		.map(({ body }) => body as Record<string, unknown>)
		.sort((a, b) => String(a.businessName).localeCompare(String(b.businessName)));
const getAll = { resource: 'inquiry', operation: 'getAll' };

describe('an item', () => {
	it('has values of its own, and nothing of the first leaks into others', async () => {
		const { failed } = await run(
			{
				...newInquiry,
				additionalFields: { businessEin: '={{ $json.ein }}', tags: '={{ $json.tags }}' },
				principals: { row: [{ lastName: '={{ $json.principal }}', dob: '={{ $json.born }}' }] },
			},
			[
				{ name: 'A', ein: 123456789, tags: 'x,y', principal: 'Smith', born: '1980-12-31' },
				{ name: 'B', principal: 'Doe', ein: '', tags: null },
				{ name: 'C', principal: '', born: '1980-12-31' },
				{ name: 'D', principal: 'Roe', tags: ['z'] },
				{ name: 'E', principal: '' },
			],
		);
		expect(failed.map(({ json }) => json.error)).toMatchObject([
			{ itemIndex: 2, message: "'Principals > 1 > Last Name' is required" },
		]);
		const common = { businessCity: 'Springfield', businessState: 'IL' };
		expect(bodies()).toEqual([
			{
				...common,
				businessName: 'A',
				businessEin: '123456789',
				tags: ['x', 'y'],
				principals: [{ lastName: 'Smith', dob: '1980-12-31' }],
			},
			{ ...common, businessName: 'B', principals: [{ lastName: 'Doe' }] },
			{ ...common, businessName: 'D', tags: ['z'], principals: [{ lastName: 'Roe' }] },
			{ ...common, businessName: 'E' },
		]);
	});

	it('fails alone where an expression fails for it, before anything of it is sent', async () => {
		const { items, failed } = await run(
			{ ...newInquiry, businessName: '={{ $json.name.toUpperCase() + $json.missing.deep }}' },
			[
				{ name: 'A', missing: { deep: '1' } },
				{ name: 'B', missing: null },
				{ name: 'C', missing: { deep: '3' } },
			],
		);
		expect(items).toHaveLength(2);
		expect(failed.map(({ json }) => (json.error as { itemIndex: number }).itemIndex)).toEqual([1]);
		expect(bodies().map(({ businessName }) => businessName)).toEqual(['A1', 'C3']);
	});

	it("n8n's own dates, as expressions hand them over, reach the query", async () => {
		const { failed } = await run(
			{
				...getAll,
				filters: {
					created_at_from: "={{ DateTime.fromISO('2026-01-31T10:00:00+01:00') }}",
					created_at_to: "={{ new Date('2026-02-01T00:00:00Z') }}",
				},
			},
			[{}],
		);
		expect(failed).toEqual([]);
		expect(sandbox.requests[0].query).toMatchObject({
			created_at_from: '2026-01-31T09:00:00.000Z',
			created_at_to: '2026-02-01T00:00:00.000Z',
		});
	});
});

it.each(['create', 'check'])('a principal of which only what is fixed is there is none: %s', async (operation) => {
	const parameters = {
		...newInquiry,
		operation,
		principals: { row: [{ lastName: '={{ $json.last }}', dob: '={{ $json.born }}', principalType: 'Owner' }] },
		licenses: {
			row: [
				{
					licenseName: '={{ $json.license }}',
					licenseId: '={{ $json.number }}',
					licenseState: 'IL',
					licenseCategory: 'plumbing',
				},
			],
		},
	};
	const { items, failed } = await run(parameters, [
		{ name: 'A' },
		{ name: 'B', last: 'Doe', license: 'B Plumbing', number: 'PL-1' },
		{ name: 'C', born: '1980-12-31' },
		{ name: 'D', last: '  ', born: null, number: '' },
		{ name: 'E', license: 'E Plumbing' },
	]);
	const sent = operation === 'check' ? items.map(({ json }) => json.body as Record<string, unknown>) : bodies();
	const good = ['A', 'B', 'D'];
	expect(sent.filter(({ businessName }) => good.includes(String(businessName)))).toEqual([
		expect.not.objectContaining({ principals: expect.anything() }),
		expect.objectContaining({
			principals: [{ lastName: 'Doe', principalType: 'Owner' }],
			licenses: [expect.objectContaining({ license_id: 'PL-1', license_category: 'plumbing' })],
		}),
		expect.not.objectContaining({ licenses: expect.anything() }),
	]);
	const wrong = operation === 'check' ? [items[2].json.problems, items[4].json.problems] : failed;
	expect(wrong.map((each) => JSON.stringify(each))).toEqual([
		expect.stringContaining("'Principals > 1 > Last Name' is required"),
		expect.stringContaining("'Licenses > 1 > license_id' is required"),
	]);
	expect(failed).toHaveLength(operation === 'check' ? 0 : 2);
});

describe.each([
	['snakeCase', ['license_name', 'license_id', 'license_state', 'license_category', 'license_subcategory']],
	['camelCase', ['licenseName', 'licenseId', 'licenseState', 'licenseCategory', 'licenseSubcategory']],
])('licenses of a new inquiry, with License Keys %s', (licenseKeys, [name, number, state, category, subcategory]) => {
	const row = { licenseName: 'A', licenseId: 'PL-1', licenseState: 'IL', licenseCategory: 'plumbing' };
	const first = { [name]: 'A', [number]: 'PL-1', [state]: 'IL', [category]: 'plumbing' };

	beforeEach(() => {
		sandbox.switches.createLicenseKeys = licenseKeys === 'camelCase' ? 'camel' : 'snake';
	});

	it.each(['create', 'check'])('are spelled in one way, from the form: %s', async (operation) => {
		const licenses = { row: [{ ...row, licenseName: '={{ $json.license }}' }] };
		const parameters = { ...newInquiry, operation, licenses };
		const items = [
			{ name: 'A', license: 'A' },
			{ name: 'B', license: '#N/A' },
		];
		const result = await run(parameters, items, { licenseKeys });
		const isCheck = operation === 'check';
		const sent = isCheck ? [result.items[0].json.body as Json] : bodies();
		expect(sent.map((body) => body.licenses)).toEqual([[first]]);
		const wrong = 'is a spreadsheet error';
		expect(isCheck ? JSON.stringify(result.items[1].json.problems) : errors(result)[0].message).toContain(wrong);
		expect(errors(result)).toHaveLength(isCheck ? 0 : 1);
	});

	it('are spelled in the same way from a sheet', async () => {
		const snake = { license_name: 'B', license_id: 7, license_state: 'IL', license_category: 'x' };
		const camel = { ...row, licenseSubcategory: 'residential' };
		const columns = { 'License 1 Name': 'A', 'License 1 ID': 'PL-1', 'License 1 State': 'IL' };
		const result = await run(
			{
				resource: 'batch',
				operation: 'submit',
				name: 'Licenses',
				options: { advanced: { lookUpWait: 0 } },
			},
			[
				{ name: 'A', licenses: JSON.stringify([snake, camel]) },
				{ name: 'B', licenses: camel },
			].map(({ name, licenses }) => ({
				City: 'Springfield',
				State: 'IL',
				...columns,
				'Business Name': name,
				'License 1 Category': 'plumbing',
				Licenses: licenses,
			})),
			{ licenseKeys },
		);
		expect(result.failed).toEqual([]);
		const batch = sandbox.requests.find(({ method }) => method === 'POST')!.body as { inquiries: Json[] };
		const second = { [name]: 'B', [number]: '7', [state]: 'IL', [category]: 'x' };
		const third = { ...first, [subcategory]: 'residential' };
		expect(batch.inquiries.map(({ licenses }) => licenses)).toEqual([
			[second, third, first],
			[third, first],
		]);
	});
});

it('a field that an entry of a JSON list lacks is named with its entry; a whole entry is spelled as the service does', async () => {
	const owners = [{ last_name: 'Moore' }, { firstName: 'Ann', last_name: ' ' }];
	const license = { licenseName: 'A', license_id: '1', license_state: 'IL', license_category: 'x' };
	const { license_id: _, ...withoutId } = license;
	const lists = [{ principalsJson: owners }, { licensesJson: [license, withoutId] }];
	const byModel = (parameter: string, list: object[]) =>
		runNode({
			parameters: { ...newInquiry, additionalFields: { [parameter]: JSON.stringify(list) } },
			credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey },
			items: [{ name: 'A' }],
			asTool: true,
		});
	for (const given of lists) {
		const [[parameter, list]] = Object.entries(given);
		const { items } = await byModel(parameter, list);
		const [place, problem] =
			parameter === 'licensesJson'
				? ['licenses[1].license_id', "'Licenses > 2 > license_id' is required"]
				: ['principals[1].lastName', "'Principals > 2 > Last Name' is required"];
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				failed: true,
				submission: 'none',
				parameter: place,
				thirdPartyData: { problem },
			},
		]);
	}
	await byModel('licensesJson', [license]);
	const spelled = { license_name: 'A', license_id: '1', license_state: 'IL', license_category: 'x' };
	expect(bodies().flatMap((body) => body?.licenses ?? [])).toEqual([spelled]);
});

describe('times between which inquiries were created', () => {
	it('are those of n8n’s zone where they name none; a doubtful one fails its item and is not sent', async () => {
		const times = [
			'2026-01-31T00:00:00',
			'2026-07-31',
			46053,
			'2026-01-31T09:00:00+01:00',
			'03/04/2026',
			1769850000,
			'May 3',
			'2026-02-30',
		];
		const { items, failed } = await run(
			{ ...getAll, filters: { created_at_from: '={{ $json.time }}', created_at_to: '={{ $json.time }}' } },
			times.map((time) => ({ time })),
		);
		expect(items).toEqual([]);
		expect(failed.map(({ json }) => (json.error as { message: string }).message)).toEqual(
			Array(5).fill(expect.stringMatching(`Created After' must be a day or a time, for example`)),
		);
		// The zone of n8n where nobody has set one.
		expect(sandbox.requests.map(({ query }) => [query.created_at_from, query.created_at_to]).sort()).toEqual(
			['2026-01-31T05:00:00.000Z', '2026-01-31T08:00:00.000Z', '2026-07-31T04:00:00.000Z'].map((time) => [time, time]),
		);
	});
});

describe('tags', () => {
	it('may hold commas where the document allows them, in a list from an expression', async () => {
		const result = await run({ ...newInquiry, additionalFields: { tags: '={{ $json.tags }}' } }, [
			{ name: 'A', tags: ['Smith, John', 'vip'] },
			{ name: 'B', tags: 'priority, partner' },
		]);
		expect(errors(result)).toEqual([]);
		expect(bodies().map(({ tags }) => tags)).toEqual([
			['Smith, John', 'vip'],
			['priority', 'partner'],
		]);
	});

	it('are at most 1,000', async () => {
		const result = await run({ ...getAll, filters: { tags: '={{ $json.tags }}' } }, [
			{ tags: 'a,'.repeat(1_001) },
			{ tags: Array(1_001).fill('a') },
			{ tags: 'a,'.repeat(999) },
		]);
		expect(errors(result).map(({ itemIndex, message }) => [itemIndex, message])).toEqual([
			[0, "'Filters > Tags' has more than 1,000 entries"],
			[1, "'Filters > Tags' has more than 1,000 entries"],
		]);
	});
});

describe('source filters', () => {
	it.each([
		['a blank value', { value: '={{ $json.nothing }}' }, /'Filters > Source Filters > 1 > Value' is required/],
		['a blank source', { source: '={{ $json.nothing }}' }, /'Filters > Source Filters > 1 > Source' is required/],
	])('%s is refused, not left out, so that nobody gets every inquiry', async (_, change, message) => {
		const row = { source: 'WATCHLISTS', value: 'CLEAR', ...change };
		const result = await run({ ...getAll, filters: { source_filters: { row: [row] } } }, [{}]);
		expect(errors(result)[0].message).toMatch(message);
		expect(JSON.stringify(errors(result)[0])).not.toContain('> row');
		expect(sandbox.requests).toHaveLength(0);
	});
});

it('one error names all that a new inquiry lacks, in the fields and in what fills them in', async () => {
	const parameters = { ...newInquiry, businessCity: '={{ $json.city }}', businessState: '={{ $json.state }}' };
	const result = await run(parameters, [{ name: 'Acme', city: 'Springfield', state: 'IL' }, { name: ' ' }]);
	expect(errors(result)).toMatchObject([
		{
			...{ itemIndex: 1, parameter: 'businessName', message: "'Business Name' or a Business DBA is required" },
			description: "Nothing was submitted for it. Also: 'City' is required; 'State' is required",
		},
	]);
});

describe('an expression in a field that the editor has at Fixed', () => {
	const expression = 'crm-{{ $json.id }}';

	it.each([
		["'External ID'", { externalId: expression }],
		["'Options > Extra Body Fields'", { options: { extraBody: `{"segment":"${expression}"}` } }],
	])('%s is refused for each item, not sent as text', async (field, parameters) => {
		const result = await run({ ...newInquiry, ...parameters }, [
			{ name: 'A', id: 1 },
			{ name: 'B', id: 2 },
		]);
		expect(errors(result).map(({ message }) => message)).toEqual(
			Array(2).fill(`${field} contains '{{', which n8n did not evaluate: switch the field to 'Expression'`),
		);
		expect(sandbox.ledger.count()).toBe(0);
	});
});

it('a switch that says Yes or 1 shows the fields that depend on it', async () => {
	sandbox.inquiries.seed(3);
	const all = { ...getAll, returnAll: '={{ $json.all }}', limit: 2 };
	const { items } = await run(all, [{ all: 'No' }, { all: 'Yes' }, { all: 0 }]);
	expect(items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([0, 0, 1, 1, 1, 2, 2]);
});

describe('whole numbers', () => {
	it.each([
		['Limit', { ...getAll, limit: '={{ $json.limit }}' }, /'Limit' must be a whole number/],
		[
			'Score',
			{ ...getAll, filters: { scorecard_score_min: '={{ $json.limit }}' } },
			/'Filters > Scorecard Score Minimum' must be a whole number/,
		],
	])('%s', async (_, parameters, message) => {
		const result = await run(parameters, [{ limit: 2 }, { limit: 2.5 }]);
		expect(errors(result)).toMatchObject([{ itemIndex: 1, message: expect.stringMatching(message) }]);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('check', () => {
	const check = { ...newInquiry, operation: 'check' };

	it('answers what is wrong instead of failing, and goes on with what it could read', async () => {
		const { items, failed } = await run(
			{
				...check,
				businessCity: '={{ $json.city }}',
				additionalFields: { businessZip: '={{ $json.zip }}', businessPhone: '555' },
				principals: { row: [{ lastName: 'Smith', dob: '={{ $json.born }}' }] },
			},
			[
				{ name: 'A', city: 'Springfield', born: '1980-12-31' },
				{ name: 'B', city: '', born: 'yesterday' },
				{ name: '', city: 'Springfield', zip: 123456 },
			],
		);
		expect(failed).toEqual([]);
		expect(items.map(({ json: { readyToSubmit, problems } }) => ({ readyToSubmit, problems }))).toEqual([
			{ readyToSubmit: true, problems: [] },
			{
				readyToSubmit: false,
				problems: [
					{ field: 'businessCity', reason: "'City' is required" },
					{
						field: 'principals[0].dob',
						reason: "'Principals > 1 > Date of Birth' is not a date that can be read; write it YYYY-MM-DD",
					},
				],
			},
			{
				readyToSubmit: false,
				problems: [
					{
						field: 'additionalFields.businessZip',
						reason: "'Additional Fields > ZIP Code' is a number that cannot be a ZIP code",
					},
					{ field: 'businessName', reason: "'Business Name' or a Business DBA is required" },
				],
			},
		]);
		expect(sandbox.requests).toHaveLength(0);
	});
});

/** The day that a form reads must not depend on where n8n runs. Only a process of its own has other zones. */
it('a date of birth keeps its day in every zone', () => {
	const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles'];
	const program = `
		const { form } = require('./nodes/BusinessVerification/fields/form');
		const { DateTime } = require('luxon');
		const { dob } = form([{ name: 'dob', kind: 'date', label: 'Born' }], {});
		for (const zone of ${JSON.stringify(zones)}) {
			process.env.TZ = zone;
			const values = [
				new Date(1980, 11, 31), new Date('1980-12-31T00:00:00Z'), DateTime.local(1980, 12, 31),
				DateTime.fromISO('1980-12-31', { zone: 'Asia/Tokyo' }), '1980-12-31', '1980-12-31T00:00:00Z', 29586,
				'1980-12-30T23:00:00.000Z',
			];
			const hours = new Date(1980, 11, 31).getTimezoneOffset() / 60;
			console.log(JSON.stringify([hours, ...values.map((value) => dob.read(value, () => undefined) ?? 'refused')]));
		}
	`;
	const said = execFileSync(process.execPath, ['--import', 'tsx', '-e', program], {
		cwd: join(__dirname, '../..'),
		encoding: 'utf8',
	});
	const days = [...Array<string>(7).fill('1980-12-31'), 'refused'];
	expect(
		said
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line)),
	).toEqual([0, -1, 8].map((hours) => [hours, ...days]));
});
