import assert from 'node:assert/strict';
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

const acme = { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' };
const bolt = { businessName: 'Bolt & Sons', businessCity: 'Portland', businessState: 'OR' };

/** The column mapper as a person uses it in the editor. */
const mapper: Suite = {
	checks({ api, host, sandbox, browser: open }) {
		const workflowWith = async (columns: Record<string, unknown>) => {
			const service = await sandbox();
			service.reset();
			const credential = await createKeyCredential(api, service);
			const node = verificationNode(
				credential,
				{ resource: 'batch', operation: 'submit', name: 'March leads', ...columns, dryRun: true },
				{ name: 'Import the rows' },
			);
			return api.createWorkflow(chain('Import', [manualTrigger(), itemsNode(rows, 'Sheet'), node]));
		};

		return {
			'by header: the editor explains it, and a dry run shows what each column means': async () => {
				const { id } = await workflowWith({});
				const editor = await open();
				await editor.openWorkflow(id);
				await editor.openNode('Import the rows');
				await editor.executeNode();
				await editor.outputPanel().getByText('rowsToSend').first().waitFor();
				await editor.picture(`mapper-by-header-${host}`);
			},

			'column by column: every field can be filled, required ones are marked': async () => {
				const { id } = await workflowWith({});
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

			'a mapping made of columns is saved by the editor and followed': async () => {
				const value = {
					businessName: "={{ $json['Business Name'] }}",
					businessCity: '={{ $json.City }}',
					businessState: '={{ $json.State }}',
					tags: 'march',
				};
				const { id } = await workflowWith({
					columnsFrom: 'mapping',
					columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
				});
				await api.updateWorkflow(id, {
					nodes: (await api.workflow(id)).nodes.map((node) => ({
						...node,
						parameters: { ...node.parameters, ...(node.name === 'Import the rows' && { dryRun: false }) },
					})),
				});
				const execution = await api.run(id);
				assert.equal(execution.error?.message, undefined);
				const [{ body }] = (await sandbox()).requests.filter(({ method }) => method === 'POST');
				const { inquiries } = body as { inquiries: Array<Record<string, unknown>> };
				assert.deepEqual(
					inquiries.map(({ externalId: _, ...sent }) => sent),
					[
						// 'Zip' was left empty in the mapping, so its header says what it is.
						{ ...acme, businessZip: '02139', tags: ['march'] },
						{ ...bolt, businessZip: '97201', tags: ['march'] },
					],
				);
			},
		};
	},
};

export default mapper;
