import { baseOf, serviceUrl } from '../../credentials/address';

describe('the base URL', () => {
	test.each([
		['https://kyb.example.com', 'https://kyb.example.com'],
		['https://kyb.example.com/', 'https://kyb.example.com'],
		['  https://kyb.example.com//  ', 'https://kyb.example.com'],
		['https://kyb.example.com/v1', 'https://kyb.example.com'],
		['https://kyb.example.com//v1/\n', 'https://kyb.example.com'],
		['https://kyb.example.com/external/api/v1', 'https://kyb.example.com'],
		['HTTPS://KYB.example.com:443/v1', 'https://kyb.example.com'],
		['https://example.com/kyb/v1/', 'https://example.com/kyb'],
		['https://example.com/kyb?x=1#top', 'https://example.com/kyb'],
		['https://example.com/v10', 'https://example.com/v10'],
		['http://localhost:3000/v1', 'http://localhost:3000'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://[::1]:3000/', 'http://[::1]:3000'],
	])('%j stands for %s', (written, meant) => {
		expect(baseOf(written)).toBe(meant);
	});

	const notWeb = ['is not a web address', 'Enter a full address that starts with https://.'] as const;
	const plain = [
		'uses plain http, so secrets would be sent unencrypted',
		'Use https:// instead. Plain http is accepted for localhost, 127.0.0.1, [::1] only.',
	] as const;
	const named = [
		'contains a user name or password',
		'Remove the part before the @ sign and use the fields of the credential.',
	] as const;

	test.each<[string | undefined, readonly [string, string]]>([
		['', notWeb],
		[undefined, notWeb],
		['kyb.example.com', notWeb],
		['localhost:3000', notWeb],
		['ftp://kyb.example.com', notWeb],
		['https:kyb.example.com', notWeb],
		['https://two words.example.com', notWeb],
		['http://kyb.example.com', plain],
		['http://localhost.example.com', plain],
		['http://127.0.0.1.example.com', plain],
		['http://192.168.1.10', plain],
		['https://someone@kyb.example.com', named],
		['https://:hunter2@kyb.example.com', named],
	])('%j is refused because it %j', (written, [reason, description]) => {
		const message = `'Base URL' in the credential ${reason}`;
		expect(() => baseOf(written)).toThrow(expect.objectContaining({ message, description }));
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
		expect(serviceUrl(baseOf(base), path)).toBe(address);
	});
});
