import assert from 'node:assert/strict';
import { example, exampleFiles } from '../examples';
import { sellerCredential } from '../callbacks/receiver';
import { loadExamples, type Place } from '../stories/place';
import { stories } from '../stories/stories';
import type { Suite } from '../suite';

/** Every example by the main button of the editor, without another account, and what a person sees at its end. */
const suite: Suite = {
	checks(world) {
		const { api, n8n } = world;
		let place: Place;
		const playing = Object.entries(stories).map(([file, story]) => [
			`${file.replace('.json', '')} ends where a person wants it`,
			async () => console.log(`    ${await story(place)}`),
		]);
		return {
			'every example is accepted, with nodes that this n8n has': async () => {
				const sandbox = await world.sandbox();
				const quick = { planningMs: 20, runningMs: 40, enrichingMs: 20, sellerMs: 500, callbackRetries: 100 };
				Object.assign(sandbox.switches, { ends: 'varied', ...quick });
				place = await loadExamples({ api, n8n, sandbox }, [await sellerCredential(world)]);
				const known = (await api.nodeTypes()).map(({ name }) => name);
				const used = exampleFiles().flatMap((file) => example(file).nodes.map(({ type }) => type));
				assert.deepEqual(
					used.filter((type) => !known.includes(type)),
					[],
				);
			},

			...Object.fromEntries(playing),

			'a second click bills nothing': async () => {
				const { ledger } = place.sandbox;
				const before = ledger.count();
				await stories['crm-verification.json'](place);
				await stories['sheet-import-offline.json'](place);
				await stories['portfolio-recheck.json'](place);
				assert.match(await stories['form-verification.json'](place), /We already have this application/);
				assert.equal(ledger.count(), before);
			},
		};
	},
};

export default suite;
