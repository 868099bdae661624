import assert from 'node:assert/strict';
import type { Sandbox, Suite, World } from '../suite';
import { createKeyCredential, verificationNode } from '../verification';
import { chain, manualTrigger, node } from '../workflow';

const latencyMs = 250;
const concurrency = 4;
/** Longer than a restart of n8n may take: the next run then asks before the list shows what was sent. */
const lateListingMs = 30_000;

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

/** A spreadsheet import is killed at any moment and run again: every row is submitted exactly once. */
const kill: Suite = {
	checks(world) {
		const { runs = 3, rows = 1_500 } = world.size;
		return Object.fromEntries(
			Array.from({ length: runs }, (_, run) => {
				const listsLate = run % 3 === 2;
				const what = `kill ${run + 1} of ${runs}, ${rows} rows${listsLate ? ', batches listed late' : ''}: every row once, none lost`;
				return [what, () => killAndRunAgain(world, `kill-${run + 1}`, rows, listsLate)];
			}),
		);
	},
};

async function killAndRunAgain({ api, n8n, sandbox }: World, name: string, rows: number, listsLate: boolean) {
	const service = await sandbox();
	service.reset();
	Object.assign(service.switches, { latencyMs, batchListDelayMs: listsLate ? lateListingMs : 0 });
	const credential = await createKeyCredential(api, service);
	const importNode = (options: Record<string, unknown>) =>
		verificationNode(
			credential,
			{
				resource: 'batch',
				operation: 'submit',
				name,
				outputPer: 'batch',
				options: { concurrency, lookupGrace: 1, ...options },
			},
			{ name: 'Import' },
		);
	const nodes = (options: Record<string, unknown> = {}) =>
		chain(name, [manualTrigger(), sheetNode(name, rows), importNode(options)]);
	const { id } = await api.createWorkflow(nodes());

	await api.startRun(id);
	await api.until('the import to look for its batches', 30_000, async () => service.requests.total > 0);
	const batches = Math.ceil(rows / 250);
	const rounds = 2 + Math.ceil(batches / concurrency);
	await new Promise((resolve) => setTimeout(resolve, Math.random() * rounds * latencyMs));
	await n8n.kill();
	const sentBefore = service.ledger.count('batch');
	await n8n.launch();

	if (listsLate) await api.updateWorkflow(id, nodes({ lookupGrace: lateListingMs / 1000 }));
	const execution = await api.ended(await api.startRun(id), 120_000);
	assert.equal(execution.error?.message, undefined);
	assert.equal(execution.status, 'success');
	const { lost, doubled } = tally(service, name, rows);
	console.log(
		`    ${sentBefore} of ${batches} batches were processed when n8n was gone; in the end ${doubled} rows doubled, ${lost} lost`,
	);
	assert.deepEqual({ lost, doubled, batches: service.ledger.count('batch') }, { lost: 0, doubled: 0, batches });
}

function tally({ ledger }: Sandbox, name: string, rows: number) {
	const times = new Map<unknown, number>();
	for (const { keys = [] } of ledger) for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
	const counts = Array.from({ length: rows }, (_, row) => times.get(`${name}-${row}`) ?? 0);
	assert.equal(times.size, counts.filter((count) => count > 0).length, 'rows arrived that no sheet holds');
	return { lost: counts.filter((count) => count === 0).length, doubled: counts.filter((count) => count > 1).length };
}

export default kill;
