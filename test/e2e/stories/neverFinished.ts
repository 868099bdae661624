import assert from 'node:assert/strict';
import { outputJson } from '../client';
import { example, ready } from '../examples';
import type { WorkflowBody, WorkflowNode } from '../workflow';
import { mainTrigger, type Place } from './place';

/** By file, the examples that wait without another account, and the nodes that must not run before there is a result. */
export const afterResult: Record<string, string[]> = {
	'verify-business.json': ['The result'],
	'crm-verification.json': ['Create the table', 'Write the result to the record'],
	'human-approval.json': ['Ask a person', 'Create the audit table', 'Write the audit line'],
	'portfolio-recheck.json': ['Write to the portfolio', 'Report the changes'],
};

/** Of rows, the one that comes back says so itself. */
export const rowsOf: Record<string, string> = { 'sheet-import-offline.json': 'Import the rows' };

/** The example with records that no other run has submitted, as if all of *Max Wait* had passed. */
function late(file: string): WorkflowBody {
	const fresh = JSON.stringify(example(file))
		.replaceAll(/(crm|app|lead)-(?=\d)/g, 'late-$1-')
		.replaceAll('March leads', 'Late leads');
	const { nodes, ...workflow } = JSON.parse(fresh) as WorkflowBody;
	return { ...workflow, name: `${workflow.name}, late`, nodes: nodes.map(withoutPatience) };
}

function withoutPatience(node: WorkflowNode): WorkflowNode {
	if (node.parameters.waitForCompletion !== true) return node;
	return { ...node, parameters: { ...node.parameters, waitingOptions: { maxWait: 0 } } };
}

async function playedLate({ api, credentials }: Place, file: string) {
	const { nodes, ...workflow } = late(file);
	const chosen = nodes.map((node) => ready(node, credentials));
	const { id } = await api.createWorkflow({ ...workflow, nodes: chosen });
	return await api.ended(await api.startRun(id, mainTrigger({ nodes: chosen })));
}

/** No record is written and no message says a result: the execution fails, and says how to get the result. */
export async function failsWithoutResult(place: Place, file: string): Promise<void> {
	const { status, error, runs } = await playedLate(place, file);
	assert.equal(status, 'error', file);
	assert.match(String(error?.message), /did not finish within 0 minutes/, file);
	for (const name of afterResult[file]) assert.equal(runs[name], undefined, `${file}: ${name}`);
}

export async function saysNotFinished(place: Place, file: string): Promise<void> {
	const execution = await playedLate(place, file);
	const rows = outputJson(execution, rowsOf[file]).filter(({ inquiryId }) => inquiryId !== '');
	assert.ok(rows.length > 0);
	for (const { verificationProblem } of rows) assert.match(String(verificationProblem), /not finished/i, file);
}
