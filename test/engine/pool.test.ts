import fc from '../harness/seed';
import { credential, sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

describe('items through the node', () => {
	useSandbox();
	const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const get = { resource: 'inquiry', operation: 'get', inquiryId };

	const isGone = (kind: string) => kind.startsWith('gone');

	it('come out in the order of the input and paired to it, however late each is answered', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 12 }),
				fc.array(fc.constantFrom('fast', 'slow', 'slower', 'gone', 'gone late'), { minLength: 1, maxLength: 20 }),
				async (concurrency, kinds) => {
					sandbox.reset();
					const ids = sandbox.inquiries.seed(kinds.length);
					kinds.forEach((kind, index) => {
						if (isGone(kind)) sandbox.inquiries.vanish(ids[index]);
						if (!['fast', 'gone'].includes(kind))
							sandbox.faults.add({ path: `/v1/inquiries/${ids[index]}`, delayMs: kind === 'slow' ? 5 : 15 });
					});
					const { items, hints } = await runNode({
						parameters: { ...get, options: { advanced: { concurrency } } },
						credential: credential(),
						items: ids.map((id) => ({ id })),
						onError: 'continueRegularOutput',
					});
					expect(items.map(({ json }) => ('error' in json ? 'gone' : json.id))).toEqual(
						kinds.map((kind, index) => (isGone(kind) ? 'gone' : ids[index])),
					);
					// The first in their order, not in time.
					const [first] = kinds.flatMap((kind, index) => (isGone(kind) ? index + 1 : []));
					if (first !== undefined && kinds.length > 1)
						expect(hints).toEqual([
							expect.stringMatching(
								`^${kinds.filter(isGone).length} of ${kinds.length} items failed: .*item ${first} of ${kinds.length}\\)\\.$`,
							),
						]);
					expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
					expect(sandbox.requests.peakInFlight).toBeLessThanOrEqual(concurrency);
				},
			),
			{ numRuns: 25 },
		);
	});

	it('use the places they are given: without a setting 8 to submit, and 32 to read', async () => {
		const ids = sandbox.inquiries.seed(80);
		const items = ids.map((id) => ({ id }));
		const submit = { ...newInquiry, businessName: '={{ $json.id }}' };
		// So many requests have to be in flight at once, or none of them is answered.
		const demand = (together: number) => sandbox.faults.add({ path: /inquiries/, together, times: together });
		for (const [parameters, expected] of [
			[{ ...get, options: { advanced: { concurrency: 6 } } }, 6],
			[submit, 8],
			[get, 32],
		] as const) {
			sandbox.requests.clear();
			demand(expected);
			const { items: found } = await runNode({ parameters, credential: credential(), items });
			expect([sandbox.requests.peakInFlight, found.length]).toEqual([expected, 80]);
		}
	});

	it('after the first failure under Stop nothing new is sent, and nobody waits for what still runs', async () => {
		sandbox.switches.lifecycle = 'manual';
		sandbox.switches.latencyMs = 5;
		const ids = sandbox.inquiries.seed(40, { status: 'RUNNING' });
		sandbox.inquiries.vanish(ids[5]);
		const { error } = await runNode({
			parameters: {
				resource: 'inquiry',
				operation: 'wait',
				inquiryId,
				waitingOptions: { pollInterval: 3600, maxWait: 1440 },
				options: { advanced: { concurrency: 2 } },
			},
			credential: credential(),
			items: ids.map((id) => ({ id })),
		});
		// Without the end of the run the others would wait for a day.
		expect(error?.message).toMatch(/^Not found: .* \([^ ]+, item 6 of 40\)$/);
	});

	it('a number of requests that is none does not lose an item', async () => {
		const ids = sandbox.inquiries.seed(2);
		const { items, failed } = await runNode({
			parameters: { ...get, options: { advanced: { concurrency: '={{ $itemIndex === 0 ? "many" : 4 }}' } } },
			credential: credential(),
			items: ids.map((id) => ({ id })),
			onError: 'continueErrorOutput',
		});
		expect(failed.map(({ json }) => json.error)).toMatchObject([
			{ itemIndex: 0, parameter: 'options.advanced.concurrency' },
		]);
		expect(items.map(({ json }) => json.id)).toEqual([ids[1]]);
	});
});
