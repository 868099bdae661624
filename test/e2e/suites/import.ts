import assert from 'node:assert/strict';
import { outputJson } from '../client';
import { createExample, soon } from '../examples';
import type { Suite } from '../suite';
import { createKeyCredential } from '../verification';

/** The example workflows of the spreadsheet import. */
const sheetImport: Suite = {
	checks({ api, sandbox }) {
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
					outputJson(execution, 'Import the rows').map((row) => [
						row['External ID'],
						row.verificationStatus,
						typeof row.inquiryId,
						row.verificationProblem,
					]),
					[
						...['lead-1', 'lead-2', 'lead-3'].map((id) => [id, 'COMPLETED', 'string', '']),
						['lead-4', 'not sent', 'string', 'Business Name or a Business DBA is required'],
						['lead-5', 'COMPLETED', 'string', ''],
					],
				);
				assert.deepEqual(
					service.ledger.map(({ kind, count, keys }) => ({ kind, count, keys })),
					[{ kind: 'batch', count: 4, keys: ['lead-1', 'lead-2', 'lead-3', 'lead-5'] }],
				);
			},

			'running it again sends nothing and gives the same results': async () => {
				const service = await sandbox();
				const execution = await api.run(offline, 'Start');
				assert.equal(execution.error?.message, undefined);
				assert.equal(outputJson(execution, 'Import the rows').length, 5);
				assert.equal(service.ledger.count('batch'), 1);
			},
		};
	},
};

export default sheetImport;
