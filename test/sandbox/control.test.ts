import axios from 'axios';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fateOf } from '../../sandbox/variety';
import { bearer, business, useSandbox } from './harness';

const sandbox = useSandbox();

const control = async (path: string) => (await axios.get(`${sandbox.it.url}/_sandbox${path}`, { proxy: false })).data;

test('the names that the demo tells people to try end as it says', () => {
	const endOf = (businessName: string) => fateOf({ submitted: { businessName } }).status;
	expect([endOf('Mountain Dairy'), endOf('Lake Motors')]).toEqual(['FAILED', 'PARTIAL_SUCCESS']);
});

test('ledger and requests', async () => {
	await sandbox.post('/v1/inquiries/', { ...business, externalId: 'x' });
	await sandbox.post('/v1/users/me/accept-inquiry-terms');
	expect(await control('/ledger')).toMatchObject({ count: 2 });
	expect(await control('/ledger?kind=inquiry&key=x')).toMatchObject({
		count: 1,
		times: 1,
		entries: [{ key: 'x' }],
	});
	expect(await control('/requests?path=/v1/users&method=POST')).toMatchObject({
		total: 2,
		peakInFlight: 1,
		requests: [{ status: 200 }],
	});
});

test('the program prints what a caller needs, takes switches, and stops when asked', async () => {
	const main = join(__dirname, '../../sandbox/main.ts');
	// Not by the command of tsx, which ends the program itself if it is slow to hear of a signal.
	const run = (...flags: string[]) => spawn(process.execPath, ['--import', 'tsx', main, ...flags]);
	const program = run('--port', '0', '--seed', '5', '--switch', 'errorForm=message');
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
	expect(printed).toMatch(/API key +bvk_/);
	const list = await axios.get(`${url}/v1/inquiries/`, { ...bearer(token), proxy: false });
	expect(list.data.total).toBe(5);
	const refused = await axios.get(`${url}/v1/inquiries`, { proxy: false, validateStatus: () => true });
	expect(Object.keys(refused.data)).toEqual(['message']);
	program.kill('SIGTERM');
	expect(await ended).toBe(0);
});
