import type { Suite } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger } from '../workflow';

const rows = [
	{
		'Business Name': 'Acme Trading LLC',
		City: 'Springfield',
		State: 'IL',
		Zip: 2139,
		'Principal 1 Last Name': 'Moore',
		Notes: 'call back',
	},
	{ 'Business Name': 'Bolt & Sons', City: 'Portland', State: 'OR', Zip: 97201, 'Principal 1 Last Name': '', Notes: '' },
];

/** The column mapper as a person uses it in the editor. */
const mapper: Suite = {
	checks({ api, host, sandbox, browser: open }) {
		const aDryRun = async () => {
			const service = await sandbox();
			service.reset();
			const credential = await createKeyCredential(api, service);
			const node = verificationNode(
				credential,
				{ resource: 'batch', operation: 'submit', name: 'March leads', dryRun: true },
				{ name: 'Import the rows' },
			);
			return api.createWorkflow(chain('Import', [manualTrigger(), itemsNode(rows, 'Sheet'), node]));
		};

		return {
			'by header: the editor explains it, and a dry run shows what each column means': async () => {
				const { id } = await aDryRun();
				const editor = await open();
				await editor.openWorkflow(id);
				await editor.openNode('Import the rows');
				await editor.executeNode();
				await editor.outputPanel().getByText('would be sent').first().waitFor();
				await editor.picture(`mapper-by-header-${host}`);
			},

			'column by column: every field can be filled, required ones are marked': async () => {
				const { id } = await aDryRun();
				const editor = await open();
				await editor.openWorkflow(id);
				const panel = await editor.openNode('Import the rows');
				const filled = editor.page.waitForResponse((response) => response.url().includes('/resource-mapper-fields'));
				await editor.choose('columnsFrom', 'Map Manually');
				await filled;
				await panel.getByText('City', { exact: true }).first().waitFor();
				await editor.picture(`mapper-by-column-${host}`);
				await panel.getByText('City', { exact: true }).first().scrollIntoViewIfNeeded();
				await editor.picture(`mapper-by-column-fields-${host}`);
			},
		};
	},
};

export default mapper;
