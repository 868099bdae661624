import { privateHost } from '../../nodes/BusinessVerification/seller/search';

describe('a host the service cannot reach', () => {
	it.each([
		['http://localhost:5678/webhook/x', 'localhost is a local address'],
		['http://LOCALHOST./', 'localhost is a local address'],
		['http://app.localhost/', 'app.localhost is a local address'],
		['http://0.0.0.0:5678/webhook/x', '0.0.0.0 is a local address'],
		['http://127.1/', '127.0.0.1 is a local address'],
		['http://10.1.2.3/', '10.1.2.3 is a local address'],
		['http://172.16.0.1/', '172.16.0.1 is a local address'],
		['http://172.31.255.255/', '172.31.255.255 is a local address'],
		['http://192.168.1.1/', '192.168.1.1 is a local address'],
		['http://[::1]/', '[::1] is a local address'],
		['http://[fd00::1]/', '[fd00::1] is a local address'],
		['http://n8n.svc.cluster.local/', 'n8n.svc.cluster.local is a local address'],
		['http://n8n:5678/', 'n8n is a local address'],
		['webhook/x', "'webhook/x' is not a complete URL"],
		['', "'' is not a complete URL"],
	])('%s: %s', (url, reason) => {
		expect(privateHost(url)).toBe(reason);
	});

	it.each([
		'https://n8n.example.com/webhook/x',
		'https://localhost.example.com/',
		'https://mylocal.io/',
		'http://8.8.8.8/',
		'http://172.15.0.1/',
		'http://172.32.0.1/',
		'http://192.169.0.1/',
		'http://[2606:4700::1111]/',
	])('is not %s', (url) => {
		expect(privateHost(url)).toBeUndefined();
	});
});
