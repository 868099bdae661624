import assert from 'node:assert/strict';
import { burst } from '../callbacks/burst';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import type { Suite } from '../suite';

const CALLBACKS = 1000;

/** The burst of the suite `callback`, at a size that takes a minute. */
const suite: Suite = {
	env: { N8N_EXPRESSION_ENGINE: 'legacy' },

	checks(world) {
		return {
			[`${CALLBACKS} good callbacks, each sent twice, start ${CALLBACKS} executions`]: async () => {
				const receiver = await Receiver.started(world, triggerNode(await sellerCredential(world)));
				const { executions, keys, callsPerSecond } = await burst([receiver], CALLBACKS);
				console.log(`    ${callsPerSecond} calls a second, ${executions} executions, ${keys} keys for de-duplication`);
				assert.deepEqual({ executions, keys }, { executions: CALLBACKS, keys: CALLBACKS });
			},
		};
	},
};

export default suite;
