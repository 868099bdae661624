import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Behaviour, Counts } from './world';

/** A service of records, lists and files in a process of its own, with a fixed delay, and with a limit if asked for one. */

const usual: Behaviour = { delayMs: 30, perSecond: Infinity, inquiries: 5_000, batches: 0, rounds: 0 };
let behaviour = usual;
let counts: Counts;
let read: Set<string>;
/** Requests that may still come at once; refilled as time goes by. */
let allowance = 0;
let refilledAt = 0;
let roundsLooked = 0;

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
const row = (n: number) => ({ ...inquiry(n), businesses: undefined });
const batch = (n: number) => {
	const isDone = roundsLooked > behaviour.rounds;
	return { batchId: `batch-${n}`, batchName: `Batch ${n}`, total: 250, completed: isDone ? 250 : 100, failed: 0 };
};
const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 'a page of a report ')]);

function page(query: URLSearchParams, total: number, item: (n: number) => object) {
	const [limit, offset] = ['limit', 'offset'].map((name) => Number(query.get(name) ?? 0));
	const length = Math.max(0, Math.min(limit || 500, total - offset));
	return { total, limit, offset, items: Array.from({ length }, (_, place) => item(offset + place)) };
}

function answer({ pathname, searchParams }: URL): object | Buffer {
	const [, , list, id, part] = pathname.split('/');
	const n = Number(/\d+$/.exec(id ?? '')?.[0]);
	if (list === 'batch-inquiries') {
		if (part === 'inquiries') return page(searchParams, 250, (place) => row(n * 250 + place));
		if (id) return batch(n);
		roundsLooked++;
		return page(searchParams, behaviour.batches, batch);
	}
	if (part === 'pdf') return file;
	if (id) {
		read.add(id);
		return inquiry(n);
	}
	return page(searchParams, behaviour.inquiries, row);
}

/** A bucket that holds the requests of one second. */
function isAllowed(): boolean {
	const { perSecond } = behaviour;
	if (perSecond === Infinity) return true;
	const now = performance.now();
	allowance = Math.min(perSecond, allowance + ((now - refilledAt) / 1_000) * perSecond);
	refilledAt = now;
	if (allowance < 1) return false;
	allowance--;
	return true;
}

const listener: RequestListener = (request, response) => {
	counts.requests++;
	counts.mostAtOnce = Math.max(counts.mostAtOnce, ++counts.inFlight);
	const isServed = isAllowed();
	if (!isServed) counts.refused++;
	setTimeout(() => {
		counts.inFlight--;
		if (!isServed) {
			response.writeHead(429, { 'retry-after': '1' }).end('{"message":"Too many requests"}');
			return;
		}
		const body = answer(new URL(request.url!, 'http://service'));
		response.setHeader('content-type', Buffer.isBuffer(body) ? 'application/pdf' : 'application/json');
		response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
	}, behaviour.delayMs);
};

function begin(change: Partial<Behaviour>): void {
	behaviour = { ...usual, ...change };
	counts = { requests: 0, refused: 0, inFlight: 0, mostAtOnce: 0, connections: 0, read: 0 };
	read = new Set();
	allowance = behaviour.perSecond;
	refilledAt = performance.now();
	roundsLooked = 0;
}

function certificate() {
	const folder = mkdtempSync(join(tmpdir(), 'bench-tls-'));
	const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
	execFileSync(
		'openssl',
		[
			...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
			...['-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert],
		],
		{ stdio: 'ignore' },
	);
	const pair = { key: readFileSync(key), cert: readFileSync(cert) };
	rmSync(folder, { recursive: true });
	return pair;
}

begin({});
const plain = createServer(listener);
const overTls = createTlsServer(certificate(), listener);
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

process.on('message', (message) => {
	if (message !== 'counts') {
		begin(message as Partial<Behaviour>);
		return;
	}
	process.send!({ ...counts, read: read.size });
	begin(behaviour);
});
