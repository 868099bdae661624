import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, outputJson } from '../client';
import type { Suite } from '../suite';
import { createKeyCredential, KEY_TYPE, PACKAGE } from '../verification';
import type { WorkflowBody } from '../workflow';

const examples = join(__dirname, '..', '..', '..', 'examples');

/** An example as a reader imports it; only the credential is chosen. */
async function imported(api: Client, file: string, credential: { id: string; name: string }) {
	const workflow = JSON.parse(readFileSync(join(examples, file), 'utf8')) as WorkflowBody;
	for (const node of workflow.nodes) {
		if (node.type === `${PACKAGE}.businessVerification`) node.credentials = { [KEY_TYPE]: { id: credential.id, name: credential.name } };
	}
	return api.createWorkflow(workflow);
}

/** The example workflows of the spreadsheet import. */
const sheetImport: Suite = {
	checks({ api, sandbox }) {
		let offline = '';
		return {
			'a CSV file becomes a batch, and each row gets its result or its reason': async () => {
				const service = await sandbox();
				service.reset();
				const workflow = await imported(api, 'sheet-import-offline.json', await createKeyCredential(api, service));
				offline = workflow.id;
				const execution = await api.run(offline, 'Start');
				assert.equal(execution.error?.message, undefined);
				assert.deepEqual(
					outputJson(execution, 'Results').map((row) => [row['External ID'], row.Status, typeof row['Inquiry ID']]),
					['lead-1', 'lead-2', 'lead-3', 'lead-5'].map((id) => [id, 'COMPLETED', 'string']),
				);
				assert.deepEqual(outputJson(execution, 'Rows to correct'), [
					{ 'External ID': 'lead-4', Reason: "Row 4: 'Business Name' is required unless a DBA is given [item 3]" },
				]);
				assert.deepEqual(service.ledger.map(({ kind, count, keys }) => ({ kind, count, keys })), [
					{ kind: 'batch', count: 4, keys: ['lead-1', 'lead-2', 'lead-3', 'lead-5'] },
				]);
			},

			'running it again sends nothing and gives the same results': async () => {
				const service = await sandbox();
				const execution = await api.run(offline, 'Start');
				assert.equal(execution.error?.message, undefined);
				assert.equal(outputJson(execution, 'Results').length, 4);
				assert.equal(service.ledger.count('batch'), 1);
			},

			'the other examples are accepted as they are': async () => {
				const credential = await createKeyCredential(api, await sandbox());
				for (const file of ['sheet-import.json', 'sheet-import-large.json']) {
					const { id } = await imported(api, file, credential);
					const known = new Set((await api.nodeTypes()).map(({ name }) => name));
					const { nodes } = await api.workflow(id);
					assert.deepEqual(nodes.map(({ type }) => type).filter((type) => !known.has(type)), [], file);
				}
			},
		};
	},
};

export default sheetImport;
