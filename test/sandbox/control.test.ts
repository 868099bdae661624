import axios from 'axios';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fateOf } from '../../sandbox/variety';
import { bearer, business, useSandbox } from './harness';

const sandbox = useSandbox();

const control = async (line: string, data?: unknown) => {
	const [method, path] = line.split(' ');
	const url = `${sandbox.it.url}/_sandbox${path}`;
	return (await axios.request({ method, url, data, proxy: false, validateStatus: () => true })).data;
};

test('the names that the demo tells people to try end as it says', () => {
	const endOf = (businessName: string) => fateOf({ submitted: { businessName } }).status;
	expect([endOf('Mountain Dairy'), endOf('Lake Motors')]).toEqual(['FAILED', 'PARTIAL_SUCCESS']);
});

test('switches', async () => {
	expect(await control('GET /switches')).toMatchObject({ errorForm: 'detailText', planningMs: 1_000 });
	expect(await control('PUT /switches', { errorForm: 'text', planningMs: 0 })).toMatchObject({ errorForm: 'text' });
	expect(sandbox.it.switches).toMatchObject({ errorForm: 'text', planningMs: 0 });
	expect(await control('PUT /switches', { errorForm: 'xml', colour: 1 })).toEqual({
		error: expect.stringMatching(/errorForm" takes one of .*; there is no switch "colour"/),
	});
});

test('faults, which never strike the control endpoints', async () => {
	const faults = [
		{ times: null, status: 503 },
		{ drop: true, path: '/oauth' },
	];
	expect(await control('POST /faults', faults)).toMatchObject([{ status: 503 }, { drop: true, left: 1 }]);
	const statuses = [1, 2].map(async () => (await sandbox.get('/v1/users/me')).status);
	expect(await Promise.all(statuses)).toEqual([503, 503]);
	await control('DELETE /faults');
	expect((await sandbox.get('/v1/users/me')).status).toBe(200);
});

test('ledger and requests', async () => {
	await sandbox.post('/v1/inquiries/', { ...business, externalId: 'x' });
	await sandbox.post('/v1/users/me/accept-inquiry-terms');
	expect(await control('GET /ledger')).toMatchObject({ count: 2 });
	expect(await control('GET /ledger?kind=inquiry&key=x')).toMatchObject({
		count: 1,
		times: 1,
		entries: [{ key: 'x' }],
	});
	expect(await control('GET /requests?path=/v1/users&method=POST')).toMatchObject({
		total: 2,
		peakInFlight: 1,
		requests: [{ status: 200 }],
	});
});

test('the program prints what a caller needs, takes switches, and stops when asked', async () => {
	const main = join(__dirname, '../../sandbox/main.ts');
	// Not by the command of tsx, which ends the program itself if it is slow to hear of a signal.
	const run = (...flags: string[]) => spawn(process.execPath, ['--import', 'tsx', main, ...flags]);
	const program = run('--port', '0', '--api-key', 'bvk_known', '--seed', '5', '--switch', 'errorForm=message');
	const ended = new Promise((resolve) => program.once('close', resolve));
	let printed = '';
	await new Promise<void>((resolve) =>
		program.stdout.on('data', (text) => {
			printed += text;
			if (printed.includes('Ctrl+C')) resolve();
		}),
	);
	const url = /Base URL +(\S+)/.exec(printed)?.[1];
	const token = /Token +(\S+)/.exec(printed)?.[1] ?? '';
	expect(printed).toContain('bvk_known');
	const list = await axios.get(`${url}/v1/inquiries/`, { ...bearer(token), proxy: false });
	expect(list.data.total).toBe(5);
	const refused = await axios.get(`${url}/v1/inquiries`, { proxy: false, validateStatus: () => true });
	expect(Object.keys(refused.data)).toEqual(['message']);
	program.kill('SIGTERM');
	expect(await ended).toBe(0);
});
