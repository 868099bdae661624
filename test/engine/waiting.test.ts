import { credential, sandbox, useSandbox } from '../harness/sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';

const business = { businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL' };
const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const requests = (path: RegExp) => sandbox.requests.filter(({ path: asked }) => path.test(asked));

useSandbox();
beforeEach(() => {
	sandbox.switches.lifecycle = 'manual';
});

/** Does something in the service after so many reads of one inquiry. */
async function afterReads(count: number, act: () => void): Promise<void> {
	while (requests(/^\/v1\/inquiries\/./).length < count) await new Promise((resolve) => setTimeout(resolve, 5));
	act();
}

it('waits through ENRICHING, and through a status nobody knows', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'ENRICHING' });
	const waiting = runNode({
		parameters: { resource: 'inquiry', operation: 'wait', inquiryId: byId, waitingOptions: { pollInterval: 1 } },
		credential: credential(),
		items: [{ id }],
	});
	await afterReads(2, () => sandbox.inquiries.finish(id, 'PARTIAL_SUCCESS'));
	const { items } = await waiting;
	expect(items[0].json).toMatchObject({ id, status: 'PARTIAL_SUCCESS', isFinal: true });
});

it('creates, waits and outputs the final inquiries, all of them together', async () => {
	sandbox.switches.lifecycle = 'clock';
	Object.assign(sandbox.switches, { planningMs: 100, runningMs: 100, enrichingMs: 100, clusteringMs: 0 });
	const { items } = await runNode({
		parameters: {
			resource: 'inquiry',
			operation: 'create',
			...business,
			waitForCompletion: true,
			waitingOptions: { pollInterval: 1 },
			options: { advanced: { concurrency: 2 } },
		},
		credential: credential(),
		items: Array.from({ length: 12 }, (_, index) => ({ name: `Business ${index}` })),
	});
	expect(items.map(({ json }) => json.isFinal)).toEqual(Array(12).fill(true));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array.from({ length: 12 }, (_, item) => ({ item })));
	expect(sandbox.ledger.count('inquiry')).toBe(12);
});

it('does not take the stale completion of an inquiry for the new one after a principal was added', async () => {
	sandbox.switches.lifecycle = 'clock';
	Object.assign(sandbox.switches, {
		rerunDelayMs: 1500,
		planningMs: 100,
		runningMs: 300,
		enrichingMs: 100,
		clusteringMs: 0,
	});
	const [id] = sandbox.inquiries.seed(1, { status: 'COMPLETED' });
	const before = sandbox.inquiries.get(id).completedAt;
	const { items } = await runNode({
		parameters: {
			resource: 'inquiry',
			operation: 'addPrincipal',
			inquiryId: byId,
			lastName: 'Smith',
			waitForCompletion: true,
			waitingOptions: { pollInterval: 1 },
		},
		credential: credential(),
		items: [{ id }],
	});
	expect(items[0].json).toMatchObject({
		inquiryId: id,
		inquiry: { status: 'COMPLETED', isFinal: true, restartSeen: true },
	});
	expect(sandbox.inquiries.get(id).completedAt).not.toBe(before);
});

it('stops at once when the execution is canceled', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	let cancel = () => {};
	const waiting = runNode({
		parameters: { resource: 'inquiry', operation: 'wait', inquiryId: byId, waitingOptions: { pollInterval: 3600 } },
		credential: credential(),
		items: [{ id }],
		started: (running) => (cancel = running.cancel),
	});
	await afterReads(1, () => cancel());
	const { error } = await waiting;
	expect([error?.message, error?.description, error?.context]).toEqual([
		'The execution was canceled',
		'Try again later.',
		{ kind: 'service' },
	]);
});

it.each([401, 403, 400])('a wait without time that is refused with %i fails with that reason', async (status) => {
	const ids = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	sandbox.faults.add({ path: `/v1/inquiries/${ids[0]}`, status, times: Infinity });
	const waitingOptions = { maxWait: 0, onTimeout: 'lastState' };
	const { items, failed } = await runNode({
		parameters: { resource: 'inquiry', operation: 'wait', inquiryId: byId, waitingOptions },
		credential: credential(),
		items: ids.map((id) => ({ id })),
		onError: 'continueErrorOutput',
	});
	expect(failed.map(({ json }) => json.error)).toMatchObject([{ httpCode: status, itemIndex: 0 }]);
	expect(items).toMatchObject([{ json: { timedOut: true }, pairedItem: { item: 1 } }]);
});

it('waits for a batch until its finished inquiries add up', async () => {
	const batch = sandbox.inquiries.seedBatch('March', 3, { status: 'ENRICHING' });
	const waiting = runNode({
		parameters: {
			resource: 'batch',
			operation: 'wait',
			batchId: { __rl: true, mode: 'id', value: batch },
			waitingOptions: { pollInterval: 1 },
		},
		credential: credential(),
	});
	while (requests(/batch-inquiries/).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
	sandbox.inquiries.finishBatch(batch, 'PARTIAL_SUCCESS');
	const { items } = await waiting;
	expect(items[0].json).toMatchObject({ batchId: batch, isFinal: true, donePercent: 100, partialSuccess: 3 });
});

it('a batch that takes too long fails its item, and says how to go on', async () => {
	const slow = sandbox.inquiries.seedBatch('March', 3, { status: 'RUNNING' });
	const done = sandbox.inquiries.seedBatch('April', 3, { status: 'RUNNING' });
	sandbox.inquiries.finishBatch(done, 'COMPLETED');
	const { items, failed } = await runNode({
		parameters: {
			resource: 'batch',
			operation: 'wait',
			batchId: '={{ $json.batch }}',
			waitingOptions: { pollInterval: 1, maxWait: 0 },
		},
		credential: credential(),
		items: [{ batch: slow }, { batch: done }],
		onError: 'continueErrorOutput',
	});
	expect(items.map(({ json }) => json.batchId)).toEqual([done]);
	expect(failed[0].json.error).toMatchObject({
		message: `Batch ${slow} did not finish within 0 minutes`,
		description: "Do not submit it again: run 'Batch: Wait' with this ID for the result.",
		id: slow,
	});
});

it('a batch of which the service took nothing is never done, and is not 100 %', async () => {
	const submit = async (batchTakes: 'all' | 'none') => {
		sandbox.switches.batchTakes = batchTakes;
		const inquiries = [{ businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' }];
		const answer = await fetch(`${sandbox.url}/v1/batch-inquiries/`, {
			method: 'POST',
			headers: { authorization: `Bearer ${sandbox.organization.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ name: batchTakes, inquiries }),
		});
		return ((await answer.json()) as { batchId: string }).batchId;
	};
	sandbox.switches.lifecycle = 'clock';
	const given = [{ batch: await submit('none') }, { batch: await submit('all') }];
	sandbox.clock.advance(3_600_000);
	const { items } = await runNode({
		parameters: {
			resource: 'batch',
			operation: 'wait',
			batchId: '={{ $json.batch }}',
			waitingOptions: { pollInterval: 1, maxWait: 0.01, onTimeout: 'lastState' },
		},
		credential: credential(),
		items: given,
	});
	expect(items.map(({ json }) => [json.batchName, json.total, json.isFinal, json.donePercent])).toEqual([
		['none', 0, false, 0],
		['all', 1, true, 100],
	]);
});

it('waits on while the service is away for longer than three checks', async () => {
	hurry();
	const ids = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const waiting = runNode({
		parameters: { resource: 'inquiry', operation: 'wait', inquiryId: byId, waitingOptions: { pollInterval: 1 } },
		credential: credential(),
		items: ids.map((id) => ({ id })),
	});
	sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/./, skip: 2, times: 60, status: 503 });
	await afterReads(64, () => ids.forEach((id) => sandbox.inquiries.finish(id)));
	const { items, error } = await waiting;
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.status)).toEqual(Array(2).fill('COMPLETED'));
});
