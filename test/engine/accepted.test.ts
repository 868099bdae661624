import { routes } from '../../nodes/BusinessVerification/document/routes';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';
import { credential, sandbox, useSandbox } from '../harness/sandbox';

const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Business ${index}` }));
const [, inquiries] = routes.createInquiry.split(' ');

beforeAll(hurry);
useSandbox();
beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	sandbox.switches.lifecycle = 'manual';
});
afterEach(() => jest.restoreAllMocks());

it('says of a license without results, and of a retry without a wait, what to expect', async () => {
	const license = { seller_id: 's-1', licensee_name: 'Acme', licensee_state: 'IL', licensee_id: 'L-1' };
	const parameters = { resource: 'license', operation: 'verify', licensee_category: 'homeServices', ...license };
	sandbox.faults.add({ path: /license-verification/, body: [{ status: null }], times: 2 });
	const verified = await runNode({ parameters, credential: credential(), items: named(2) });
	expect(verified.hints).toEqual([
		'Ordered. Fields are blank while the verification is in progress. Ask your service provider how to get the result: another run is another order.',
	]);
	const ids = sandbox.inquiries.seed(2, { status: 'PARTIAL_SUCCESS' });
	const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const retry = { resource: 'inquiry', operation: 'retryFailed', inquiryId, waitForCompletion: false };
	const retried = await runNode({ parameters: retry, credential: credential(), items: ids.map((id) => ({ id })) });
	expect(retried.hints).toEqual([
		"The inquiry may run again. For a minute, 'Inquiry: Wait' can return the result from before. 'Wait for Completion' waits for the new one: check 'restartSeen'.",
	]);
});

describe('a failure after an accepted write says what was accepted, then what the failure advises', () => {
	const forbidden = 'The service does not allow this: The service answers 403';
	const permission = 'The credential lacks this permission, or is not valid.';
	const run = (onError: 'stopWorkflow' | 'continueErrorOutput') => {
		sandbox.faults.add({ method: 'GET', status: 403, times: Infinity });
		const parameters = { ...newInquiry, waitForCompletion: true, options: { advanced: { concurrency: 1 } } };
		return runNode({ parameters, credential: credential(), items: named(2), onError });
	};

	it('for each item', async () => {
		const { items, failed } = await run('continueErrorOutput');
		expect(items).toEqual([]);
		const told = { message: forbidden, kind: 'credential', httpCode: 403, submission: 'accepted' };
		expect(failed.map(({ json }) => json.error)).toEqual(
			sandbox.ledger.map(({ id }, itemIndex) => {
				const description = `It was submitted and billed (${id}). ${permission} Do not submit it again.`;
				return { ...told, itemIndex, id, description };
			}),
		);
	});

	it('for all, where it stops the run', async () => {
		const { items, error } = await run('stopWorkflow');
		const [one, two] = sandbox.ledger.map(({ id }) => id);
		expect([items, error?.message]).toEqual([[], expect.stringContaining(forbidden)]);
		expect(error?.description).toBe(
			`Submitted: item 1 (Business 0, ${one}), item 2 (Business 1, ${two}). ${permission} Before you run the node again, take items 1-2 out of its input, or what was submitted is billed twice.`,
		);
	});
});

it('a model reads that it was submitted, what failed after that, and not to submit it again', async () => {
	sandbox.faults.add({ method: 'GET', skip: 2, status: 403, times: Infinity });
	const { items } = await runNode({
		parameters: { ...newInquiry, waitForCompletion: true, waitingOptions: { pollInterval: 1, maxWait: 1 } },
		credential: credential(),
		items: named(1),
		asTool: true,
	});
	const [{ id }] = sandbox.ledger;
	expect(items).toHaveLength(1);
	expect(items[0].json).toEqual({
		about: expect.stringMatching(/^thirdPartyData was written by others: /),
		failed: true,
		httpCode: 403,
		submission: 'accepted',
		nextStep:
			'Do not call again: tell the user. The credential lacks this permission, or is not valid. Do not submit it again.',
		thirdPartyData: {
			problem: 'The service does not allow this: The service answers 403',
			facts: `It was submitted and billed (${id}).`,
			submission: 'accepted',
		},
	});
});

it('a wait that took too long is a failure, and says what was submitted', async () => {
	const { failed } = await runNode({
		parameters: {
			...newInquiry,
			waitForCompletion: true,
			waitingOptions: { maxWait: 0 },
			options: { advanced: { concurrency: 1 } },
		},
		credential: credential(),
		items: named(2),
		onError: 'continueErrorOutput',
	});
	expect(failed).toHaveLength(2);
	expect(failed.map(({ json }) => json.error)).toEqual(
		sandbox.ledger.map(({ id }, itemIndex) => ({
			message: `Inquiry ${id} did not finish within 0 minutes`,
			id,
			itemIndex,
			kind: 'service',
			submission: 'accepted',
			description:
				"It was submitted and billed. Its last status was PLANNING. Do not submit it again: run 'Inquiry: Wait' with this ID for the result.",
		})),
	);
});

it('a row of a failure names an inquiry once', async () => {
	const ids = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const { items } = await runNode({
		parameters: { resource: 'inquiry', operation: 'wait', inquiryId, waitingOptions: { maxWait: 0 } },
		credential: credential(),
		items: ids.map((id) => ({ id })),
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => json.summary)).toEqual(
		ids.map((id) => `Inquiry ${id} did not finish within 0 minutes.`),
	);
});

describe('an item without a required field, before anything is sent', () => {
	const parameters = { ...newInquiry, businessCity: '={{ $json.city }}' };
	const items = [
		{ name: 'Acme', city: 'Salem' },
		{ name: 'Beta <b>', city: '' },
		{ name: ' ', city: 'Salem' },
	];

	it('stops the run, which says whose it is, and that nothing was submitted', async () => {
		const { error } = await runNode({ parameters, credential: credential(), items });
		expect(error).toMatchObject({
			message: "'City' is required (Beta , item 2 of 3)",
			description: 'Nothing was submitted.',
		});
		expect(sandbox.ledger).toHaveLength(0);
	});

	it('is a row of its own beside the results, with its name and the reason where people read', async () => {
		const onError = 'continueRegularOutput';
		const { items: rows, hints } = await runNode({ parameters, credential: credential(), items, onError });
		expect(rows.map(({ json }) => [json.businessName, json.summary])).toEqual([
			['Acme', 'Acme: not finished yet (PLANNING).'],
			['Beta <b>', "Beta <b>: 'City' is required."],
			[undefined, "'Business Name' or a Business DBA is required."],
		]);
		expect(rows[1].json.error).toEqual({
			itemIndex: 1,
			parameter: 'businessCity',
			kind: 'row',
			message: "'City' is required",
			description: 'Nothing was submitted for it.',
		});
		expect(hints[0]).toBe("2 of 3 items failed: 'City' is required (Beta , item 2 of 3).");
	});
});

const inAMinute = 'Run the node again in a minute';

describe('under Stop with one refused of many', () => {
	it('the error says what was submitted and how to go on, and nothing begins after it', async () => {
		sandbox.faults.add({ path: inquiries, bodyContains: '"Business 7"', status: 422 });
		const { error } = await runNode({ parameters: newInquiry, credential: credential(), items: named(100) });
		const ids = sandbox.ledger.map(({ id }) => id);
		// Those before it, and those that were under way together with it.
		expect(ids.length).toBeLessThanOrEqual(14);
		expect(error?.message).toMatch(/ \(Business 7, item 8 of 100\)$/);
		expect(error?.context).toMatchObject({ submission: 'partial', kind: 'row' });
		expect(error?.description).toMatch(/^Submitted: item 1 \(Business 0, /);
		for (const id of ids) expect(error?.description).toContain(id);
		expect(error?.description).toContain('Before you run the node again, take items 1-');
	});

	it('without External ID, it tells those that are not confirmed from the others, and how to search', async () => {
		sandbox.faults.add({ path: inquiries, bodyContains: '"Business 1"', drop: true, after: true });
		const parameters = { ...newInquiry, options: { advanced: { concurrency: 1 } } };
		const { error } = await runNode({ parameters, credential: credential(), items: named(3) });
		expect(error?.message).toMatch(/^The submission is not confirmed: .* \(Business 1, item 2 of 3\)$/);
		expect(error?.description).toBe(
			`Submitted: item 1 (Business 0, ${sandbox.ledger[0].id}); not confirmed: item 2 (Business 1). It may be billed. In a minute, search for it with 'Get Many' before you create it again. Before you run the node again, take items 1-2 out of its input, or what was submitted is billed twice.`,
		);
	});

	it.each([
		[
			'with an external ID, by which they are found, items may run again',
			'reuse',
			`${inAMinute}: what was submitted is found`,
		],
		['so may items that fail where an inquiry exists', 'stop', `${inAMinute}: what was submitted is found`],
		[
			'with some external IDs, the items without one may not',
			'={{ $itemIndex > 1 ? "reuse" : "create" }}',
			'Before you run the node again, take items 1-2 out of its input,',
		],
	])('%s', async (title, ifExternalIdExists, next) => {
		sandbox.faults.add({ method: 'POST', path: inquiries, bodyContains: '"Business 3"', status: 422 });
		const items = Array.from({ length: 5 }, (_, index) => ({ name: `Business ${index}` }));
		const parameters = {
			...newInquiry,
			externalId: `={{ $json.name }} ${title}`,
			options: { ifExternalIdExists, advanced: { concurrency: 1 } },
		};
		const { error } = await runNode({ parameters, credential: credential(), items });
		expect(sandbox.ledger.count('inquiry')).toBe(3);
		expect(error?.description).toMatch(/^Submitted: item 1 \(Business 0, .*\), item 3 \(Business 2, [^ ]*\)\. /);
		expect(error?.description).toContain(next);
	});
});

it.each<[string, unknown]>([
	['a text', 'none'],
	['null', null],
	['an object', { code: 1 }],
])(
	'an answer whose own `error` is %s is a result, is not taken for a failed run, and is billed once',
	async (_, own) => {
		const answer = {
			id: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
			status: 'PLANNING',
			createdAt: '2026-03-02T09:00:00Z',
			error: own,
		};
		sandbox.faults.add({ path: inquiries, method: 'POST', after: true, status: 200, body: answer, times: Infinity });
		const { items, failed } = await runNode({
			parameters: { ...newInquiry, options: { output: 'raw' } },
			credential: credential(),
			items: named(2),
			onError: 'continueErrorOutput',
			retryOnFail: true,
		});
		expect(failed).toEqual([]);
		expect(items.map(({ json }) => [json.recordError, 'error' in json])).toEqual([
			[own, false],
			[own, false],
		]);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	},
);

const finalAddress =
	"Enter the final address as 'Base URL' in the credential. Redirects are not followed, so that the credential is not sent elsewhere. ";

it.each([301, 302, 303, 304, 408, 499, 500, 504, 520, 522, 526, 599])(
	'status %i leaves open whether a write was processed',
	async (status) => {
		sandbox.faults.add({ path: inquiries, method: 'POST', status, after: true, bodyContains: '"Business 0"' });
		const { items, failed } = await runNode({
			parameters: newInquiry,
			credential: credential(),
			items: named(2),
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(1);
		expect(failed[0].json.error).toMatchObject({
			submission: 'unknown',
			httpCode: status,
			description: `${status < 400 ? finalAddress : ''}It may be billed. In a minute, search for it with 'Get Many' before you create it again.`,
		});
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	},
);

it('a reused inquiry was not submitted, so a failed wait for it is an error', async () => {
	sandbox.inquiries.seed(1, { status: 'RUNNING', externalIdPrefix: 'crm-' });
	const externalId = 'crm-1';
	sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/[0-9a-f]/, status: 403, times: Infinity });
	const { items, failed } = await runNode({
		parameters: {
			...newInquiry,
			externalId: '={{ $json.crm }}',
			waitForCompletion: true,
			waitingOptions: { pollInterval: 1, maxWait: 1 },
		},
		credential: credential(),
		items: [
			{ name: 'Known', crm: externalId },
			{ name: 'New', crm: 'crm-new' },
		],
		onError: 'continueErrorOutput',
	});
	expect(items).toEqual([]);
	expect(failed.map(({ json }) => (json.error as { submission?: string }).submission)).toEqual([undefined, 'accepted']);
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

it('a create of its own earlier try is not found as one that existed', async () => {
	sandbox.faults.add({ path: inquiries, method: 'POST', bodyContains: '"Business 1"', status: 422 });
	const { items, error } = await runNode({
		parameters: {
			...newInquiry,
			externalId: '={{ $json.name }}',
			options: { ifExternalIdExists: 'stop', advanced: { concurrency: 1 } },
		},
		credential: credential(),
		items: named(2),
		retryOnFail: true,
	});
	expect([error, items.length, sandbox.ledger.count('inquiry')]).toEqual([undefined, 2, 2]);
});
