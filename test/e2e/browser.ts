import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, selectors, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { chromium as findChromium } from '../../scripts/machine.mjs';
import { OWNER } from './client';

const PICTURES = resolve(__dirname, '..', '..', '.cache', 'pictures');
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-dev-shm-usage',
];

/** The editor in a real browser, logged in as the owner. */
export class Browser {
	private constructor(
		readonly context: BrowserContext,
		readonly page: Page,
		private readonly url: string,
	) {}

	static async open(url: string): Promise<Browser> {
		const executablePath = findChromium();
		if (executablePath === undefined) throw new Error('No Chromium found: install it, or set CHROMIUM to its path');
		selectors.setTestIdAttribute('data-test-id');
		const program = await chromium.launch({ executablePath, args: FLAGS });
		const context = await program.newContext({
			baseURL: url,
			viewport: { width: 1440, height: 900 },
			reducedMotion: 'reduce',
		});
		context.setDefaultTimeout(180_000);
		// The editor asks public services about packages and news: the answer must not depend on them.
		await context.route(
			({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
			(route) => route.abort(),
		);
		const browser = new Browser(context, await context.newPage(), url);
		await browser.logIn();
		return browser;
	}

	/** n8n binds a session to the id that the editor keeps for this browser. */
	private async logIn() {
		const id = 'e2e-browser';
		await this.context.addInitScript(`localStorage.setItem('n8n-browserId', '${id}')`);
		const answer = await this.context.request.post(`${this.url}/rest/login`, {
			headers: { 'browser-id': id },
			data: { emailOrLdapLoginId: OWNER.email, password: OWNER.password },
		});
		if (!answer.ok()) throw new Error(`The log-in of the browser answered ${answer.status()}`);
	}

	async openWorkflow(id: string) {
		await this.page.goto(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** The panel with a node's fields. */
	async openNode(name: string): Promise<Locator> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		const panel = this.page.getByTestId('ndv');
		await panel.waitFor();
		return panel;
	}

	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`).first();
	}

	/** Chooses from a list. One that is filled by the service closes again if it is opened before its answer is there. */
	async choose(name: string, choice: string | RegExp, load?: () => Promise<unknown>) {
		if (load) {
			const filled = this.page.waitForResponse(async (response) => {
				if (!response.url().includes('/dynamic-node-parameters/') || response.status() !== 200) return false;
				const { data } = await response.json();
				return (Array.isArray(data) ? data : (data?.results ?? [])).length > 0;
			});
			await load();
			await filled;
		}
		await this.field(name).click();
		await this.page.getByRole('option', { name: choice }).first().click();
	}

	/** Runs the open node alone. */
	async executeNode() {
		await this.page.getByTestId('node-execute-button').click();
	}

	outputPanel(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** Writes a picture for a person to look at; nothing is compared. */
	async picture(name: string, page = this.page): Promise<string> {
		mkdirSync(PICTURES, { recursive: true });
		const path = join(PICTURES, `${name}.png`);
		await page.screenshot({ path });
		return path;
	}

	async close() {
		await this.context.browser()?.close();
	}
}
