/**
 * "Error status codes, error body shape, error codes: not shown." Whatever the shape, the user reads the service's own
 * reason, and nobody reads in it what is personal or secret.
 */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import { runNode, type RunResult } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({
		organization: { apiKey: 'bvk_Distinctive0Key0Of0This0Test', externalKey: 'external-Distinctive' },
	});
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const reason = 'was not accepted by the register';

/** The usual shapes of an error, each saying the same. */
const shapes: Record<string, (said: string) => unknown> = {
	'detail as text': (said) => ({ detail: said }),
	'detail as a list': (said) => ({ detail: [{ loc: ['body', 'businessEin'], msg: said, type: 'value_error' }] }),
	message: (said) => ({ message: said }),
	'message and code': (said) => ({ code: 'E42', message: said }),
	error: (said) => ({ error: said }),
	'error as an object': (said) => ({ error: { code: 42, message: said } }),
	'errors as a list': (said) => ({ errors: [{ field: 'businessEin', message: said }] }),
	'errors as texts': (said) => ({ errors: [said] }),
	'errors by field': (said) => ({ errors: { businessEin: [said] } }),
	'fields at the top': (said) => ({ businessEin: [said] }),
	'problem details': (said) => ({ type: 'about:blank', title: 'Invalid', status: 422, detail: said }),
	text: (said) => said,
};

const items = [
	{
		name: 'Acme',
		ein: '12-3456789',
		dob: '1980-12-31',
		last: 'Smith',
		mail: 'owner@acme.example',
		phone: '+1 555 010 0100',
	},
	{
		name: 'Zaphod',
		ein: '98-7654321',
		dob: '1961-03-14',
		last: 'Beeblebrox',
		mail: 'zaphod@heart.example',
		phone: '+1 555 010 4242',
	},
];

/** Expressions throughout: n8n itself shows a node's own texts with an error. */
const create = {
	...newInquiry,
	additionalFields: {
		businessEin: '={{ $json.ein }}',
		businessEmail: '={{ $json.mail }}',
		businessPhone: '={{ $json.phone }}',
	},
	principals: { row: [{ lastName: '={{ $json.last }}', dob: '={{ $json.dob }}' }] },
};

const private_ = [
	'98-7654321',
	'987654321',
	'1961-03-14',
	'Beeblebrox',
	'zaphod@heart.example',
	'010 4242',
	'Distinctive',
];

const everythingSaid = ({ error, failed, hints }: RunResult) =>
	JSON.stringify([error, error?.message, failed.map(({ json }) => json.error), hints]);

function expectNothingPrivate(result: RunResult): void {
	const said = everythingSaid(result);
	expect(private_.filter((value) => said.includes(value))).toEqual([]);
}

const keyCredential = (): ICredentialDataDecryptedObject => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.organization.apiKey,
});

it('shows nothing of a web page', async () => {
	sandbox.switches.errorForm = 'html';
	sandbox.faults.add({ method: 'POST', bodyContains: 'Zaphod', status: 422 });
	const { failed } = await runNode({
		parameters: create,
		credential: keyCredential(),
		items,
		onError: 'continueErrorOutput',
	});
	expect((failed[0].json.error as { message: string }).message).toBe(
		'The service rejected the request with status 422',
	);
});

describe.each(Object.entries(shapes))(
	'what the service says in %s, and repeats of what is personal or secret',
	(_, shape) => {
		const repeated = () =>
			`98-7654321 (987654321) of Beeblebrox, born 1961-03-14, zaphod@heart.example, +1 555 010 4242, ${reason} for key ${sandbox.organization.apiKey} (Bearer ${sandbox.organization.apiKey})`;

		it.each([400, 409, 422, 500])('status %i', async (status) => {
			for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
				sandbox.faults.add({
					method: 'POST',
					path: '/v1/inquiries/',
					bodyContains: 'Zaphod',
					status,
					body: shape(repeated()),
				});
				const result = await runNode({ parameters: create, credential: keyCredential(), items, onError });
				const [told] = result.failed.map(({ json }) => json.error as { message: string });
				const message = told?.message ?? result.error?.message;
				expect(message).toContain(reason);
				expect(message).not.toMatch(/\[object|undefined|\{/);
				expectNothingPrivate(result);
				if (told === undefined) continue;
				// A server error does not say whether the submission was processed.
				expect(told).toMatchObject({ httpCode: status, ...(status === 500 && { submission: 'unknown' }) });
				expect(status === 500 || !('submission' in told)).toBe(true);
				expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
			}
		});
	},
);

describe('in every operation that sends something personal', () => {
	const said = { detail: `98-7654321 (987654321) of Beeblebrox, born 1961-03-14, ${reason}` };

	it.each([
		[
			'addPrincipal',
			{
				resource: 'inquiry',
				operation: 'addPrincipal',
				inquiryId: 'i-1',
				lastName: '={{ $json.last }}',
				additionalFields: { dob: '={{ $json.dob }}' },
				options: { extraBody: '={{ { ein: $json.ein } }}' },
			},
		],
		[
			'seller search',
			{
				resource: 'sellerSearch',
				operation: 'submit',
				name: 'Zaphod',
				address_line_1: '1 Main Street',
				city: 'Springfield',
				state: 'IL',
				zip5: '02139',
				callback: 'https://n8n.example.com/webhook/report',
				additionalFields: { ein: '={{ $json.ein }}' },
				options: { extraBody: '={{ { last_name: $json.last, date_of_birth: $json.dob } }}' },
			},
		],
	])('%s', async (_, parameters) => {
		sandbox.faults.add({ method: 'POST', status: 422, body: said, times: Infinity });
		const result = await runNode({ parameters, credential: keyCredential(), items: [items[1]] });
		expect(result.error?.message).toContain(reason);
		expectNothingPrivate(result);
	});

	it('a parameter that is wrong is named, its value is not', async () => {
		const wrong = { ...items[1], dob: '14.3.1961 98-7654321' };
		const result = await runNode({ parameters: create, credential: keyCredential(), items: [wrong] });
		expect(result.error?.message).toMatch(/Date of Birth.*is not a date that can be read/);
		expect(everythingSaid(result)).not.toMatch(/1961|98-7654321/);
	});
});
