import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A service that only counts, in a process of its own, with a fixed delay: what is measured is the caller. Tells its
 * address to the parent, and answers 'counts' and 'reset' from it.
 */

const delayMs = 30;
let batches: Array<{ batchId: string; batchName: string; total: number }> = [];
let inquiries = new Map<string, Array<{ id: string; externalId: string; status: string }>>();
let submissions = 0;
let rows = new Map<string, number>();

async function textOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString();
}

/** All batches, or the inquiries of one. */
const listed = (path: string): object[] =>
	inquiries.get(/^\/v1\/batch-inquiries\/([^/?]+)\/inquiries/.exec(path)?.[1] ?? '') ?? batches;

function page(all: object[], path: string) {
	const offset = Number(new URL(path, 'http://service').searchParams.get('offset') ?? 0);
	return { total: all.length, limit: 500, offset, items: all.slice(offset, offset + 500) };
}

function answer(method: string, path: string, text: string): unknown {
	if (method === 'GET') return page(listed(path), path);
	const body = JSON.parse(text) as { name: string; inquiries: Array<{ externalId: string }> };
	submissions++;
	for (const { externalId } of body.inquiries) rows.set(externalId, (rows.get(externalId) ?? 0) + 1);
	const batch = { batchId: `batch-${submissions}`, batchName: body.name, total: body.inquiries.length };
	batches.push(batch);
	const { batchId } = batch;
	inquiries.set(
		batchId,
		body.inquiries.map(({ externalId }, index) => ({ id: `${batchId}-${index}`, externalId, status: 'PLANNING' })),
	);
	return { ...batch, message: 'queued' };
}

const server = createServer((request, response) => {
	const arrived = performance.now();
	void textOf(request).then((text) => {
		setTimeout(
			() => {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answer(request.method!, request.url!, text)));
			},
			Math.max(0, delayMs - (performance.now() - arrived)),
		);
	});
});

server.listen(0, '127.0.0.1', () =>
	process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);

// The benchmark has ended, however it did.
process.on('disconnect', () => process.exit());

process.on('message', (message) => {
	if (message === 'counts') {
		process.send!({
			submissions,
			rows: rows.size,
			most: [...rows.values()].reduce((most, times) => Math.max(most, times), 0),
		});
	}
	batches = [];
	inquiries = new Map();
	submissions = 0;
	rows = new Map();
});
