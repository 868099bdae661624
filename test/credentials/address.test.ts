import { baseOf, serviceUrl } from '../../credentials/address';

describe('the base URL', () => {
	test.each([
		['https://kyb.example.com', 'https://kyb.example.com'],
		['https://kyb.example.com/', 'https://kyb.example.com'],
		['  https://kyb.example.com//  ', 'https://kyb.example.com'],
		['https://kyb.example.com/v1', 'https://kyb.example.com'],
		['https://kyb.example.com/v1/\n', 'https://kyb.example.com'],
		['https://kyb.example.com/external/api/v1', 'https://kyb.example.com'],
		['HTTPS://KYB.example.com:443/v1', 'https://kyb.example.com'],
		['https://example.com/kyb/v1/', 'https://example.com/kyb'],
		['https://example.com/kyb?x=1#top', 'https://example.com/kyb'],
		['https://example.com/v10', 'https://example.com/v10'],
		['http://localhost:3000/v1', 'http://localhost:3000'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://[::1]:3000/', 'http://[::1]:3000'],
	])('%j stands for %s', (written, meant) => {
		expect(baseOf(written).base).toBe(meant);
	});

	test.each([
		['', 'is not a web address'],
		[undefined, 'is not a web address'],
		['kyb.example.com', 'is not a web address'],
		['localhost:3000', 'is not a web address'],
		['ftp://kyb.example.com', 'is not a web address'],
		['https:kyb.example.com', 'is not a web address'],
		['https://two words.example.com', 'is not a web address'],
		['http://kyb.example.com', 'plain http'],
		['http://localhost.example.com', 'plain http'],
		['http://127.0.0.1.example.com', 'plain http'],
		['http://192.168.1.10', 'plain http'],
		['https://someone:hunter2@kyb.example.com', 'user name or password'],
	])('%j is refused because it %s', (written, reason) => {
		expect(() => baseOf(written)).toThrow(reason);
	});

	test('requests to several services in turn keep apart', () => {
		const asked = [
			'https://a.example',
			'https://b.example/kyb/v1',
			'https://a.example',
			undefined,
			'https://a.example',
		];
		const read = (written: unknown) => {
			try {
				return baseOf(written);
			} catch {
				return 'refused';
			}
		};
		expect(asked.map(read)).toMatchObject([
			{ origin: 'https://a.example', base: 'https://a.example' },
			{ origin: 'https://b.example', base: 'https://b.example/kyb' },
			{ origin: 'https://a.example', base: 'https://a.example' },
			'refused',
			{ origin: 'https://a.example', base: 'https://a.example' },
		]);
	});

	test.each([
		['https://someone@kyb.example.com', 'Remove the part before the @ sign and use the fields of the credential.'],
		['http://kyb.example.com', expect.stringMatching(/^Use https:\/\/ instead\. .*localhost/)],
	])('a refusal of %s says what to do', (entered, description: unknown) => {
		expect(() => baseOf(entered)).toThrow(expect.objectContaining({ description }));
	});

	test('a refusal does not repeat what was entered', () => {
		expect(() => baseOf('https://someone:hunter2@kyb.example.com')).toThrow(
			expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
		);
	});
});

describe('the address of a path', () => {
	test.each([
		['https://example.com', '/v1/users/me', 'https://example.com/v1/users/me'],
		['https://example.com/v1/', 'v1/users/me', 'https://example.com/v1/users/me'],
		[
			'https://example.com/kyb',
			'/external/api/v1/seller-detailed',
			'https://example.com/kyb/external/api/v1/seller-detailed',
		],
		['https://example.com', ' https://example.com/seller/7 ', 'https://example.com/seller/7'],
	])('%s and %j make %s', (base, path, address) => {
		expect(serviceUrl(baseOf(base).base, path)).toBe(address);
	});
});
