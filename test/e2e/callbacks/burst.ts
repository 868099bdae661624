import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { call, sideBySide } from './calls';
import type { Receiver } from './receiver';

/** A busy n8n may close a connection in the moment in which it is used again. */
const httpAgent = new Agent({ keepAlive: false });

export interface BurstResult {
	callsPerSecond: number;
	executions: number;
	/** Different keys for de-duplication among their items. */
	keys: number;
}

/** As many good callbacks, each sent twice in any order. Every call is answered 200; how many executions come of it? */
export async function burst(receivers: Receiver[], callbacks: number): Promise<BurstResult> {
	const [first] = receivers;
	const names = Array.from({ length: callbacks }, (_, index) => `burst-${index}`);
	const signed = names.map((ref) => ({ ref, url: new URL(first.sign({ ref })) }));
	// The same path and signature, at the processes in turn.
	const copyOf = ({ ref, url }: (typeof signed)[number], copy: number) => ({
		ref,
		url: new URL(url.pathname + url.search, receivers[copy % receivers.length].url).toString(),
	});
	// Of every other callback the copy comes beside the first, of the rest when all have been sent.
	const calls = [
		...signed.flatMap((one, index) => (index % 2 === 0 ? [copyOf(one, 0), copyOf(one, 1)] : [copyOf(one, 0)])),
		...signed.filter((_, index) => index % 2 === 1).map((one) => copyOf(one, 1)),
	];

	const started = Date.now();
	await sideBySide(16, calls, async ({ ref, url }) => {
		const report = { status: 'complete', request_id: ref, seller_id: `seller of ${ref}` };
		const { status, data } = await call(url, report, { httpAgent });
		assert.equal(status, 200, `${ref}: ${JSON.stringify(data)}`);
	});
	const callsPerSecond = Math.round((2 * callbacks) / ((Date.now() - started) / 1000));
	const items = await first.itemsOfAll(receivers);
	const arrived = new Set(items.map(({ ref }) => ref));
	assert.deepEqual(
		names.filter((name) => !arrived.has(name)),
		[],
		'callbacks were answered 200 and lost',
	);
	return {
		callsPerSecond,
		executions: items.length,
		keys: new Set(items.map(({ deduplicationKey }) => deduplicationKey)).size,
	};
}
