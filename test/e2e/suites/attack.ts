import assert from 'node:assert/strict';
import { attack } from '../callbacks/attack';
import { Receiver, sellerCredential, triggerNode } from '../callbacks/receiver';
import type { Suite } from '../suite';

const CALLS = 10_000;

/** The attack of the suite `callback`, at a size that takes minutes. */
const suite: Suite = {
	env: { N8N_EXPRESSION_ENGINE: 'legacy' },

	checks(world) {
		return {
			[`${CALLS} calls of an attack start nothing, and good ones in between arrive`]: async () => {
				const credential = await sellerCredential(world);
				const target = await Receiver.started(world, triggerNode(credential));
				const other = await Receiver.started(world, triggerNode(credential));
				const { pid } = world.n8n;
				const started = Date.now();
				const { good, unexpected, answers, seed } = await attack(target, other, CALLS);
				const seconds = (Date.now() - started) / 1000;
				for (const line of Object.keys(answers).sort()) console.log(`    ${line} × ${answers[line]}`);
				assert.deepEqual(unexpected, [], `seed ${seed}`);
				const arrived = (await target.itemsOfAll()).map(({ ref }) => ref);
				assert.deepEqual(arrived.sort(), [...good].sort(), `seed ${seed}`);
				assert.deepEqual(await other.itemsOfAll(), []);
				assert.deepEqual([world.n8n.isRunning, world.n8n.pid], [true, pid]);
				console.log(`    seed ${seed}: ${good.length} good of ${good.length} arrived, ${seconds.toFixed(0)} s`);
			},
		};
	},
};

export default suite;
