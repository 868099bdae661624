import type { INodeParameters } from 'n8n-workflow';
import { ownAccount, sandbox, useSandbox } from '../harness/sandbox';
import { type RunOptions, runNode } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

/** A model gives the same rows again under another name: what it has submitted is known by the row. */

useSandbox();

async function call(parameters: INodeParameters, more: Partial<RunOptions>) {
	const credential = ownAccount();
	const { items } = await runNode({
		parameters,
		credential,
		asTool: true,
		executionId: expect.getState().currentTestName,
		...more,
	});
	return { answers: items.map(({ json }) => json) };
}

describe('rows of a batch', () => {
	const rows = [acme, { ...acme, businessName: 'Beta LLC' }];
	const submit = (name: string, rowsGiven: object[], more: Partial<RunOptions> = {}, options: INodeParameters = {}) =>
		call(
			{ resource: 'batch', operation: 'submit', name, options: { advanced: { lookUpWait: 0 }, ...options } },
			{ items: [{ rowsJson: JSON.stringify(rowsGiven) }], ...more },
		);
	const sizes = () => sandbox.ledger.filter(({ kind }) => kind === 'batch').map(({ count }) => count);

	test('are submitted once, whatever the model calls the batch', async () => {
		await submit('March leads', rows);
		await submit('March leads (retry)', [{ ...rows[0], businessName: 'ACME Trading, L.L.C.' }, rows[1]]);
		const { answers } = await submit('March Leads 2', [...rows, { ...acme, businessName: 'Gamma LLC' }]);
		expect(sizes()).toEqual([2, 1]);
		expect(JSON.stringify(answers).match(/already sent/g)).toHaveLength(2);
	});

	test('are submitted once if the model calls twice at once, under two names', async () => {
		await Promise.all(['March leads', 'April leads'].map((name) => submit(name, rows)));
		expect(sizes()).toEqual([2]);
	});

	test('are submitted once if a workflow imports them at the same time under the same name', async () => {
		const sheet = rows.map((row) => ({ ...row, externalId: row.businessName }));
		const parameters = {
			resource: 'batch',
			operation: 'submit',
			name: 'Shared',
			options: { advanced: { lookUpWait: 0 } },
		};
		const credential = ownAccount();
		await Promise.all([submit('Shared', sheet, { credential }), runNode({ parameters, credential, items: sheet })]);
		expect(sizes()).toEqual([2]);
	});

	test('are not submitted again while it is not known whether the service has them, and the answer says why', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', drop: true, times: Infinity });
		const first = await submit('March leads', rows);
		const second = await submit('March leads (retry)', rows);
		expect(first.answers[0]).toMatchObject({
			submission: 'unknown',
			nextStep:
				'What has arrived is found by the next run, and not sent again. 0 of 2 rows were submitted, and 2 perhaps. Do not submit again what was not confirmed: tell the user.',
			thirdPartyData: { problem: expect.stringMatching(/^The submission is not confirmed: the connection was lost/) },
		});
		expect(second.answers).toEqual(first.answers);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('are known as sent if the answer was lost and the service shows them', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', drop: true, after: true });
		const first = await submit('March leads', rows);
		const second = await submit('March leads (retry)', rows);
		expect(JSON.stringify(first.answers).match(/"verificationStatus":"sent"/g)).toHaveLength(2);
		expect(JSON.stringify(second.answers).match(/"verificationStatus":"already sent"/g)).toHaveLength(2);
		expect(sizes()).toEqual([2]);
	});

	test.each([
		[
			403,
			'Do not call again: tell the user. The credential lacks this permission, or is not valid. 0 of 2 rows were submitted.',
		],
		[429, '0 of 2 rows were submitted. Run the same import again in a minute to submit the missing rows.'],
	])('that the service refuses with %i lead to one advice', async (status, nextStep) => {
		sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', status, times: Infinity });
		const { answers } = await submit('March leads', rows);
		expect(answers[0].nextStep).toBe(nextStep);
	});

	test('beside which others were submitted are told as a part, with nothing to correct in them', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', skip: 1, status: 403 });
		const { answers } = await submit('March leads', rows, { onError: 'continueRegularOutput' }, { chunkSize: 1 });
		expect([sizes(), answers[0].submission]).toEqual([[1], 'partial']);
		expect(answers[0].nextStep).toMatch(/^Do not call again: tell the user\. The credential lacks this permission/);
		expect(answers[0].nextStep).not.toContain('Correct');
	});

	test('are not called accepted if they were not sent', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', skip: 1, status: 422 });
		const { answers } = await submit('March leads', rows, {}, { chunkSize: 1 });
		expect(answers[0].nextStep).toBe(
			"'Wait for batch' with a batchId waits for the results. 'Get inquiries of batch' with a batchId lists the inquiries. Not sent: rows 2. 'verificationProblem' says why. Correct these rows and submit only them.",
		);
		expect(JSON.stringify(answers)).toContain('"verificationStatus":"not sent"');
	});
});
