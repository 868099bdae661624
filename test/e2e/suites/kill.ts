import assert from 'node:assert/strict';
import { importOf, ROWS_PER_BATCH, tally } from '../imports';
import type { Suite, World } from '../suite';
import { createKeyCredential } from '../verification';

const latencyMs = 250;
const concurrency = 4;
/** Longer than a restart of n8n may take: the next run then asks before the list shows what was sent. */
const lateListingMs = 30_000;

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
	const workflow = (lookUpWait = 1) => importOf(credential, name, rows, { advanced: { concurrency, lookUpWait } });
	const { id } = await api.createWorkflow(workflow());

	await api.startRun(id);
	await api.until('the import to look for its batches', async () => service.requests.total > 0);
	const batches = Math.ceil(rows / ROWS_PER_BATCH);
	const rounds = 2 + Math.ceil(batches / concurrency);
	await new Promise((resolve) => setTimeout(resolve, Math.random() * rounds * latencyMs));
	await n8n.kill();
	const sentBefore = service.ledger.count('batch');
	await n8n.launch();

	if (listsLate) await api.updateWorkflow(id, workflow(lateListingMs / 1000));
	// Where batches are listed late it waits for the list before, between and after.
	const execution = await api.ended(await api.startRun(id));
	assert.equal(execution.error?.message, undefined);
	assert.equal(execution.status, 'success');
	const { lost, doubled } = tally(service, name, rows);
	console.log(
		`    ${sentBefore} of ${batches} batches were processed when n8n was gone; in the end ${doubled} rows doubled, ${lost} lost`,
	);
	assert.deepEqual({ lost, doubled, batches: service.ledger.count('batch') }, { lost: 0, doubled: 0, batches });
}

export default kill;
