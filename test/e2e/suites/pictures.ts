import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sellerCredential } from '../callbacks/receiver';
import { pause } from '../callbacks/calls';
import { exampleFiles } from '../examples';
import { loadExamples, type Place } from '../stories/place';
import { stories } from '../stories/stories';
import type { Suite } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, manualTrigger, node } from '../workflow';

const FOLDER = join(__dirname, '..', '..', '..', 'docs', 'pictures');

/** The pictures of the documentation, made anew: `npm run e2e -- pictures`. */
const pictures: Suite = {
	checks(world) {
		const { api, n8n, browser: open } = world;
		let place: Place;
		const shoot = async (name: string, settle = 2_000) => {
			const path = join(FOLDER, `${name}.png`);
			mkdirSync(dirname(path), { recursive: true });
			// The marks of success appear one after the other.
			await pause(settle);
			await (await open()).page.screenshot({ path });
		};
		/** Opened, and run by its main button where it needs no account. */
		const finished = async (file: string) => {
			const { page } = await open();
			await (await open()).openWorkflow(place.ids[file]);
			if (stories[file] === undefined) return;
			const before = (await api.executions(place.ids[file])).length;
			await page.getByTestId('execute-workflow-button').first().click();
			await api.until(`the run of ${file}`, 90_000, async () => {
				const [last, ...rest] = await api.executions(place.ids[file]);
				return rest.length >= before && ['success', 'waiting'].includes(last?.status);
			});
		};
		return {
			'one of each story, run': async () => {
				const sandbox = await world.sandbox();
				Object.assign(sandbox.switches, { ends: 'varied', sellerMs: 500 });
				place = await loadExamples({ api, n8n, sandbox }, [await sellerCredential(world)]);
				for (const file of exampleFiles()) {
					await finished(file);
					await shoot(`stories/${file.replace('.json', '')}`, 3_000);
				}
			},

			'the sheet with its results': async () => {
				const editor = await open();
				await finished('sheet-import-offline.json');
				await editor.openNode('Import the rows');
				await shoot('sheet-with-results');
			},

			'the node, and the trigger': async () => {
				const credential = await createKeyCredential(api, await world.sandbox());
				const verify = verificationNode(credential, {
					resource: 'inquiry',
					operation: 'create',
					businessName: 'Pine Tree Dairy',
					businessCity: 'Springfield',
					businessState: 'IL',
				});
				const trigger = node(
					'Business Verification Trigger',
					'n8n-nodes-business-verification.businessVerificationTrigger',
					{ authentication: 'apiKey' },
					{ credentials: verify.credentials },
				);
				const { id } = await api.createWorkflow(chain('Verify', [manualTrigger(), verify]));
				const other = await api.createWorkflow(chain('Hear of the end', [trigger]));
				const editor = await open();
				await editor.openWorkflow(id);
				await editor.openNode(verify.name);
				await shoot('node');
				await editor.openWorkflow(other.id);
				await editor.openNode(trigger.name);
				await shoot('trigger');
			},
		};
	},
};

export default pictures;
