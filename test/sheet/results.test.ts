import type { Switches } from '../../sandbox';
import { sheet, useWorld, verificationsOf, world } from './importer';

useWorld({ planningMs: 0, runningMs: 50, enrichingMs: 50, batchRowOrder: 'byId' });

const waiting = (name: string) => ({
	more: { name, waitForCompletion: true },
	options: { chunkSize: 3 },
});

it('waits until the batches are done and joins each row to its inquiry by external ID', async () => {
	const rows = sheet(7);
	const run = await world.import({ rows, ...waiting('joined') });
	expect(run.error).toBeUndefined();
	expect(run.items.map(({ json, pairedItem }) => [json['External ID'], pairedItem])).toEqual(
		rows.map((row, item) => [row['External ID'], { item }]),
	);
	expect(verificationsOf(run).map(({ row, externalId, isFinal }) => [row, externalId, isFinal])).toEqual(
		rows.map((row, index) => [index + 1, row['External ID'], true]),
	);
});

it('says so if the batches that were waited for do not show a row', async () => {
	world.sandbox.faults.add({
		...{ method: 'GET', path: /batch-inquiries\/[^/]+\/inquiries$/, skip: 1, times: Infinity },
		body: { total: 0, items: [] },
	});
	const { items } = await world.import({ rows: sheet(4), ...waiting('late') });
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual([
		...Array<string[]>(3).fill(['COMPLETED', '']),
		['sent', 'The service shows no inquiry with its external ID.'],
	]);
});

/** Reads of single inquiries. */
const reads = () => world.sandbox.requests.filter(({ path }) => /^\/v1\/inquiries\/.+/.test(path)).length;

it('matches by the records of the inquiries where neither batches nor lists show external IDs', async () => {
	Object.assign(world.sandbox.switches, { batchRowsExternalId: false, listRowsExternalId: false });
	const run = await world.import({ rows: sheet(4), ...waiting('apart') });
	expect(verificationsOf(run).map(({ externalId, status }) => [externalId, status])).toEqual(
		['crm-1', 'crm-2', 'crm-3', 'crm-4'].map((id) => [id, 'COMPLETED']),
	);
});

it.each<[string, Partial<Switches>]>([
	['an ID of their own beside that of the inquiry', { batchRowsId: 'both' }],
	['the inquiry inside', { batchRowsShape: 'nested' }],
	['the inquiry inside, and snake case', { batchRowsShape: 'snakeCase', batchRowsId: 'inquiryId' }],
])('joins rows that have %s by what they tell, without a read', async (_, switches) => {
	Object.assign(world.sandbox.switches, switches);
	const run = await world.import({ rows: sheet(4), ...waiting('spelled') });
	const ids = ['crm-1', 'crm-2', 'crm-3', 'crm-4'].map((id) => world.sandbox.inquiries.find(id)[0].id);
	expect(run.items.map(({ json }) => [json.inquiryId, json.verificationStatus])).toEqual(
		ids.map((id) => [id, 'COMPLETED']),
	);
});

it('says plainly of a row whose inquiry shows no external ID', async () => {
	Object.assign(world.sandbox.switches, { batchRowsExternalId: false, batchRowsId: 'none' });
	const { items } = await world.import({ rows: sheet(3), ...waiting('unmatched') });
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual(
		Array(3).fill(['sent', 'The service does not return its external ID, so a later run may bill it again.']),
	);
	expect(reads()).toBe(0);
});

it('keeps rows that are sent out of the errors when their results cannot be read, and says what is not known', async () => {
	world.sandbox.switches.lifecycle = 'manual';
	await world.import({ rows: sheet(4), ...waiting('unread'), more: { name: 'unread' } });
	world.sandbox.inquiries.finish(world.sandbox.inquiries.find('crm-1')[0].id);
	world.sandbox.faults.add({ method: 'GET', path: /batch-inquiries\/[^/]+$/, status: 500, times: Infinity });
	const more = { ...waiting('unread').more, waitingOptions: { maxWait: 1 } };
	const run = await world.import({ rows: sheet(4), ...waiting('unread'), more, onError: 'continueErrorOutput' });
	expect(run.failed).toEqual([]);
	const unread =
		"Sent, but the results could not be read (The service returned status 500: The service answers 500). Read them later with 'Batch: Get Inquiries'.";
	expect(run.items.map(({ json }) => json.verificationProblem)).toEqual(['', unread, unread, unread]);
	expect(world.sandbox.ledger.count('batch')).toBe(2);
});

it('says of a row that failed that it did, also where no check is shown, and of one that goes on that it does', async () => {
	Object.assign(world.sandbox.switches, { processStatusesForm: 'counts' });
	world.sandbox.inquiries.outcome('crm-1', 'FAILED');
	world.sandbox.inquiries.outcome('crm-2', 'PARTIAL_SUCCESS');
	const problems = ['The checks gave no result. This says nothing about the business.', '', ''];
	for (const waits of [waiting('ended'), { ...waiting('ended'), more: { name: 'ended' } }]) {
		const run = await world.import({ rows: sheet(3), ...waits });
		expect(run.items.map(({ json }) => json.verificationProblem)).toEqual(problems);
	}
});

it('says that a row goes on, although its batch counts it as done', async () => {
	world.sandbox.faults.add({
		method: 'GET',
		path: /batch-inquiries\/[^/]+$/,
		body: { batchId: 'b', total: 3, completed: 3, failed: 0, inProgress: 0 },
		times: Infinity,
	});
	world.sandbox.switches.lifecycle = 'manual';
	const run = await world.import({ rows: sheet(3), ...waiting('early') });
	expect(run.items.map(({ json }) => json.verificationProblem)).toEqual(
		Array(3).fill('Not finished: run the same import again to wait longer. Nothing is submitted twice.'),
	);
});

it('returns rows that are not finished in time with their status, and the same import waits for them again', async () => {
	world.sandbox.switches.lifecycle = 'manual';
	const run = () =>
		world.import({
			rows: sheet(4),
			more: { name: 'slow', waitForCompletion: true },
			options: { chunkSize: 3, maxWait: 0 },
		});
	const late = await run();
	expect([late.error, late.hints]).toEqual([undefined, ['4 rows were sent and billed: 4 PLANNING.']]);
	expect(late.items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual(
		Array(4).fill(['PLANNING', 'Not finished: run the same import again to wait longer. Nothing is submitted twice.']),
	);
	const [first, second] = world.sandbox.ledger;
	world.sandbox.inquiries.finishBatch(first.id, 'COMPLETED');
	world.sandbox.inquiries.finishBatch(second.id, 'FAILED');
	const statuses = (await run()).items.map(({ json }) => json.verificationStatus);
	expect(statuses).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED']);
	expect(world.sandbox.ledger.count('batch')).toBe(2);
});

it('does not hold other runs of the import while it waits', async () => {
	world.sandbox.switches.lifecycle = 'manual';
	const first = world.import({ rows: sheet(2), more: { name: 'held', waitForCompletion: true } });
	while (world.sandbox.ledger.count('batch') === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	const second = await world.import({ rows: sheet(2), more: { name: 'held' } });
	expect(verificationsOf(second)[0].reused).toBe(true);
	world.sandbox.inquiries.finishBatch(world.sandbox.ledger[0].id, 'COMPLETED');
	expect(verificationsOf(await first)[0].status).toBe('COMPLETED');
});
