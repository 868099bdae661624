import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../callbacks/calls';
import { createExample } from '../examples';
import type { Suite } from '../suite';
import { createKeyCredential } from '../verification';

const FOLDER = join(__dirname, '..', '..', '..', 'docs', 'pictures');

/** The pictures of the documentation, made anew: `npm run e2e -- pictures`. */
const pictures: Suite = {
	checks({ api, sandbox, browser: open }) {
		return {
			'a workflow that has run, for the README': async () => {
				const credential = await createKeyCredential(api, await sandbox());
				const { id } = await createExample(api, 'sheet-import-offline.json', credential);
				const editor = await open();
				await editor.openWorkflow(id);
				await editor.page.getByTestId('execute-workflow-button').first().click();
				await api.until('the run', 60_000, async () => (await api.executions(id))[0]?.status === 'success');
				// The marks of success appear one after the other.
				await pause(3000);
				mkdirSync(FOLDER, { recursive: true });
				await editor.page.screenshot({ path: join(FOLDER, 'import-a-file.png') });
			},
		};
	},
};

export default pictures;
