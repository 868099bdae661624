import type { ICredentialType } from 'n8n-workflow';
import { credentialKinds } from '../../credentials/types';
import { publicSettings } from '../../credentials/credentialFields';
import { credentialProperties, credentialTypes } from '../../scripts/credentialTypes';
import { runNode } from '../harness/inProcess';
import { answerJson, helper, LocalServer, type Received } from './identityProvider';

// Each row of the table of credential types, sent through the node: a new one needs nothing else.

/** With signs that addresses encode, some of them only n8n's helper. */
const secretText = "s3cret/of!the'(type)";
let service: LocalServer;
let answer: (received: Received) => { status: number; body: object };

beforeAll(async () => {
	service = await new LocalServer((received, response) => {
		const { status, body } = answer(received);
		answerJson(response, status, body);
	}).start();
});
afterAll(() => service.stop());
beforeEach(() => {
	service.received.length = 0;
	answer = () => ({ status: 200, body: { id: 'someone' } });
});

/** What only this type asks for is filled in; a login has its token. */
function filled({ properties }: ICredentialType): Record<string, string | object> {
	const own = properties.filter(({ required, typeOptions }) => required && typeOptions?.password);
	const asked = own.filter(({ displayOptions }) => displayOptions === undefined).map(({ name }) => [name, secretText]);
	const login = asked.length > 0 ? {} : { oauthTokenData: { access_token: secretText } };
	return { baseUrl: service.url, ...Object.fromEntries(asked), ...login };
}

const proofIn = ({ path, headers }: Received) => JSON.stringify([decodeURIComponent(path ?? ''), headers]);

const kinds = credentialKinds.map((kind, index) => [kind.label, kind, credentialTypes[index]] as const);

describe.each(kinds)('%s', (_label, { name, picked }, type) => {
	const run = () =>
		runNode({
			parameters: { authentication: picked, resource: 'user', operation: 'getProfile' },
			credential: filled(type) as never,
			items: [{}, {}],
			onError: 'continueErrorOutput',
		});

	it('sends what it asks for, in each request', async () => {
		expect(type.name).toBe(name);
		expect((await run()).items).toHaveLength(2);
		expect(service.received).toHaveLength(2);
		for (const received of service.received) expect(proofIn(received)).toContain(secretText);
	});

	it('shows nothing of it in a message', async () => {
		answer = ({ path, headers }) => ({
			status: 422,
			body: { detail: `bad ${secretText}: ${path} ${String(headers?.authorization)}` },
		});
		const { failed } = await run();
		expect(failed).toHaveLength(2);
		expect(JSON.stringify(failed)).toContain('bad ***');
		expect(JSON.stringify(failed)).not.toContain('s3cret');
	});

	it('is tested with a request like the others, if it is tested', async () => {
		if (type.test === undefined) return;
		expect(type.test.request).toEqual({ baseURL: '={{$credentials.baseUrl}}', url: '/v1/users/me' });
		const credentials = filled(type) as never;
		await (type.preAuthentication as (...given: unknown[]) => unknown).call(helper, credentials);
		const request = { url: '/v1/users/me', baseURL: service.url };
		const sent = await (type.authenticate as (...given: unknown[]) => object)(credentials, request);
		expect(service.received.map(({ path }) => path?.split('?')[0])).toEqual(['/v1/users/me']);
		expect(proofIn(service.received[0])).toContain(secretText);
		expect(JSON.stringify(sent)).toContain(secretText);
	});

	it('marks each text as a secret, or lists it as public', () => {
		const noTexts = ['deploymentSettings', 'tested'];
		const texts = credentialProperties(type).filter((property) => !noTexts.includes(property.name));
		const marked = texts.filter(({ typeOptions }) => typeOptions?.password).map((property) => property.name);
		const listed = texts.map((property) => property.name).filter((property) => publicSettings.has(property));
		expect([...marked, ...listed].sort()).toEqual(texts.map((property) => property.name).sort());
	});
});
