import { sandbox, useSandbox } from '../harness/sandbox';
import { example, exampleFiles } from '../e2e/examples';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';

// What a user sees of the examples if something is wrong: docs/development/usability.md has the table.

beforeAll(hurry);
useSandbox();

/** The node of the example that submits, with the settings of the example. */
async function run(file: string, items: object[], { apiKey = sandbox.organization.apiKey, maxWait = 30 } = {}) {
	const { parameters, onError } = example(file).nodes.find(({ parameters: { resource, operation } }) =>
		['inquiry create', 'batch submit'].includes(`${resource} ${operation}`),
	)!;
	const { resource } = parameters as { resource: string };
	return await runNode({
		parameters: {
			...(parameters as object),
			...(parameters.waitForCompletion === true && {
				waitingOptions: { ...(parameters.waitingOptions as object), pollInterval: 1, maxWait },
			}),
			options: resource === 'batch' ? { advanced: { lookUpWait: 0 } } : {},
		},
		credential: { baseUrl: sandbox.url, apiKey },
		items: items as never,
		onError: onError as never,
	});
}

const row = (name: string, id: string) => ({ 'Business Name': name, City: 'Salem', State: 'OR', 'External ID': id });
const called = (id: string, city = 'Salem') => ({ body: { id, company: `Company ${id}`, city, state: 'OR' } });
const company = (companyId: number, city: string) => ({
	companyId,
	properties: { name: { value: `Company ${companyId}` }, city: { value: city }, state: { value: 'OR' } },
});

const records: Array<[string, object[]]> = [
	['sheet-import.json', [row('Acme', 'lead-1'), row('Beta', 'lead-2')]],
	['sheet-import-offline.json', [row('Acme', 'lead-1'), row('Beta', 'lead-2')]],
	['crm-verification.json', [called('crm-1'), called('crm-2')]],
	['crm-verification-hubspot.json', [company(1, 'Salem'), company(2, 'Salem')]],
];

it.each(records)('%s: a wrong key submits nothing and leaves no result', async (file, items) => {
	const { items: results, failed, error } = await run(file, items, { apiKey: 'wrong' });
	expect(results).toEqual([]);
	const messages = [error?.message, ...failed.map(({ json }) => (json.error as { message: string }).message)];
	expect(messages.join()).toContain('The service does not accept the credential');
	expect(sandbox.ledger.count()).toBe(0);
});

it('a sheet of 1,001 rows fails, and nothing is submitted', async () => {
	const rows = Array.from({ length: 1001 }, (_, index) => row(`Business ${index}`, `lead-${index}`));
	const { items, error } = await run('sheet-import.json', rows);
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/1001 rows, more than 'Maximum Rows' allows \(1000\)/);
	expect(sandbox.ledger.count()).toBe(0);
});

it('a bad, a blank and a repeated row of a sheet come back with what is wrong, and the good one with its result', async () => {
	const blank = { 'Business Name': '', City: '', State: '', 'External ID': '' };
	const rows = [row('Acme', 'lead-1'), row('', 'lead-2'), blank, row('Acme', 'lead-1')];
	const { items, error } = await run('sheet-import.json', rows);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual([
		['COMPLETED', ''],
		['not sent', 'Business Name or a Business DBA is required'],
		['skipped', 'the row is blank or a header'],
		['not sent', expect.stringMatching(/item 1$/)],
	]);
});

it('an incomplete record that a CRM sends fails its execution, and one of HubSpot leaves by the error output', async () => {
	const one = await run('crm-verification.json', [called('crm-1', '')]);
	expect([one.items.length, one.error?.message]).toEqual([0, expect.stringContaining("'City' is required")]);
	const two = await run('crm-verification-hubspot.json', [company(1, ''), company(2, 'Salem')]);
	expect(two.items.map(({ json }) => [json.externalId, json.status])).toEqual([['hubspot-2', 'COMPLETED']]);
	expect(two.failed.map(({ json }) => [json.companyId, json.error])).toEqual([
		[1, expect.objectContaining({ kind: 'row', message: expect.stringContaining("'City' is required") })],
	]);
});

it.each(['sheet-import.json', 'sheet-import-offline.json'])('%s: a ZIP code gets back its zero', async (file) => {
	await run(file, [{ ...row('Acme', 'lead-1'), ZIP: '2139' }]);
	const { body } = sandbox.requests.find(({ method }) => method === 'POST')!;
	expect(body).toMatchObject({ inquiries: [{ externalId: 'lead-1', businessZip: '02139' }] });
});

it('a record that comes twice is submitted once', async () => {
	const { items } = await run('crm-verification.json', [called('crm-1'), called('crm-1')]);
	expect(items.map(({ json }) => json.status)).toEqual(['COMPLETED', 'COMPLETED']);
	expect(sandbox.ledger.count()).toBe(1);
});

const applicant = { 'Business Name': 'Acme', City: 'Salem', State: 'OR', EIN: '12-3456789', Website: 'acme.example' };

/** One cell changed after a first run. What is not another inquiry returns the old result, and says so. */
it.each<[string, object, string, object]>([
	['form-verification.json', { 'Business Name': 'acme' }, 'no other', applicant],
	['form-verification.json', { 'Business Name': 'Acme Two' }, 'another', applicant],
	['form-verification.json', { City: 'Eugene' }, 'another', applicant],
	['form-verification.json', { State: 'MA' }, 'another', applicant],
	['form-verification.json', { EIN: '98-7654321' }, 'another', applicant],
	['form-verification.json', { Website: 'other.example' }, 'another', applicant],
	['form-verification.json', { 'Owner Last Name': 'Silva' }, 'another', applicant],
	['crm-verification.json', called('crm-9', 'Eugene'), 'no other', called('crm-9')],
	['crm-verification-hubspot.json', company(9, 'Eugene'), 'no other', company(9, 'Salem')],
])('%s: with %j changed, %s inquiry is submitted', async (file, change, which, first) => {
	await run(file, [first]);
	const before = sandbox.ledger.count();
	const { items } = await run(file, [{ ...first, ...change }]);
	expect(sandbox.ledger.count() - before).toBe(which === 'another' ? 1 : 0);
	expect(items.map(({ json }) => json.reused)).toEqual([which === 'no other']);
});

it('an ID that the form example makes shows neither a tax number nor an owner', async () => {
	await run('form-verification.json', [{ ...applicant, 'Business Name': 'Lumen', 'Owner Last Name': 'Silva' }]);
	const { body } = sandbox.requests.find(({ method }) => method === 'POST')!;
	expect((body as { externalId: string }).externalId).toMatch(/^lumen, salem, or, [\da-f]{12}$/);
});

const stored = (recordId: string) => ({ recordId, company: `Company ${recordId}`, city: 'Salem', state: 'OR' });
const waiting: typeof records = [
	...records,
	['verify-business.json', [stored('one-1'), stored('one-2')]],
	['human-approval.json', [called('app-1'), called('app-2')]],
	['portfolio-recheck.json', ['old-1', 'old-2'].map((id) => ({ ...stored(id), verifiedOn: '2026-01-05' }))],
];

it('portfolio-recheck.json: a record without an ID gets no inquiry, which another one would share', async () => {
	const { items, failed, error } = await run('portfolio-recheck.json', [
		{ company: 'No ID', city: 'Salem', state: 'OR', verifiedOn: '2026-01-05' },
	]);
	expect(items).toEqual([]);
	const messages = [error?.message, ...failed.map(({ json }) => (json.error as { message: string }).message)];
	expect(messages.join()).toMatch(/'External ID' is empty because its expression returned nothing/);
	expect(sandbox.ledger.count('inquiry')).toBe(0);
});

it('every example that waits is played with a service that never finishes', () => {
	const waits = exampleFiles().filter((file) =>
		example(file).nodes.some(({ parameters }) => parameters.waitForCompletion === true),
	);
	expect(waits.sort()).toEqual(waiting.map(([file]) => file).sort());
});

// What follows the node runs on its results: without one no record is written, and no message says one.
it.each(waiting)('%s: a service that never finishes gives no result', async (file, items) => {
	sandbox.switches.lifecycle = 'manual';
	const { items: results, failed, error } = await run(file, items, { maxWait: 0 });
	if (file.startsWith('sheet')) {
		expect(results.map(({ json }) => json.verificationProblem)).toEqual([
			expect.stringMatching(/^Not finished/),
			expect.stringMatching(/^Not finished/),
		]);
		return;
	}
	expect(results).toEqual([]);
	const messages = [error?.message, ...failed.map(({ json }) => (json.error as { message: string }).message)];
	expect(messages.join()).toMatch(/Inquiry [\da-f-]+ did not finish within 0 minutes/);
});
