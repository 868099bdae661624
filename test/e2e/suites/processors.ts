import assert from 'node:assert/strict';
import { burst } from '../callbacks/burst';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import { Client } from '../client';
import { packedPackage } from '../package';
import { Queue } from '../queue';
import type { Suite } from '../suite';

const CALLBACKS = 500;

/** A measurement in queue mode: the two copies of a callback reach different webhook processors. Needs PostgreSQL and Redis. */
const suite: Suite = {
	checks(world) {
		return {
			[`${CALLBACKS} good callbacks, each sent to two webhook processors`]: async () => {
				const env = { N8N_EXPRESSION_ENGINE: 'legacy' };
				const queue = await Queue.start({ host: world.host, tarballs: [packedPackage()], processors: 2, env });
				try {
					const api = await Client.connect(queue.url);
					const there = { ...world, api, n8n: { url: queue.webhookUrls[0] } };
					const receiver = await Receiver.started(there, triggerNode(await sellerCredential(there)));
					const second = receiver.behind(queue.webhookUrls[1]);
					await second.listens();
					const { executions, keys, callsPerSecond } = await burst([receiver, second], CALLBACKS);
					console.log(
						`    ${callsPerSecond} calls a second, ${executions} executions, ${keys} keys for de-duplication`,
					);
					assert.equal(keys, CALLBACKS);
				} catch (error) {
					console.log(queue.log());
					throw error;
				} finally {
					await queue.dispose();
				}
			},
		};
	},
};

export default suite;
