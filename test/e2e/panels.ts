import assert from 'node:assert/strict';
import { resources } from '../../nodes/BusinessVerification/operations';
import { rows } from '../contract/rows';
import type { Browser } from './browser';
import type { Checks, World } from './suite';
import { createKeyCredential, PACKAGE, verificationNode } from './verification';
import { chain, manualTrigger, node } from './workflow';

const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => ({ resource, operation, title: `${resource}.${operation}` })),
);
const triggers = ['businessVerificationTrigger', 'businessVerificationSellerTrigger'];
const credentials = ['Business Verification API', 'Business Verification JWT API', 'Business Verification OAuth2 API'];
/** What a person reads must not be what a program wrote for itself. */
function readable(text: string, title: string): void {
	const [found] = /\{\{|\bundefined\b|\[object |\bNaN\b|\b(ndv|nodeView|credentialEdit)\.\w+/.exec(text) ?? [];
	assert.equal(found, undefined, `${title} shows '${found}'`);
}

/** Labels of the fields that n8n marks because they have to be filled. */
async function marked({ page }: Browser): Promise<string[]> {
	const fields = page.getByTestId('ndv').getByTestId('parameter-item');
	const missing = await fields.filter({ has: page.getByTestId('parameter-issues') }).all();
	const labels = await Promise.all(missing.map((field) => field.locator('label').first().innerText()));
	return labels.map((label) => label.split('\n')[0]);
}

/** Every panel as a person sees it, in a real browser; the pictures are for people to look at. */
export function panelChecks({ api, host, sandbox, browser: open }: World): Checks {
	const everyNode = async () => {
		const credential = await createKeyCredential(api, await sandbox());
		const nodes = operations.map(({ resource, operation, title }, index) => ({
			...verificationNode(credential, { resource, operation }, { name: title }),
			position: [(index % 8) * 240, Math.floor(index / 8) * 200] as [number, number],
		}));
		const { credentials } = verificationNode(credential, {});
		const starts = triggers.map((type, index) => ({
			...node(type, `${PACKAGE}.${type}`, { authentication: 'apiKey' }, { typeVersion: 1, credentials }),
			position: [index * 240, 900] as [number, number],
		}));
		return api.createWorkflow({ name: 'Every panel', nodes: [...starts, ...nodes], connections: {}, settings: {} });
	};

	/** In both themes, of an n8n that follows the system's. */
	const pictures = async (editor: Browser, name: string) => {
		for (const colorScheme of ['dark', 'light'] as const) {
			await editor.page.emulateMedia({ colorScheme });
			await editor.picture(`${name}-${colorScheme}-${host}`);
		}
	};

	return {
		'every operation and both triggers read well, and mark what they need': async () => {
			const { id } = await everyNode();
			const editor = await open();
			// High enough for a whole panel.
			await editor.page.setViewportSize({ width: 1440, height: 1500 });
			await editor.openWorkflow(id);
			const marks: Record<string, string[]> = {};
			for (const name of [...triggers, ...operations.map(({ title }) => title)]) {
				const panel = await editor.openNode(name);
				await panel.locator('label:visible').first().waitFor();
				readable(await panel.innerText(), name);
				marks[name] = await marked(editor);
				await pictures(editor, `panel-${name}`);
				await editor.page.keyboard.press('Escape');
				await panel.waitFor({ state: 'hidden' });
			}
			for (const name of triggers) assert.deepEqual([name, marks[name]], [name, []]);
			for (const [name, row] of Object.entries(rows)) assert.deepEqual([name, marks[name]], [name, row.marks]);
		},

		'each credential reads well': async () => {
			const editor = await open();
			for (const name of credentials) {
				await editor.page.goto('/home/credentials/create');
				const choice = editor.page.getByTestId('new-credential-type-select');
				await choice.click();
				await editor.page.keyboard.type(name);
				await editor.page.getByRole('option', { name }).first().click();
				await editor.page.getByTestId('new-credential-type-button').click();
				const form = editor.page.getByRole('dialog').last();
				await form.getByText('Base URL').first().waitFor();
				const shown = await form.innerText();
				readable(shown, name);
				// n8n shows its own fields of OAuth2 first.
				const [first] = shown.match(/Base URL|Grant Type|API Key|Access Token/) ?? [];
				assert.equal(first, /OAuth2/.test(name) ? 'Grant Type' : 'Base URL', `the first field of ${name}`);
				await pictures(editor, `credential-${name.replace(/ /g, '-')}`);
			}
			await editor.page.setViewportSize({ width: 1440, height: 900 });
		},

		'the cost, what is needed and what else can be added are in sight without scrolling': async () => {
			const credential = await createKeyCredential(api, await sandbox());
			const verify = verificationNode(credential, { resource: 'inquiry', operation: 'create', externalId: 'crm-1' });
			const { id } = await api.createWorkflow(chain('Fold', [manualTrigger(), verify]));
			const editor = await open();
			await editor.page.setViewportSize({ width: 1440, height: 900 });
			await editor.openWorkflow(id);
			const panel = await editor.openNode(verify.name);
			for (const text of ['Each item is billed', "Fill in this or 'Business DBA'", 'Additional Fields']) {
				const box = (await panel.getByText(text).first().boundingBox())!;
				assert.ok(box.y > 0 && box.y + box.height < 880, `'${text}' is at ${box.y}`);
			}
		},

		'an import whose columns are mapped by hand loads the fields to map': async () => {
			const credential = await createKeyCredential(api, await sandbox());
			const parameters = { resource: 'batch', operation: 'submit', name: 'March leads' };
			const imported = verificationNode(credential, parameters, { name: 'Import' });
			const { id } = await api.createWorkflow(chain('Mapping', [manualTrigger(), imported]));
			const editor = await open();
			await editor.openWorkflow(id);
			const panel = await editor.openNode('Import');
			const filled = editor.page.waitForResponse((response) => response.url().includes('/resource-mapper-fields'));
			await editor.choose('columnsFrom', 'Map Manually');
			await filled;
			for (const label of ['Business Name', 'City', 'State']) {
				const field = panel.getByText(label, { exact: true }).first();
				await field.scrollIntoViewIfNeeded();
				await field.waitFor();
			}
			await pictures(editor, 'mapping');
		},
	};
}
