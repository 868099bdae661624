import type { INode } from 'n8n-workflow';
import { nodeErrorOf } from '../../nodes/BusinessVerification/engine/runErrors';
import { Failure, type FailureDetails } from '../../nodes/BusinessVerification/kit/service';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';
import { credential, sandbox, useSandbox } from '../harness/sandbox';

beforeAll(hurry);
useSandbox();

async function kindsOf(parameters: object, items: object[], own: object = {}): Promise<unknown[]> {
	const { failed } = await runNode({
		parameters: parameters as never,
		credential: { ...credential(), ...own },
		items: items as never,
		onError: 'continueErrorOutput',
	});
	return failed.map(({ json }) => (json.error as { kind: string }).kind);
}

const submit = {
	resource: 'batch',
	operation: 'submit',
	name: 'March',
	resultsMode: 'record',
	options: { advanced: { lookUpWait: 0 }, chunkSize: 2 },
};
const rows = ['Acme', 'Beta', '', 'Delta'].map((name) => ({ 'Business Name': name, City: 'Springfield', State: 'IL' }));

it('a value that is missing is a matter of its row, and no error in a sheet, where the row returns with its problem', async () => {
	expect(await kindsOf(newInquiry, [{ name: 'Acme' }, { name: '' }, { name: 'Beta' }])).toEqual(['row']);
	expect(await kindsOf(submit, rows)).toEqual([]);
});

it('404 is about the record where the address names one, and about the base URL where it names none', async () => {
	sandbox.faults.add({ status: 404, body: { detail: 'Not Found' }, times: Infinity });
	const get = { resource: 'inquiry', operation: 'get', inquiryId: { __rl: true, mode: 'id', value: 'inquiry-1' } };
	expect(await kindsOf(get, [{}, {}])).toEqual(['row', 'row']);
	expect(await kindsOf(newInquiry, [{ name: 'Acme' }, { name: 'Beta' }])).toEqual(['settings', 'settings']);
	expect(await kindsOf({ resource: 'inquiry', operation: 'getAll' }, [{}])).toEqual(['settings']);
});

it('an import that a setting or the service stops blames no row', async () => {
	expect(await kindsOf({ ...submit, sheetOptions: { maxRows: 3 } }, rows)).toEqual(Array(4).fill('settings'));
	expect(await kindsOf(submit, [{ Town: 'Springfield' }, { Town: 'Salem' }])).toEqual(['settings', 'settings']);
	expect(await kindsOf(submit, rows, { apiKey: 'wrong' })).toEqual(Array(4).fill('credential'));
	sandbox.faults.add({ status: 500, times: Infinity });
	expect(await kindsOf(submit, rows)).toEqual(Array(4).fill('service'));
});

it('a refusal by n8n itself is about the workflow', async () => {
	const lost = { ...newInquiry, businessName: "={{ $('No such node').item.json.name }}" };
	expect(await kindsOf(lost, [{}, {}])).toEqual(['settings', 'settings']);
});

it.each<[string, FailureDetails, number, string, string, 'Api' | 'Operation']>([
	[
		'of a row',
		{ httpCode: 422, facts: 'Found.', description: 'Correct it.' },
		3,
		'no (item 2 of 3)',
		'Found. Correct it.',
		'Api',
	],
	['of the only row', { httpCode: 422 }, 1, 'no', '', 'Api'],
	['of a row with a number', { httpCode: 422, row: 7 }, 3, 'no', '', 'Api'],
	['of the service', { cause: 'temporarily-unavailable' }, 3, 'no', 'Try again later.', 'Api'],
	[
		'of the service, that says when',
		{ cause: 'temporarily-unavailable', retryAfterMs: 1_500 },
		3,
		'no',
		'Try again in 2 seconds.',
		'Api',
	],
	['after a submission', { cause: 'temporarily-unavailable', submission: 'unknown' }, 3, 'no (item 2 of 3)', '', 'Api'],
	['that quotes a tag', { httpCode: 422, facts: 'Got <b>&.' }, 1, 'no', 'Got &#60;b&#62;&#38;.', 'Api'],
	['of the settings', { cause: 'configuration-invalid' }, 3, 'no', '', 'Operation'],
	['of a value', {}, 3, 'no (item 2 of 3)', '', 'Operation'],
	['beside what was submitted', { submission: 'partial' }, 3, 'no (item 2 of 3)', '', 'Operation'],
])('an error %s has one number, and n8n gets none to add', (_, details, of, message, description, type) => {
	const error = nodeErrorOf({ name: 'node' } as INode, new Failure('no', details), { item: 1, of });
	expect([error.name, error.message, error.description ?? '']).toEqual([`Node${type}Error`, message, description]);
	expect(error.context.itemIndex).toBeUndefined();
});

it('a defect of the node is no failure of the service, so n8n does not try again', () => {
	expect(nodeErrorOf({ name: 'node' } as INode, new TypeError('no')).name).toBe('NodeOperationError');
});
