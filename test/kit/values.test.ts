import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

// One reader for every value: what a form, JSON, a model, and a sheet are given means the same in all of them.

useSandbox();

const create = { resource: 'inquiry', operation: 'create', ...acme };
const submit = {
	resource: 'batch',
	operation: 'submit',
	name: 'March leads',
	options: { advanced: { lookUpWait: 0 } },
};

type Way = (
	field: string,
	value: unknown,
) => { parameters: object; items: Array<Record<string, unknown>>; asTool?: boolean };

/** An expression hands the value over as it is, where n8n's own editor could only save a text. */
const principal = (field: string, value: unknown) => ({ lastName: 'Smith', [field]: value });

/** Where the form of a principal has the field. */
const inForm = (field: string, value: string) =>
	['lastName', 'firstName', 'dob', 'ownershipPercentage'].includes(field)
		? { [field]: value }
		: { additionalFields: { [field]: value } };

const ways: Array<[string, Way]> = [
	[
		'a form',
		(field, value) => ({
			parameters: { ...create, principals: { row: [{ lastName: 'Smith', ...inForm(field, '={{ $json.value }}') }] } },
			items: [{ value }],
		}),
	],
	[
		'a single object',
		(field, value) => ({
			parameters: { ...create, additionalFields: { principalsJson: '={{ $json.principal }}' } },
			items: [{ principal: principal(field, value) }],
			asTool: true,
		}),
	],
	[
		'the call of a model',
		(field, value) => ({
			parameters: { ...create, additionalFields: { principalsJson: JSON.stringify(principal(field, value)) } },
			items: [{}],
			asTool: true,
		}),
	],
	[
		'the rows of a model',
		(field, value) => ({
			parameters: submit,
			items: [{ rowsJson: JSON.stringify([{ ...acme, principals: [principal(field, value)] }]) }],
			asTool: true,
		}),
	],
	[
		'a column of a sheet',
		(field, value) => ({
			parameters: submit,
			items: [{ ...acme, [`principal1_${field}`]: value, principal1_lastName: field === 'lastName' ? value : 'Smith' }],
		}),
	],
	[
		'a cell of JSON',
		(field, value) => ({
			parameters: submit,
			items: [{ ...acme, principals: JSON.stringify(principal(field, value)) }],
		}),
	],
];

let executions = 0;

/** The field of the one principal as it was sent, or why nothing was. */
async function sent(way: Way, field: string, value: unknown): Promise<unknown> {
	const { parameters, ...rest } = way(field, value);
	const credential = {
		baseUrl: sandbox.url,
		apiKey: sandbox.organization.apiKey,
		extraHeaders: JSON.stringify({ 'X-Test': String(++executions) }),
	};
	const run = await runNode({
		parameters: parameters as never,
		credential,
		executionId: `values-${executions}`,
		onError: 'continueErrorOutput',
		...rest,
	});
	const posted = sandbox.requests.find(({ method }) => method === 'POST');
	if (posted === undefined) return { refused: JSON.stringify([run.error, run.items, run.failed]) };
	const body = posted.body as { principals?: object[]; inquiries?: Array<{ principals?: object[] }> };
	const [one] = (body.inquiries?.[0] ?? body).principals as Array<Record<string, unknown>>;
	return one[field];
}

const ofSheets = ['the rows of a model', 'a column of a sheet', 'a cell of JSON'];

describe.each(ways)('in %s', (name, way) => {
	it.each([
		['dob', '12/31/1980', '1980-12-31'],
		['dob', '12/31/1980 0:00', '1980-12-31'],
		['dob', '1980-12-31', '1980-12-31'],
		['dob', 29_586, '1980-12-31'],
		['zip5', 2139, '02139'],
		['zip5', ' 02139-1234 ', '02139'],
		['lastName', ' Smith ', 'Smith'],
		['phone', 5_550_100, '5550100'],
		['npi', true, 'true'],
		['middleName', ' ', undefined],
		['lastName', 'x'.repeat(50_000), 'x'.repeat(50_000)],
		['middleName', 'N/A', undefined],
		['dob', 'n/a', undefined],
		['ownershipPercentage', '-', undefined],
		['middleName', null, undefined],
		['ownershipPercentage', '25', 25],
		['ownershipPercentage', '25 %', 25],
		['ownershipPercentage', ' 12.25 ', 12.25],
		['ownershipPercentage', 0, 0],
		['searchNpi', 'yes', true],
		['searchNpi', 1, true],
		['searchNpi', 'No', false],
		['searchNpi', 0, false],
	])('%s %j is sent as %j', async (field, value, expected) => {
		expect(await sent(way, field, value)).toEqual(expected);
	});

	it.each([
		['dob', '03/04/1980', 'is an ambiguous date (day or month first?); write it YYYY-MM-DD'],
		['dob', '1980-02-31', 'is not a date that can be read; write it YYYY-MM-DD'],
		['zip5', '0213912', 'must have five digits, as in 02139'],
		['suffix', 'Jr. undefined', "contains 'undefined': an expression in it found no value"],
		['lastName', '#N/A', "is a spreadsheet error such as '#N/A'"],
		['email', 'x'.repeat(50_001), 'is longer than 50,000 characters'],
		['firstName', '[object Object]', 'contains an object where text is expected; use one of its fields'],
		[
			'middleName',
			'of {{ $json.name }}',
			"contains '{{', which n8n did not evaluate: switch the field to 'Expression'",
		],
		['suffix', 12_345_678_901_234_567_890, 'is a number with too many digits to be exact; format the column as text'],
		['ownershipPercentage', '1,5', 'is not a number'],
		['dob', '2180-12-31', 'is in the future'],
		['searchNpi', 'perhaps', 'is neither yes nor no'],
	])('%s %j is refused', async (field, value, reason) => {
		const { refused } = (await sent(way, field, value)) as { refused: string };
		expect(refused).toContain(reason);
		// Only who imports a sheet has this option.
		expect(refused.includes("'Date Order'")).toBe(reason.includes('ambiguous') && ofSheets.includes(name));
	});
});
