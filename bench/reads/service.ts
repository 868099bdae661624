import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificateFor } from '../../test/e2e/certificate';
import type { Counts } from './world';

/** A service of records in a process of its own. */

let counts: Counts;
let read: Set<string>;
const inquiry = (n: number) => ({
	id: `inquiry-${n}`,
	status: 'COMPLETED',
	createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
	completedAt: new Date(Date.UTC(2026, 0, 2) + n * 1_000).toISOString(),
	businessName: `Business number ${n} Trading LLC`,
	externalId: `crm-${n}`,
	businesses: Array.from({ length: 13 }, (_, source) => ({
		source: `SOURCE_${source}`,
		name: `Business number ${n} Trading LLC`,
		address: { line1: `${n} Main Street`, line2: `Suite ${source}`, city: 'Springfield', state: 'IL', zip: '62701' },
		matches: { name: 0.98, address: 0.91, ein: true, phone: false },
		note: 'found in the register of the state, under the name that was asked for and at the address that was asked for',
	})),
});
/** Whatever is asked for, it is the record with the ID at the end of the path. */
const listener: RequestListener = (request, response) => {
	counts.requests++;
	const id = request.url!.split('/').at(-1)!;
	read.add(id);
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(inquiry(Number(/\d+$/.exec(id)?.[0]))));
};

function begin(): void {
	counts = { requests: 0, connections: 0, read: 0 };
	read = new Set();
}

begin();
const plain = createServer(listener);
const overTls = createTlsServer(certificateFor(['IP:127.0.0.1']), listener);
for (const server of [plain, overTls]) {
	server.on('connection', () => counts.connections++);
	server.keepAliveTimeout = 60_000;
}
const portOf = (server: typeof plain | typeof overTls) => (server.address() as AddressInfo).port;
plain.listen(0, '127.0.0.1', () =>
	overTls.listen(0, '127.0.0.1', () =>
		process.send!({
			url: `http://127.0.0.1:${portOf(plain)}`,
			tlsUrl: `https://127.0.0.1:${portOf(overTls)}`,
		}),
	),
);

// The benchmark has ended, however it did.
process.on('disconnect', () => process.exit());

process.on('message', () => {
	process.send!({ ...counts, read: read.size });
	begin();
});
