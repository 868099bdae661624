import assert from 'node:assert/strict';
import { example, exampleFiles, unknownTypes } from '../examples';
import { sellerCredential } from '../callbacks/receiver';
import { afterResult, failsWithoutResult, rowsOf, saysNotFinished } from '../stories/neverFinished';
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
				const nodes = exampleFiles().flatMap((file) => example(file).nodes);
				assert.deepEqual(await unknownTypes(api, nodes), []);
			},

			...Object.fromEntries(playing),

			'a second click bills nothing': async () => {
				const { ledger } = place.sandbox;
				const before = ledger.count();
				await stories['crm-verification.json'](place);
				await stories['portfolio-recheck.json'](place);
				assert.match(await stories['form-verification.json'](place), /We already have this application/);
				assert.equal(ledger.count(), before);
			},

			'every example that waits is played with a service that never finishes': () => {
				const waits = exampleFiles().filter((file) =>
					example(file).nodes.some(({ parameters }) => parameters.waitForCompletion === true),
				);
				const ofPartners = ['crm-verification-hubspot.json', 'sheet-import.json'];
				assert.deepEqual(waits, [...Object.keys(afterResult), ...Object.keys(rowsOf), ...ofPartners].sort());
				place.sandbox.switches.lifecycle = 'manual';
			},
			...Object.fromEntries(
				Object.keys(afterResult).map((file) => [
					`${file} writes nothing without a final status, and fails`,
					() => failsWithoutResult(place, file),
				]),
			),
			...Object.fromEntries(
				Object.keys(rowsOf).map((file) => [
					`${file} says of each row that it is not finished`,
					() => saysNotFinished(place, file),
				]),
			),
		};
	},
};

export default suite;
