import { privateHost } from '../../nodes/BusinessVerification/seller/search';

describe('a host the service cannot reach', () => {
	it.each([
		['http://localhost:5678/webhook/x', 'local address'],
		['http://LOCALHOST./', 'local address'],
		['http://app.localhost/', 'local address'],
		['http://127.0.0.1/', 'local address'],
		['http://127.1/', 'local address'],
		['http://2130706433/', 'local address'],
		['http://0x7f.1/', 'local address'],
		['http://0.0.0.0/', 'not an address that can be called'],
		['http://10.1.2.3/', 'private network'],
		['http://172.16.0.1/', 'private network'],
		['http://172.31.255.255/', 'private network'],
		['http://192.168.1.1/', 'private network'],
		['http://169.254.169.254/', 'link-local'],
		['http://100.64.0.1/', 'address translation'],
		['http://224.0.0.1/', 'reserved'],
		['http://198.18.0.1/', 'reserved'],
		['http://[::1]/', 'local address'],
		['http://[::]/', 'not an address that can be called'],
		['http://[::ffff:127.0.0.1]/', 'local address'],
		['http://[::ffff:10.0.0.1]/', 'private network'],
		['http://[::127.0.0.1]/', 'not an address that can be called'],
		['http://[64:ff9b::10.0.0.1]/', 'private network'],
		['http://[fd00::1]/', 'private network'],
		['http://[fc12::]/', 'private network'],
		['http://[fe80::1]/', 'link-local'],
		['http://[ff02::1]/', 'reserved'],
		['http://printer.local/', 'do not exist on the internet'],
		['http://n8n.svc.cluster.local/', 'do not exist on the internet'],
		['http://n8n.internal/', 'do not exist on the internet'],
		['http://box.home.arpa/', 'do not exist on the internet'],
		['http://n8n:5678/', 'without a domain'],
		['webhook/x', 'not a complete URL'],
		['', 'not a complete URL'],
	])('%s: %s', (url, reason) => {
		expect(privateHost(url)).toContain(reason);
	});

	it.each([
		'https://n8n.example.com/webhook/x',
		'https://localhost.example.com/',
		'https://mylocal.io/',
		'http://8.8.8.8/',
		'http://172.15.0.1/',
		'http://172.32.0.1/',
		'http://192.169.0.1/',
		'http://100.128.0.1/',
		'http://169.253.0.1/',
		'http://[2606:4700::1111]/',
		'http://[::ffff:8.8.8.8]/',
		'http://[64:ff9b::8.8.8.8]/',
		'http://[fbff::1]/',
	])('is not %s', (url) => {
		expect(privateHost(url)).toBeUndefined();
	});
});
