import { inspect } from 'node:util';
import { LoggerProxy } from 'n8n-workflow';
import { clientLogin } from '../harness/clientLogin';
import { runNode, type RunOptions } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';
import { sandbox, useSandbox } from '../harness/sandbox';

const written: string[] = [];

/** Everything that a run says anywhere: what comes out, what is thrown, what is logged or printed. */
async function said(options: RunOptions): Promise<string> {
	written.length = 0;
	const result = await runNode(options);
	return (
		inspect(result, { depth: 20, maxArrayLength: null, maxStringLength: null, showHidden: true }) +
		JSON.stringify(result) +
		written.join('\n')
	);
}

const hear = (...words: unknown[]): true => {
	written.push(words.map((word) => inspect(word, { depth: 10 })).join(' '));
	return true;
};

useSandbox();
beforeAll(() => {
	for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
		jest.spyOn(console, method).mockImplementation(hear);
	jest.spyOn(process.stdout, 'write').mockImplementation(hear);
	jest.spyOn(process.stderr, 'write').mockImplementation(hear);
	LoggerProxy.init({ error: hear, warn: hear, info: hear, debug: hear });
});
afterAll(() => jest.restoreAllMocks());

const key = () => sandbox.organization.apiKey;
const settings = () => ({
	baseUrl: sandbox.url,
	callbackSecret: 'callback-secret-of-the-test',
	previousCallbackSecret: 'previous-secret-of-the-test',
	extraHeaders: '{"X-Gateway-Key": "gateway-key-of-the-test"}',
});
const keyCredential = () => ({ ...settings(), apiKey: key() });
const loginCredential = () => ({ ...clientLogin(sandbox), ...settings() });

const person = { ein: '12-3456789', dob: '1980-12-31', lastName: 'Featherstonehaugh', phone: '(217) 555-0134' };
const create = {
	...newInquiry,
	businessName: 'Acme',
	additionalFields: { businessEin: '={{ $json.ein }}', businessPhone: '={{ $json.phone }}' },
	principals: { row: [{ lastName: '={{ $json.lastName }}', dob: '={{ $json.dob }}' }] },
};
const importing = {
	resource: 'batch',
	operation: 'submit',
	name: 'Leads',
	columnsFrom: 'mapping',
	columns: {
		mappingMode: 'defineBelow',
		value: {
			businessName: '={{ "Acme " + $itemIndex }}',
			businessCity: 'Springfield',
			businessState: 'IL',
			businessEin: '={{ $json.ein }}',
			businessPhone: '={{ $json.phone }}',
			principal1_lastName: '={{ $json.lastName }}',
			principal1_dob: '={{ $json.dob }}',
		},
	},
	options: { advanced: { lookUpWait: 0 } },
};
const profile = { resource: 'user', operation: 'getProfile' };

/** A service that repeats all it was told, and more. */
const blabbing = () =>
	`EIN 12-3456789 (123456789) of Featherstonehaugh born 1980-12-31, 19801231, phone (217) 555-0134 or 2175550134. Headers: Authorization: Bearer ${key()}, ` +
	`x-gateway-key: gateway-key-of-the-test, key=${key()}, secrets callback-secret-of-the-test, previous-secret-of-the-test, ` +
	`token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl`;

const lastToken = () => String(sandbox.requests.at(-1)?.headers.authorization).replace('Bearer ', '');

const secrets = () => [
	key(),
	sandbox.organization.clientSecret,
	'callback-secret-of-the-test',
	'previous-secret-of-the-test',
	'gateway-key-of-the-test',
	'eyJ',
];
const personal = ['12-3456789', '123456789', 'Featherstonehaugh', '1980-12-31', '19801231', '555-0134', '2175550134'];

const failing: Array<[string, () => void, object]> = [
	['a 422 that repeats everything as text', () => sandbox.faults.add({ status: 422, body: blabbing() }), create],
	['a 500 of unknown outcome', () => sandbox.faults.add({ status: 500, body: { message: blabbing() } }), create],
	['a dropped connection', () => sandbox.faults.add({ drop: true, after: true }), create],
	[
		'a batch refused with all it held',
		() => sandbox.faults.add({ method: 'POST', status: 422, body: { detail: blabbing() } }),
		importing,
	],
	[
		'a redirect whose address holds secrets',
		() => sandbox.faults.add({ redirect: `https://elsewhere.example/?key=${key()}` }),
		create,
	],
];

describe.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)('%s', (onError) => {
	it.each(failing)('%s', async (_, arm, parameters) => {
		const items = onError === 'stopWorkflow' ? [person] : [person, person];
		for (const {} of items) arm();
		// n8n itself adds the fields of the input item on the error output.
		const result = await runFailing({ parameters: parameters as never, credential: keyCredential(), items, onError });
		for (const secret of [...secrets(), ...personal]) expect(result).not.toContain(secret);
	});
});

async function runFailing(options: RunOptions): Promise<string> {
	written.length = 0;
	const { items, failed, error, hints } = await runNode(options);
	const outputs = [...items, ...failed].map(({ json }) => json.error);
	expect(outputs.length + (error === undefined ? 0 : 1)).toBe(options.items!.length);
	const shown = { outputs, error, hints };
	return (
		inspect(shown, { depth: 20, maxStringLength: null, showHidden: true }) + JSON.stringify(shown) + written.join('\n')
	);
}

it('a token that is fetched, used, refused and renewed appears nowhere', async () => {
	const credential = loginCredential();
	const first = await said({ parameters: { ...profile, authentication: 'oAuth2' }, credential, items: [{}, {}] });
	const token = lastToken();
	expect(token).toMatch(/^eyJ/);
	sandbox.tokens.revokeAll();
	sandbox.faults.add({ path: '/v1/users/me/api-key', skip: 2, status: 403, body: `no, ${token}` });
	const second = await said({
		parameters: { resource: 'user', operation: 'getApiKey', authentication: 'oAuth2' },
		credential,
		items: [{}, {}],
		onError: 'continueErrorOutput',
	});
	expect(second).toContain('does not allow this');
	for (const words of [first, second])
		for (const secret of [...secrets(), token, lastToken()]) expect(words).not.toContain(secret);
});

it('a successful item shows neither credential nor person, unless the record itself is asked for', async () => {
	const words = await said({ parameters: create, credential: keyCredential(), items: [person, person] });
	expect(words).toContain("status: 'PLANNING'");
	for (const secret of [...secrets(), ...personal]) expect(words).not.toContain(secret);
});

it('the API key is masked unless it is asked for', async () => {
	const getApiKey = { resource: 'user', operation: 'getApiKey' };
	expect(await said({ parameters: getApiKey, credential: keyCredential() })).not.toContain(key());
	expect(await said({ parameters: { ...getApiKey, reveal: true }, credential: keyCredential() })).toContain(key());
});

it('our own words are not mistaken for a name that is one of them', async () => {
	sandbox.faults.add({ status: 500, body: 'failed for The and service' });
	const { error } = await runNode({
		parameters: { ...create, principals: { row: [{ lastName: 'service' }] } },
		credential: keyCredential(),
	});
	expect(error?.message).toMatch(
		/^The submission is not confirmed: the service returned status 500: failed for The and \*\*\*/,
	);
});
