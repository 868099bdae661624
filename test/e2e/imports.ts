import assert from 'node:assert/strict';
import type { Credential } from './client';
import type { Sandbox } from './suite';
import { verificationNode } from './verification';
import { chain, manualTrigger, node, type WorkflowBody, type WorkflowNode } from './workflow';

/** How many rows the node sends in a batch unless told otherwise. */
export const ROWS_PER_BATCH = 250;

export const IMPORT = 'Import';

/** The same rows however often it runs, as a sheet would have them. */
const sheetNode = (name: string, rows: number) =>
	node(
		'Sheet',
		'n8n-nodes-base.code',
		{
			jsCode: `return Array.from({ length: ${rows} }, (_, row) => ({ json: {
				'Business Name': 'Business ' + row, City: 'Springfield', State: 'IL', 'External ID': '${name}-' + row } }));`,
		},
		{ typeVersion: 2 },
	);

/** A workflow that imports such a sheet under its own name. */
export const importOf = (
	credential: Credential,
	name: string,
	rows: number,
	options: Record<string, unknown>,
	onError?: WorkflowNode['onError'],
): WorkflowBody =>
	chain(name, [
		manualTrigger(),
		sheetNode(name, rows),
		verificationNode(
			credential,
			{
				resource: 'batch',
				operation: 'submit',
				name,
				sheetOptions: { maxRows: 0 },
				options,
			},
			{ name: IMPORT, ...(onError && { onError }) },
		),
	]);

/** Which rows of the sheet never reached the service, and which more than once. */
export function tally({ ledger }: Sandbox, name: string, rows: number) {
	const times = new Map<unknown, number>();
	for (const { keys = [] } of ledger) for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
	const counts = Array.from({ length: rows }, (_, row) => times.get(`${name}-${row}`) ?? 0);
	assert.equal(times.size, counts.filter((count) => count > 0).length, 'rows arrived that no sheet holds');
	return { lost: counts.filter((count) => count === 0).length, doubled: counts.filter((count) => count > 1).length };
}
