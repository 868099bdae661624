import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictured } from '../../docs/pictured';
import type { Locator } from 'playwright-core';
import { pause } from '../callbacks/calls';
import { outputJson } from '../client';
import { example } from '../examples';
import { Partners, Place } from '../partners/place';
import type { Suite } from '../suite';

const FOLDER = join(__dirname, '..', '..', '..', 'docs', 'pictures');
const MARGIN = 24;

let partners: Partners;

/**
 * The pictures of the documentation, taken again: `npm run e2e -- pictures`. Each shows no more than it is about.
 * What they show of this package is written beside them, and a fast test compares it with the product.
 */
const pictures: Suite = {
	prepare: () => (partners = new Partners()).prepared(),

	checks(world) {
		const { api, browser: open } = world;
		let place: Place;
		let seen = '';
		let verified: object[] = [];
		let imported: object[] = [];

		/** Opened and run by its main button, as a reader does it. */
		const run = async (file: string) => {
			const { nodes } = await place.load(file);
			const workflow = await api.createWorkflow({ ...example(file), nodes });
			const { page } = await open();
			await (await open()).openWorkflow(workflow.id);
			await page.getByTestId('execute-workflow-button').first().click();
			await api.until(`the run of ${file}`, async () => {
				const [last] = await api.executions(workflow.id);
				assert.notEqual(last?.status, 'error');
				return last?.status === 'success';
			});
			const [{ id }] = await api.executions(workflow.id);
			const outputs = await api.execution(id);
			// The marks of success appear one after the other, and a message about it covers what is below.
			await page
				.locator('.el-notification__closeBtn')
				.first()
				.click({ timeout: 5_000 })
				.catch(() => undefined);
			await pause(2_000);
			return outputs;
		};
		/** All of a part, or its upper left corner where the rest is empty. */
		const shoot = async (name: string, part: Locator, corner: Partial<Record<'width' | 'height', number>> = {}) => {
			mkdirSync(FOLDER, { recursive: true });
			const box = (await part.boundingBox())!;
			const clip = { ...box, ...corner };
			await part.page().screenshot({ path: join(FOLDER, `${name}.png`), clip });
		};
		/** What an open node returned, in one of n8n's views. */
		const show = async (view: 'schema' | 'table' | 'json') => {
			await (await open()).outputPanel().getByTestId(`radio-button-${view}`).click();
			await pause(1_000);
		};

		return {
			'a workflow that has run, without the empty canvas around it': async () => {
				place = await Place.furnish(world, partners);
				place.sandbox.switches.ends = 'varied';
				verified = outputJson(await run('verify-business.json'), 'Verify');
				const { page } = await open();
				const boxes = await Promise.all(
					(await page.getByTestId('canvas-node').all()).map((node) => node.boundingBox()),
				);
				const seen = boxes.filter((box) => box !== null);
				const left = Math.min(...seen.map(({ x }) => x)) - MARGIN;
				const top = Math.min(...seen.map(({ y }) => y)) - MARGIN;
				const right = Math.max(...seen.map(({ x, width }) => x + width)) + MARGIN;
				// The name of a node stands below it.
				const bottom = Math.max(...seen.map(({ y, height }) => y + height)) + 2 * MARGIN;
				const clip = { x: left, y: top, width: right - left, height: bottom - top };
				await page.screenshot({ path: join(FOLDER, 'workflow.png'), clip });
			},

			'the node that waits, with its output, and the result alone': async () => {
				const editor = await open();
				const panel = await editor.openNode('Verify');
				await show('schema');
				await shoot('node', panel);
				await editor.page.keyboard.press('Escape');
				await editor.openNode('The result');
				await show('schema');
				await shoot('result', editor.outputPanel(), { height: 312 });
				seen = await editor.outputPanel().innerText();
			},

			'the rows of a sheet with their results': async () => {
				imported = outputJson(await run('sheet-import-offline.json'), 'Import the rows');
				const editor = await open();
				await editor.page.setViewportSize({ width: 1920, height: 900 });
				await editor.openNode('Import the rows');
				await show('table');
				await shoot('sheet-with-results', editor.outputPanel(), { width: 652, height: 620 });
				await editor.page.setViewportSize({ width: 1440, height: 900 });
			},

			'the text that the Slack example sends': async () => {
				partners.slack.messages.length = 0;
				await run('completion-to-slack.json');
				const [{ channel, text }] = partners.slack.messages;
				assert.match(text, /^External ID crm-1: .*\nExternal ID crm-3: /);
				const { page } = await open();
				// Not Slack: what n8n's node sends there. The text is escaped for Slack, as for a page.
				await page.setContent(`<body style="margin: 0; font: 15px sans-serif"><div style="width: 460px; padding: 20px">
					<div style="color: #616061; padding-bottom: 12px">Text that n8n's Slack node sends to ${channel}</div>
					<div style="white-space: pre-wrap; line-height: 1.5; font-family: monospace">${text}</div></div></body>`);
				await shoot('slack-message', page.locator('body > div'));
			},

			'what they show is what the product shows now, and is kept beside them': async () => {
				const texts = pictured({ verified, imported });
				const summary = String((texts['result.png'] as { summary: unknown }).summary);
				assert.ok(seen.includes(summary), `${summary} is not in ${seen}`);
				writeFileSync(join(FOLDER, 'texts.json'), `${JSON.stringify(texts, undefined, 2)}\n`);
			},
		};
	},
};

export default pictures;
