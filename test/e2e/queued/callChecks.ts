import assert from 'node:assert/strict';
import { burst } from '../callbacks/burst';
import { call } from '../callbacks/calls';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import { Search } from '../callbacks/search';
import type { Queue } from '../queue';
import type { Checks, World } from '../suite';

/** Calls come to webhook processors, which share nothing but the database. */
export function callChecks(world: World, queue: Queue): Checks {
	const { runs: callbacks = 100 } = world.size;
	const { api, sandbox } = world;
	return {
		'Submit and Wait on a worker is woken by a call to the other processor': async () => {
			const { clock } = await sandbox();
			clock.freeze();
			const search = await Search.start(world, await sellerCredential(world));
			const { requestId, callback } = await search.asleep();
			const [, other] = queue.processors;
			const { pathname, search: query } = new URL(callback);
			const report = { request_id: requestId, seller_id: 's-1' };
			assert.equal((await call(`${other.url}${pathname}${query}`, report)).status, 200);
			const output = await search.output();
			assert.deepEqual([output.requestId, output.report], [requestId, report]);
			assert.notEqual((await call(callback, report)).status, 200);
			clock.unfreeze();
		},

		[`${callbacks} callbacks, each sent to both processors: as many keys`]: async () => {
			const [one, other] = queue.processors;
			const there = { api, sandbox, n8n: { url: one.url } };
			const receiver = await Receiver.started(there, triggerNode(await sellerCredential(world)));
			const second = receiver.behind(other.url);
			await second.listens();
			const { executions, keys, callsPerSecond } = await burst([receiver, second], callbacks);
			console.log(`    ${callsPerSecond} calls a second, ${executions} executions, ${keys} keys`);
			assert.equal(keys, callbacks);
			assert.ok(executions < 2 * callbacks, 'no copy was dropped');
		},
	};
}
