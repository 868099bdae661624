import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { BusinessVerificationApi } from '../../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';

const key = new BusinessVerificationApi();
const jwt = new BusinessVerificationJwtApi();

/** A credential as n8n hands it over: the default of every field, then what was filled in. */
function filled(type: BusinessVerificationApi | BusinessVerificationJwtApi, values: ICredentialDataDecryptedObject) {
	const defaults = Object.fromEntries(type.properties.map((field) => [field.name, field.default]));
	return { ...defaults, baseUrl: 'https://kyb.example.com', ...values } as ICredentialDataDecryptedObject;
}

const withKey = (values: ICredentialDataDecryptedObject = {}) => filled(key, { apiKey: 'bvk_12345', ...values });
const get = (url: string): IHttpRequestOptions => ({ method: 'GET', url });
const me = 'https://kyb.example.com/v1/users/me';
const seller = 'https://kyb.example.com/external/api/v1/seller-detailed';

describe('the header of a key', () => {
	test('is a bearer header unless the credential says otherwise', async () => {
		const sent = await key.authenticate(withKey(), get(me));
		expect(sent).toEqual({
			method: 'GET',
			url: me,
			headers: { Authorization: 'Bearer bvk_12345' },
			disableFollowRedirect: true,
		});
	});

	test.each([
		['Authorization', 'ApiKey {key}', { Authorization: 'ApiKey bvk_12345' }],
		['X-API-Key', '{key}', { 'X-API-Key': 'bvk_12345' }],
		[' X-API-Key ', ' {key};{key}ü ', { 'X-API-Key': 'bvk_12345;bvk_12345ü' }],
	])('%j with %j', async (headerName, headerValue, headers) => {
		const sent = await key.authenticate(withKey({ headerName, headerValue }), get(me));
		expect(sent.headers).toEqual(headers);
	});

	test.each([
		['Bearer bvk_12345', undefined, 'Bearer bvk_12345'],
		[' bearer  bvk_12345\n', undefined, 'Bearer bvk_12345'],
		['ApiKey bvk_12345', 'ApiKey {key}', 'ApiKey bvk_12345'],
		['Bearer bvk_12345', '{key}', 'Bearer bvk_12345'],
		['Bearerbvk', undefined, 'Bearer Bearerbvk'],
	])('%j pasted with its word is sent with one', async (apiKey, headerValue, header) => {
		const sent = await key.authenticate(withKey({ apiKey, ...(headerValue && { headerValue }) }), get(me));
		expect(sent.headers).toEqual({ Authorization: header });
	});

	test('a key that looks like a replacement pattern, pasted with its line break, arrives as it is', async () => {
		const sent = await key.authenticate(withKey({ apiKey: " $&$'{key}\n" }), get(me));
		expect(sent.headers).toEqual({ Authorization: "Bearer $&$'{key}" });
	});

	const badName = [
		'A header name of the credential is empty or contains a forbidden character',
		"Check 'Header Name', 'Seller and License Header Name', and 'Extra Headers' in the credential.",
	] as const;

	const badValue = (name: string) => `The value of the header '${name}' is empty or contains a forbidden character`;
	const lineBreaks = 'Check the credential: line breaks are often copied along with a key.';

	test.each<[ICredentialDataDecryptedObject, string, string]>([
		[{ apiKey: '  ' }, "'API Key' in the credential is empty", 'Enter the key that the service gave you.'],
		[
			{ headerValue: 'Bearer' },
			"'Header Value' in the credential does not contain {key}",
			'Write {key} where the key belongs, e.g. Bearer {key}.',
		],
		[{ headerName: '' }, ...badName],
		[{ headerName: 'X Key' }, ...badName],
		[{ apiKey: 'bvk_1\r\nX-Admin: 1' }, badValue('Authorization'), lineBreaks],
		[{ apiKey: 'bvk_1€' }, badValue('Authorization'), lineBreaks],
		[{ extraHeaders: '{"X-Region": " "}' }, badValue('X-Region'), lineBreaks],
	])('%j is refused', async (values, message, description) => {
		await expect(key.authenticate(withKey(values), get(me))).rejects.toMatchObject({ message, description });
	});
});

describe('the header of a token', () => {
	test.each(['aaa.bbb.ccc', ' Bearer  aaa.bbb.ccc\n'])('%j', async (accessToken) => {
		const sent = await jwt.authenticate(filled(jwt, { accessToken }), get(me));
		expect(sent.headers).toEqual({ Authorization: 'Bearer aaa.bbb.ccc' });
	});

	test('an empty one is refused', async () => {
		const request = jwt.authenticate(filled(jwt, { accessToken: '' }), get(me));
		await expect(request).rejects.toMatchObject({
			message: "'Access Token' in the credential is empty",
			description: 'Paste a token, or use the OAuth2 credential, whose tokens n8n renews.',
		});
	});
});

describe('only the origin of the base URL receives credentials', () => {
	test.each([
		['https://evil.example', 'https://evil.example'],
		['https://kyb.example.com.evil.example/v1/users/me', 'https://kyb.example.com.evil.example'],
		['https://kyb.example.com@evil.example/v1/users/me', 'https://evil.example'],
		['https://kyb.example.com:8443/v1/users/me', 'https://kyb.example.com:8443'],
		['http://kyb.example.com/v1/users/me', 'http://kyb.example.com'],
		['//evil.example/v1/users/me', 'an invalid address'],
	])('%s is refused, and both sides are named', async (url, named) => {
		await expect(key.authenticate(withKey(), get(url))).rejects.toMatchObject({
			message: `Credentials for https://kyb.example.com are not sent to ${named}`,
			description: "Send requests with this credential only to the origin of its 'Base URL'.",
		});
	});

	test('the base URL of the request counts, not only its path', async () => {
		const request = { url: '/v1/users/me', baseURL: 'https://evil.example' };
		await expect(key.authenticate(withKey(), request)).rejects.toThrow('https://evil.example');
	});

	test.each(['https://kyb.example.com', ' https://kyb.example.com/v1/ ', 'https://kyb.example.com/'])(
		"n8n's credential test asks for the profile, with %j as base URL",
		async (baseUrl) => {
			const request = { url: key.test.request.url as string, baseURL: baseUrl, returnFullResponse: true };
			const sent = await key.authenticate(withKey({ baseUrl }), request);
			expect(sent).toMatchObject({ url: me, returnFullResponse: true, disableFollowRedirect: true });
			expect(sent).not.toHaveProperty('baseURL');
		},
	);

	test("n8n's HTTP Request node, which names the address differently, follows no redirect either", async () => {
		const request = { method: 'GET', uri: me, followRedirect: true, followAllRedirects: true };
		const sent = await key.authenticate(withKey(), request as unknown as IHttpRequestOptions);
		expect(sent).toMatchObject({ uri: me, url: me, followRedirect: false, followAllRedirects: false });
	});

	const byProxy = [
		'through a proxy of the node',
		"Remove 'Proxy' from its options: n8n's HTTPS_PROXY is used.",
	] as const;
	const unchecked = [
		'without checking the certificate',
		"Turn off 'Ignore SSL Issues'. To trust a CA of your own, set NODE_EXTRA_CA_CERTS for n8n.",
	] as const;
	const withHost = ['with a Host header of the node', 'Remove that header.'] as const;

	// As n8n's HTTP Request node (`rejectUnauthorized`) and its declarative nodes set them.
	test.each<[object, string, string]>([
		[{ proxy: 'http://proxy.example' }, ...byProxy],
		[{ proxy: { host: 'proxy.example', port: 3128 } }, ...byProxy],
		[{ rejectUnauthorized: false }, ...unchecked],
		[{ skipSslCertificateValidation: true }, ...unchecked],
		[{ headers: { accept: '*/*', HOST: 'other.example.com' } }, ...withHost],
		[{ headers: { 'host ': 'other.example.com' } }, ...withHost],
	])('%j is refused, and nothing is added to the request', async (detour, how, description) => {
		const request = { ...get(me), ...detour } as IHttpRequestOptions;
		const refusal = await key.authenticate(withKey(), request).catch((error: Error) => error);
		expect(refusal).toMatchObject({
			message: `Credentials for https://kyb.example.com are not sent ${how}`,
			description,
		});
		expect(JSON.stringify(request)).not.toContain('bvk_12345');
	});

	test("the settings of n8n's HTTP Request node that it always sends are no detour", async () => {
		const usual = { uri: me, rejectUnauthorized: true, gzip: true, headers: { accept: '*/*', 'x-host': 'a' } };
		expect(await key.authenticate(withKey(), usual as unknown as IHttpRequestOptions)).toMatchObject({
			uri: me,
			headers: { Authorization: 'Bearer bvk_12345' },
		});
	});

	test('a request that n8n sends again after a 401 is authenticated again, with the same result', async () => {
		const once = await key.authenticate(withKey({ extraHeaders: '{"X-Region":"eu"}' }), get(me));
		expect(await key.authenticate(withKey({ extraHeaders: '{"X-Region":"eu"}' }), once)).toEqual(once);
	});
});

describe('seller and license endpoints', () => {
	const own = { externalAuthentication: 'header', externalHeaderName: 'X-Seller-Key', externalHeaderValue: 's3ller ' };

	test.each([
		['same', {}, { Authorization: 'Bearer bvk_12345' }],
		['none', { externalAuthentication: 'none' }, {}],
		['header', own, { 'X-Seller-Key': 's3ller' }],
	])('%s', async (_mode, values, headers) => {
		expect((await key.authenticate(withKey(values), get(seller))).headers).toEqual(headers);
		expect((await key.authenticate(withKey(values), get(me))).headers).toEqual({ Authorization: 'Bearer bvk_12345' });
	});

	test('are distinguished below a base URL with a path, and when the path climbs', async () => {
		const credentials = withKey({ ...own, baseUrl: 'https://example.com/kyb/v1' });
		const header = async (path: string) =>
			Object.keys((await key.authenticate(credentials, get(`https://example.com${path}`))).headers ?? {});
		expect(await header('/kyb/v1/inquiries/')).toEqual(['Authorization']);
		expect(await header('/kyb/v1')).toEqual(['Authorization']);
		expect(await header('/kyb/external/api/v1/license-verification')).toEqual(['X-Seller-Key']);
		expect(await header('/kyb/v1/../external/api/v1/license-verification')).toEqual(['X-Seller-Key']);
		expect(await header('/kyb/v1x')).toEqual(['X-Seller-Key']);
	});

	test('need no key when they are authenticated otherwise', async () => {
		const sent = await key.authenticate(withKey({ ...own, apiKey: '' }), get(seller));
		expect(sent.headers).toEqual({ 'X-Seller-Key': 's3ller' });
	});
});

describe('extra headers', () => {
	test('go with every request, as text or as an object, and give way to authentication', async () => {
		const request = { ...get(me), headers: { accept: 'application/json', 'x-region': 'us' } };
		for (const extraHeaders of [
			'{"X-Region": "eu", "X-Tenant": 7, "authorization": "no"}',
			{ ' X-Region ': 'eu', 'X-Tenant': 7 },
		]) {
			const sent = await key.authenticate(withKey({ extraHeaders } as ICredentialDataDecryptedObject), request);
			expect(sent.headers).toEqual({
				accept: 'application/json',
				'X-Region': 'eu',
				'X-Tenant': '7',
				Authorization: 'Bearer bvk_12345',
			});
		}
		expect(request.headers).toEqual({ accept: 'application/json', 'x-region': 'us' });
	});

	test.each(['', '  ', '{}'])('%j is none', async (extraHeaders) => {
		const sent = await key.authenticate(withKey({ extraHeaders }), get(me));
		expect(Object.keys(sent.headers ?? {})).toEqual(['Authorization']);
	});

	test.each(['{"X-Secret": "s3cret"', '["s3cret"]', '"s3cret"', 'null'])(
		'%s is refused without repeating it',
		async (extraHeaders) => {
			const refusal = await key.authenticate(withKey({ extraHeaders }), get(me)).catch((error: Error) => error);
			expect(refusal).toMatchObject({
				message: "'Extra Headers' in the credential is not a JSON object",
				description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
			});
			expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal))).not.toContain('s3cret');
		},
	);
});
