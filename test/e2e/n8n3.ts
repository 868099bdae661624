import assert from 'node:assert/strict';
import { example, exampleFiles, withCredentials } from './examples';
import type { Checks, World } from './suite';
import { createKeyCredential, KEY_TYPE, keyData } from './verification';

/** What n8n 3 removes or changes, as the report that n8n itself shows before the update tells it. */
export const n8n3Checks = ({ api, sandbox }: World): Checks => ({
	"n8n's report of breaking changes finds nothing in the examples, and the settings of 3 are in force": async () => {
		const service = await sandbox();
		const credential = await createKeyCredential(api, service);
		for (const { nodes, ...workflow } of exampleFiles().map(example))
			await api.createWorkflow({ ...workflow, nodes: nodes.map((node) => withCredentials(node, [credential])) });
		const { report } = await api.get('/rest/breaking-changes/report?version=v3');
		assert.deepEqual(report.workflowResults, []);
		assert.deepEqual(
			report.instanceResults.map(({ ruleId }: { ruleId: string }) => ruleId).sort(),
			// The list of addresses is extended by name, and the other is a menu entry of the editor.
			['ssrf-default-blocked-ranges-v3', 'workflow-import-url-removed-v3'],
		);
	},

	'a service on a private address that the operator did not name is refused with a reason': async () => {
		const service = await sandbox();
		const baseUrl = service.url.replace('127.0.0.1', '[::1]');
		const credential = await api.createCredential('Private', KEY_TYPE, { ...keyData(service), baseUrl });
		service.requests.clear();
		const { status, message } = await api.testCredential(credential);
		assert.equal(status, 'Error');
		assert.match(message, /^The request was blocked because it resolves to a restricted IP address/);
		assert.match(message, /The target ::1 is not allowed\..*ask your n8n administrator/);
		assert.equal(service.requests.length, 0);
	},
});
