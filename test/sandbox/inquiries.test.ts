import { createHash } from 'node:crypto';
import { business, endpoint, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const create = async (fields: object = {}) => (await sandbox.post('/v1/inquiries/', { ...business, ...fields })).data;
const get = async (id: string) => (await sandbox.get(`/v1/inquiries/${id}`)).data;
const statusOf = async (fields: object) => (await sandbox.post('/v1/inquiries/', fields)).status;

const everything = {
	...business,
	businessDba: 'Acme',
	businessEin: '012345678',
	businessAddressLine1: '1 Main St',
	businessAddressLine2: null,
	businessZip: '02134',
	businessPhone: '+1 555 0100',
	businessEmail: 'hello@acme.example',
	businessDomain: 'acme.example',
	businessSosId: 'SOS-1',
	principals: [{ firstName: 'Ada', lastName: 'Byron', dob: '1980-02-29', ownershipPercentage: 60, searchNpi: true }],
	licenses: [
		{
			license_name: 'Acme',
			license_id: 'L1',
			license_state: 'IL',
			license_category: 'food',
			license_subcategory: null,
		},
	],
	tags: ['vip', 'new'],
	externalId: 'crm-1',
};

endpoint('POST /v1/inquiries/', 'takes the least and the most, and answers with an inquiry in PLANNING', async () => {
	const answer = await create();
	expect(answer).toMatchObject({
		id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		status: 'PLANNING',
		externalId: null,
		createdAt: '2024-05-01T12:00:00.000Z',
		startedAt: null,
		completedAt: null,
		progress: { stage: 'planning', current_step: 1, total_steps: 3 },
		businesses: null,
	});
	expect((await create(everything)).externalId).toBe('crm-1');
	expect(await statusOf({ businessDba: 'Acme', businessCity: 'Springfield', businessState: 'IL' })).toBe(200);
});

test('the create rules are enforced, each with its sentence', async () => {
	const reason = async (fields: object) => (await sandbox.post('/v1/inquiries/', fields)).data.detail;
	const { businessName: _, ...nameless } = business;
	expect(await reason(nameless)).toMatch(/At least one of businessName or businessDba must be supplied/);
	expect(await reason({ businessName: 'A', businessState: 'IL' })).toMatch(
		/businessCity and businessState are required/,
	);
	expect(await reason({ ...business, principals: [{ firstName: 'Ada' }] })).toMatch(
		/body\.principals\.0\.lastName: is required: "Each principal requires a last name"/,
	);
	expect(await reason({ ...business, licenses: [{ license_name: 'A' }] })).toMatch(
		/license_id: is required: "license entry needs license_name, license_id, license_state and license_category"/,
	);
});

test('wrong types, blanks, nulls and unknown keys are refused, deep down too', async () => {
	expect(await statusOf({ ...business, businessEin: 12345678 })).toBe(422);
	expect(await statusOf({ ...business, businessZip: '' })).toBe(422);
	expect(await statusOf({ ...business, businessPhone: '  ' })).toBe(422);
	expect(await statusOf({ ...business, businessCity: null })).toBe(422);
	expect(await statusOf({ ...business, colour: 'red' })).toBe(422);
	expect(await statusOf({ ...business, business_name: 'A' })).toBe(422);
	expect(await statusOf({ ...business, tags: 'a,b' })).toBe(422);
	expect(await statusOf({ ...business, tags: ['a', ''] })).toBe(422);
	expect(await statusOf({ ...business, principals: [{ lastName: 'B', dob: '2001-02-29' }] })).toBe(422);
	expect(await statusOf({ ...business, principals: [{ lastName: 'B', searchNpi: null }] })).toBe(422);
	expect(await statusOf({ ...business, principals: [{ lastName: 'B', ownershipPercentage: '60' }] })).toBe(422);
	expect(await statusOf({ ...business, principals: [{ lastName: 'B', businessPrincipalId: '7' }] })).toBe(422);
	expect(await statusOf({ ...business, principals: {} })).toBe(422);
	expect(await statusOf([business])).toBe(422);
	expect(sandbox.it.ledger).toHaveLength(0);
});

test('the ledger names the checks that a submission switches on: create rules 2 to 7', async () => {
	const sourcesOf = async (fields: object) => {
		await create(fields);
		return sandbox.it.ledger.at(-1)?.sources;
	};
	const always = ['publicReviews', 'adverseMedia', 'watchlists'];
	expect(await sourcesOf({})).toEqual(always);
	expect(await sourcesOf({ businessDomain: 'gmail.com' })).toEqual(always);
	expect(await sourcesOf({ businessZip: '02134' })).toEqual(always);
	expect(await sourcesOf({ businessZip: '02134', businessAddressLine1: '1 Main St' })).toEqual([
		...always,
		'secretaryOfState',
		'addressVerification',
	]);
	expect(await sourcesOf(everything)).toEqual([
		...always,
		'secretaryOfState',
		'addressVerification',
		'domainVerification',
		'phoneVerification',
		'emailVerification',
		'personSearch',
		'backgroundChecks',
		'licenseVerification',
	]);
	sandbox.it.organization.billable.phoneVerification = false;
	expect(await sourcesOf({ businessPhone: '1' })).toEqual(always);
	expect(sandbox.it.ledger.count('inquiry')).toBe(6);
	expect(sandbox.it.ledger.times('crm-1')).toBe(1);
});

endpoint('GET /v1/inquiries/{inquiry_id}', 'has every field of the document', async () => {
	const { id } = await create(everything);
	expect(Object.keys(await get(id)).sort()).toEqual(
		[
			'id',
			'status',
			'externalId',
			'submittedBy',
			'createdAt',
			'startedAt',
			'completedAt',
			'progress',
			'processStatuses',
			'links',
			'scorecardScore',
			'businesses',
		].sort(),
	);
	expect((await sandbox.get('/v1/inquiries/nobody')).status).toBe(404);
});

switched(
	'createLicenseKeys',
	async () => [
		await statusOf({
			...business,
			licenses: [{ license_name: 'A', license_id: '1', license_state: 'IL', license_category: 'c' }],
		}),
		await statusOf({
			...business,
			licenses: [{ licenseName: 'A', licenseId: '1', licenseState: 'IL', licenseCategory: 'c' }],
		}),
	],
	[
		['snake', [200, 422]],
		['camel', [422, 200]],
	],
);

switched('echoBusinessName', async () => (await create()).businessName ?? 'absent', [
	[false, 'absent'],
	[true, 'Acme Bakery LLC'],
]);

switched('timestampForm', async () => (await create()).createdAt, [
	['milliseconds', '2024-05-01T12:00:00.000Z'],
	['microseconds', '2024-05-01T12:00:00.000000+00:00'],
	['seconds', '2024-05-01T12:00:00Z'],
	['noZone', '2024-05-01T12:00:00.000'],
]);

describe('the PDF', () => {
	const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
	const finished = async () => {
		const { id } = await create();
		sandbox.it.inquiries.finish(id);
		return id as string;
	};
	const pdf = (id: string, options = {}) => sandbox.get(`/v1/inquiries/${id}/pdf`, options);

	endpoint('GET /v1/inquiries/{inquiry_id}/pdf', 'is a PDF, the same each time', async () => {
		const id = await finished();
		const first = await pdf(id, { responseType: 'arraybuffer' });
		const second = await pdf(id, { responseType: 'arraybuffer' });
		expect(first.headers['content-type']).toBe('application/pdf');
		expect(first.data.subarray(0, 5).toString()).toBe('%PDF-');
		expect(Buffer.from(first.data.toString('utf8'))).not.toEqual(first.data);
		expect(sha256(second.data)).toBe(sha256(first.data));
	});

	endpoint('GET /files/{file}', 'gives the bytes without a credential', async () => {
		const id = await finished();
		const direct = await pdf(id, { responseType: 'arraybuffer' });
		sandbox.it.switches.pdfForm = 'jsonUrl';
		const { url } = (await pdf(id)).data;
		const linked = await sandbox.get(url, { baseURL: '', headers: {}, responseType: 'arraybuffer' });
		expect(sha256(linked.data)).toBe(sha256(direct.data));
		expect((await sandbox.get('/files/none.pdf')).status).toBe(404);
	});

	switched(
		'pdfForm',
		async () => {
			const { data, headers } = await pdf(await finished(), { responseType: 'text', transformResponse: String });
			const type = String(headers['content-type']).split(';')[0];
			const start = data.startsWith('{') ? Object.keys(JSON.parse(data)).join() : data.slice(0, 5);
			return `${type} ${start}`;
		},
		[
			['bytes', 'application/pdf %PDF-'],
			['base64Text', 'text/plain JVBER'],
			['jsonString', 'application/json "JVBE'],
			['jsonContent', 'application/json fileName,contentType,content'],
			['jsonUrl', 'application/json url'],
			['json', 'application/json inquiryId,status,message'],
		],
	);
});

describe('additions', () => {
	const completed = async () => {
		const { id } = await create();
		sandbox.it.clock.advance(4_000);
		expect((await get(id)).status).toBe('COMPLETED');
		return id as string;
	};
	const license = { licenseName: 'Acme', licenseId: 'L1', licenseState: 'IL', licenseCategory: 'food' };
	const types = (inquiry: { processStatuses: object }) =>
		Object.values(inquiry.processStatuses as Record<string, { processType: string }>).map((p) => p.processType);

	endpoint('POST /v1/inquiries/{inquiry_id}/principals', 'echoes, and a COMPLETED inquiry runs again', async () => {
		const id = await completed();
		const path = `/v1/inquiries/${id}/principals`;
		const { data } = await sandbox.post(path, { lastName: 'Byron', dob: '1980-12-10', zip5: '02134' });
		expect(data).toEqual({
			firstName: null,
			middleName: null,
			lastName: 'Byron',
			suffix: null,
			dob: '1980-12-10',
			npi: null,
			phone: null,
			email: null,
			addr1: null,
			addr2: null,
			city: null,
			state: null,
			zip5: '02134',
			principalType: null,
			ownershipPercentage: null,
			searchNpi: false,
			businessPrincipalId: null,
			id: expect.any(String),
			status: expect.any(String),
			createdAt: '2024-05-01T12:00:04.000Z',
		});
		expect((await get(id)).status).toBe('RUNNING');
		expect(sandbox.it.ledger.at(-1)).toMatchObject({
			kind: 'principal',
			sources: ['personSearch', 'backgroundChecks'],
		});
		const known = { businessPrincipalId: '3b241101-e2bb-4255-8caf-4136c566a962' };
		expect((await sandbox.post(path, known)).status).toBe(200);
		const refused = await sandbox.post(path, { firstName: 'Ada', lastName: null });
		expect(refused.status).toBe(422);
		expect(refused.data.detail).toMatch(/The request must include lastName or businessPrincipalId/);
		expect((await sandbox.post(path, { ...known, ownershipPercentage: 25.5, searchNpi: 'no' })).status).toBe(422);
	});

	endpoint('POST /v1/inquiries/{inquiry_id}/licenses', 'is de-duplicated on its triple', async () => {
		const id = await completed();
		const path = `/v1/inquiries/${id}/licenses`;
		const { data } = await sandbox.post(path, license);
		expect(data).toEqual({ ...license, licenseSubcategory: null, source: 'reported' });
		const running = await get(id);
		expect(running.status).toBe('RUNNING');
		expect(types(running).filter((type) => type === 'LICENSE_VERIFICATION')).toHaveLength(1);
		sandbox.it.clock.advance(4_000);

		expect((await sandbox.post(path, { ...license, licenseName: 'Other' })).data.licenseName).toBe('Acme');
		const after = await get(id);
		expect([after.status, types(after).filter((type) => type === 'LICENSE_VERIFICATION').length]).toEqual([
			'COMPLETED',
			1,
		]);
		await sandbox.post(path, { ...license, licenseState: 'OH' });
		expect((await get(id)).status).toBe('RUNNING');
		const submitted = sandbox.it.ledger.filter(({ kind }) => kind === 'license');
		expect(submitted.map(({ sources, duplicate }) => [sources, duplicate])).toEqual([
			[['licenseVerification'], undefined],
			[[], true],
			[['licenseVerification'], undefined],
		]);
		expect((await sandbox.post(path, { license_name: 'A' })).status).toBe(422);
	});

	test('a license given at creation counts for the triple, in either key style', async () => {
		const { id } = await create({
			licenses: [{ license_name: 'Acme', license_id: 'L1', license_state: 'IL', license_category: 'food' }],
		});
		await sandbox.post(`/v1/inquiries/${id}/licenses`, license);
		expect(sandbox.it.ledger.at(-1)).toMatchObject({ kind: 'license', duplicate: true });
	});

	endpoint('POST /v1/inquiries/{inquiry_id}/filings', 'gives a process record that ends by itself', async () => {
		const id = await completed();
		const { data } = await sandbox.post(`/v1/inquiries/${id}/filings`, { sosId: 'C-1', sosState: 'DE' });
		expect(data).toEqual({
			id: expect.any(String),
			taskId: expect.any(String),
			attemptNumber: 1,
			processType: 'REGISTRYLINK_SOS',
			status: 'QUEUED',
			phase: 'SOURCE',
			isBackground: false,
			parentTaskId: null,
			createdAt: '2024-05-01T12:00:04.000Z',
			startedAt: null,
			completedAt: null,
			externalId: null,
			submissionResponse: null,
		});
		const { status, processStatuses } = await get(id);
		expect([status, processStatuses[data.taskId].status]).toEqual(['COMPLETED', 'QUEUED']);
		sandbox.it.clock.advance(2_000);
		expect((await get(id)).processStatuses[data.taskId].status).toBe('COMPLETED');
		expect((await sandbox.post(`/v1/inquiries/${id}/filings`, { sosId: 'C-1' })).status).toBe(422);
	});
});

describe('retries', () => {
	const failed = async (status: 'FAILED' | 'PARTIAL_SUCCESS' = 'FAILED') => {
		const { id } = await create();
		sandbox.it.inquiries.finish(id, status);
		const processes = Object.entries((await get(id)).processStatuses as Record<string, { status: string }>);
		const byStatus = (wanted: string) => processes.filter(([, p]) => p.status === wanted).map(([taskId]) => taskId);
		return { id: id as string, failed: byStatus('FAILED'), completed: byStatus('COMPLETED') };
	};

	endpoint('POST /v1/inquiries/{inquiry_id}/processes/{task_id}/retry', 'retries one that failed', async () => {
		const { id, failed: tasks, completed } = await failed('PARTIAL_SUCCESS');
		expect([tasks.length, completed.length]).toEqual([1, 3]);
		const retry = (taskId: string) => sandbox.post(`/v1/inquiries/${id}/processes/${taskId}/retry`);
		const { data } = await retry(tasks[0]);
		expect(data).toMatchObject({ taskId: tasks[0], attemptNumber: 2, status: 'QUEUED', completedAt: null });
		expect((await get(id)).status).toBe('RUNNING');
		expect((await retry(tasks[0])).status).toBe(409);
		expect((await retry(completed[0])).status).toBe(409);
		expect((await retry('nothing')).status).toBe(404);
		expect(sandbox.it.ledger.count('retryProcess')).toBe(1);
		sandbox.it.clock.advance(4_000);
		expect((await get(id)).status).toBe('COMPLETED');
	});

	endpoint('POST /v1/inquiries/{inquiry_id}/retry-failed', 'retries all that failed', async () => {
		const { id, failed: tasks } = await failed();
		const { data } = await sandbox.post(`/v1/inquiries/${id}/retry-failed`);
		expect(data).toMatchObject({ taskId: tasks[0], attemptNumber: 2 });
		const processes: { status: string; phase: string }[] = Object.values((await get(id)).processStatuses);
		expect(processes.filter(({ phase }) => phase === 'SOURCE').map(({ status }) => status)).toEqual([
			'QUEUED',
			'QUEUED',
			'QUEUED',
		]);
		expect(sandbox.it.ledger.at(-1)).toMatchObject({ kind: 'retryFailed', count: 3 });
		expect((await sandbox.post(`/v1/inquiries/${id}/retry-failed`)).status).toBe(409);
	});
});
