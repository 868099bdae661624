import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { sellerCredential } from '../callbacks/receiver';
import { OWNER } from '../client';
import { loadExamples } from '../stories/place';
import type { Suite } from '../suite';

const README = readFileSync(join(__dirname, '..', '..', '..', 'README.md'), 'utf8');

interface Step {
	/** What is printed in bold: one click for each. */
	clicks: string[];
	/** What is printed as code: it has to be seen after them. */
	seen: string[];
}

/** The numbered steps below a heading of the README: nothing else is done. */
function stepsBelow(heading: string): Step[] {
	const [, text] = README.split(`${heading}\n`);
	const lines = text.split(/\n#+ /)[0].match(/^\d+\. .*(?:\n {3}.*)*/gm) ?? [];
	return lines.map((line) => ({
		clicks: [...line.replace(/\s+/g, ' ').matchAll(/\*\*(.+?)\*\*/g)].map(([, label]) => label),
		seen: [...line.matchAll(/`(.+?)`/g)].map(([, what]) => what),
	}));
}

/** Where a person who reads this word would click: a node of the canvas, a button, or the word itself. */
async function click(page: Page, label: string) {
	const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${label}"]`);
	// A trigger on the canvas has a button of the same name, before that of the editor.
	const button = page.getByRole('button', { name: label }).last();
	const text = page.getByText(label, { exact: true }).first();
	await node.or(button).or(text).first().waitFor();
	if (await node.isVisible()) await node.dblclick();
	else if (await button.isVisible()) await button.click();
	else await text.click();
}

async function logIn(page: Page, url: string) {
	await page.goto(`${url}/signin`);
	await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').first().fill(OWNER.email);
	await page.locator('input[type="password"]').first().fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByText('Verify the businesses of a CSV file').first().waitFor();
}

/** Somebody who has never seen it has two stories running within ten minutes, by the README alone. */
const tenMinutes: Suite = {
	checks(world) {
		const { api, n8n, browser: open } = world;
		let page: Page;
		const begun = Date.now();
		const walk = async (heading: string) => {
			const steps = stepsBelow(heading);
			await page.goto(`${n8n.url}/home/workflows`);
			let clicks = 0;
			for (const step of steps) {
				for (const label of step.clicks) {
					await click(page, label);
					clicks += 1;
				}
				for (const what of step.seen) await seen(page.getByText(what).first());
				await (await open()).picture(`ten-minutes-${heading.replace(/\W+/g, '-')}-${clicks}`, page);
			}
			console.log(`    ${clicks} clicks`);
			return clicks;
		};
		const seen = (what: Locator) => what.waitFor({ timeout: 60_000 });
		return {
			'log in, and all the workflows of the demo are there': async () => {
				const sandbox = await world.sandbox();
				sandbox.switches.ends = 'varied';
				await loadExamples({ api, n8n, sandbox }, [await sellerCredential(world)]);
				const { context } = await open();
				const fresh = await context.browser()!.newContext({ viewport: { width: 1440, height: 900 } });
				page = await fresh.newPage();
				await logIn(page, n8n.url);
			},
			'a file of businesses, in at most five clicks': async () => {
				assert.ok((await walk('### A file of businesses')) <= 5);
			},
			'records of a CRM, in at most five clicks': async () => {
				assert.ok((await walk('### Records of a CRM')) <= 5);
			},
			'and all of it in ten minutes': async () => {
				assert.ok(Date.now() - begun < 600_000);
			},
		};
	},
};

export default tenMinutes;
