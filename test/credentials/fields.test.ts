import { type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { homepage } from '../../package.json';
import { BusinessVerificationApi } from '../../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { BusinessVerificationOAuth2Api } from '../../credentials/BusinessVerificationOAuth2Api.credentials';

const types = [new BusinessVerificationApi(), new BusinessVerificationJwtApi(), new BusinessVerificationOAuth2Api()];
const [key, jwt, oAuth2] = types.map(({ properties }) => properties);

/** What the form shows, in order; a star marks what must be filled in. */
const shown = (properties: INodeProperties[], values: Record<string, unknown> = {}) => {
	const filled = { ...Object.fromEntries(properties.map(({ name, default: initial }) => [name, initial])), ...values };
	return properties
		.filter((field) => field.type !== 'hidden' && NodeHelpers.displayParameter(filled as never, field, null, null))
		.map(({ displayName, required }) => `${displayName}${required === true ? ' *' : ''}`);
};

/** What n8n hands to the nodes. */
const handed = (properties: INodeProperties[], values: Record<string, unknown>) =>
	NodeHelpers.getNodeParameters(properties, values as never, true, false, null, null);

test('a form shows what most people need, and marks what must be filled in', () => {
	expect(shown(key)).toEqual(['Base URL *', 'API Key *', 'Deployment Settings']);
	expect(shown(jwt)).toEqual(['Base URL *', 'Access Token *', 'Deployment Settings']);
	expect(shown(oAuth2)).toEqual(['Base URL *', 'Grant Type', 'Scopes', 'Deployment Settings']);
});

test('a form says by hints and examples what to enter', () => {
	const said = (properties: INodeProperties[]) =>
		properties.flatMap(({ hint, placeholder }) => hint ?? placeholder ?? []);
	expect(said(key)[1]).toBe(
		"Sent in the header Authorization, as 'Bearer' and the key. For another header, such as X-API-Key, turn on 'Deployment Settings'.",
	);
	expect(said(oAuth2)).toEqual([
		'e.g. https://api.example.com',
		'e.g. openid offline_access',
		'e.g. X-API-Key',
		'e.g. /external/api/v1/seller-detailed/{request_id}/status',
		'e.g. /external/api/v1/seller-detailed/{request_id}/result',
	]);
});

test('the rest is folded under Deployment Settings', () => {
	const own = ['Header Name', 'Header Value'];
	const everywhere = [
		'Seller and License Authentication',
		'Seller Status Path',
		'Seller Result Path',
		'Seller Status and Result Method',
		'License Verification Request',
		'License Subcategory Field',
		'License Keys',
		'Batch Items Field',
		'List Items Field',
		'Extra Headers',
	];
	expect(shown(key, { deploymentSettings: true }).slice(3)).toEqual([...own, 'Callback Secret', ...everywhere]);
	expect(shown(jwt, { deploymentSettings: true }).slice(3)).toEqual(['Callback Secret', ...everywhere]);
	expect(shown(jwt, { deploymentSettings: true, externalAuthentication: 'header' })).toEqual(
		expect.arrayContaining(['Seller and License Header Name *', 'Seller and License Header Value *']),
	);
});

test('the previous callback secret shows beside a callback secret, and both are handed on', () => {
	const secrets = { callbackSecret: 'new', previousCallbackSecret: 'old' };
	expect(shown(key, { deploymentSettings: true })).not.toContain('Previous Callback Secret');
	expect(shown(key, { deploymentSettings: true, ...secrets })).toContain('Previous Callback Secret');
	expect(handed(key, { ...secrets, deploymentSettings: true })).toMatchObject(secrets);
});

test('switched off, what was set before does not apply; switched on, it does', () => {
	const set = { batchItemsField: 'items', headerName: 'X-API-Key' };
	expect(handed(key, { ...set, deploymentSettings: true })).toMatchObject(set);
	for (const name of Object.keys(set))
		expect(handed(key, { ...set, deploymentSettings: false })).not.toHaveProperty(name);
});

test('a key without deployment settings is sent in the usual header', async () => {
	const credentials = handed(key, { baseUrl: 'https://kyb.example.com', apiKey: 'bvk_1' }) as never;
	const { headers } = await new BusinessVerificationApi().authenticate(credentials, { url: '/v1/users/me' });
	expect(headers).toEqual({ Authorization: 'Bearer bvk_1' });
});

test('the login is that of n8n with our scopes, and an HTTP Request node may not use its token', () => {
	expect(types[2]).toMatchObject({ extends: ['oAuth2Api'], restrictToSupportedNodes: true });
	const hidden = oAuth2.filter(({ name, type }) => type === 'hidden' || /^allowed/i.test(name));
	expect(hidden).toMatchObject([
		{ name: 'scope', type: 'hidden', default: '={{ $self["scopes"] }}' },
		{ name: 'allowedHttpRequestDomains', type: 'hidden', default: 'none' },
	]);
	expect(handed(oAuth2, {})).toMatchObject({ allowedHttpRequestDomains: 'none' });
});

test('n8n hides every secret from whoever opens a credential', () => {
	const secrets = types.map(({ properties }) => {
		// As n8n collects the fields that it hides: those that are not inherited would be sent to the browser.
		const hidden: INodeProperties[] = [];
		NodeHelpers.mergeNodeProperties(hidden, properties);
		return hidden.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name);
	});
	const everywhere = ['callbackSecret', 'previousCallbackSecret', 'externalHeaderValue'];
	expect(secrets).toEqual([['apiKey', ...everywhere], ['accessToken', ...everywhere], everywhere]);
});

test('n8n asks for a new test of a credential, and edits headers as JSON', () => {
	const marked = key.filter(({ type, typeOptions }) => type === 'json' || typeOptions?.expirable);
	expect(marked.map(({ name }) => name)).toEqual(['extraHeaders', 'tested']);
});

test('each credential links to its page, and has an icon for light and for dark', () => {
	const icon = (file: string) => `file:../icons/businessVerification${file}.svg`;
	const each = { documentationUrl: `${homepage}#credentials`, icon: { light: icon(''), dark: icon('.dark') } };
	expect(types).toMatchObject([each, each, each]);
});
