import assert from 'node:assert/strict';
import { outputJson } from '../client';
import { createExample, soon, withValues, writeLeads } from '../examples';
import type { Suite } from '../suite';
import { createKeyCredential } from '../verification';

/** The example workflows of the spreadsheet import. */
const sheetImport: Suite = {
	checks({ api, sandbox, n8n }) {
		let offline = '';
		return {
			'a CSV file becomes a batch, and each row gets its result or its reason': async () => {
				const service = await sandbox();
				service.reset();
				const workflow = await createExample(api, 'sheet-import-offline.json', await createKeyCredential(api, service));
				offline = workflow.id;
				await api.updateWorkflow(offline, { nodes: workflow.nodes.map(soon) });
				const execution = await api.run(offline, 'Start');
				assert.equal(execution.error?.message, undefined);
				assert.deepEqual(
					outputJson(execution, 'Write the results back').map((row) => [
						row['External ID'],
						row['Verification Status'],
						typeof row['Inquiry ID'],
					]),
					['lead-1', 'lead-2', 'lead-3', 'lead-5'].map((id) => [id, 'COMPLETED', 'string']),
				);
				assert.deepEqual(outputJson(execution, 'List the rows to correct'), [
					{
						'External ID': 'lead-4',
						Reason: "Row 5: 'Business Name' or 'Business DBA' is required",
					},
				]);
				assert.deepEqual(
					service.ledger.map(({ kind, count, keys }) => ({ kind, count, keys })),
					[{ kind: 'batch', count: 4, keys: ['lead-1', 'lead-2', 'lead-3', 'lead-5'] }],
				);
			},

			'running it again sends nothing and gives the same results': async () => {
				const service = await sandbox();
				const execution = await api.run(offline, 'Start');
				assert.equal(execution.error?.message, undefined);
				assert.equal(outputJson(execution, 'Write the results back').length, 4);
				assert.equal(service.ledger.count('batch'), 1);
			},

			'the example for large files sums up each batch of a file on disk': async () => {
				const service = await sandbox();
				service.reset();
				const workflow = await createExample(api, 'sheet-import-large.json', await createKeyCredential(api, service));
				const file = writeLeads(n8n.folder, 600);
				const nodes = workflow.nodes.map((each) => soon(withValues(each, { file })));
				// Its settings save no execution, and this one is to be looked at.
				await api.updateWorkflow(workflow.id, {
					nodes,
					settings: { saveManualExecutions: true, saveDataSuccessExecution: 'all' },
				});

				const execution = await api.run(workflow.id, 'Start');
				assert.equal(execution.error?.message, undefined);
				assert.deepEqual(
					outputJson(execution, 'Summary').map(({ Batch, ...counts }) => ({
						Batch: String(Batch).split(' #')[0],
						...counts,
					})),
					[250, 250, 100].map((count, index) => ({
						Batch: `Supplier list ${['1-250', '251-500', '501-600'][index]}`,
						Rows: count,
						Completed: count,
						Partly: 0,
						Failed: 0,
						Done: true,
					})),
				);
			},
		};
	},
};

export default sheetImport;
