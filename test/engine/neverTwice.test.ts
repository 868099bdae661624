import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { type Fault } from '../../sandbox';
import { sandbox, useSandbox } from '../harness/sandbox';
import { type Row, withItems } from '../contract/call';
import { type Case, isForAll, submission, varied, writes } from '../contract/cases';
import { twoWorlds, type World } from '../contract/fixture';
import { hurry } from '../harness/hurry';
import { type RunOptions, runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

const credential = () => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.organization.apiKey,
	callbackSecret: 'a callback secret of a test',
});

beforeAll(hurry);
useSandbox();
afterEach(() => jest.restoreAllMocks());

const faults: Record<string, Fault> = {
	'answers 502 after processing': { after: true, status: 502 },
	'answers 500 after processing': { after: true, status: 500 },
	'drops the connection after processing': { after: true, drop: true },
	'answers a web page after processing': { after: true, html: true },
	'answers a web page with 401 after processing': { after: true, html: true, status: 401 },
};

let runs = 0;

/** As many items as the operation takes, each of another text; of what is sent for all of them, the first says it. */
async function itemsOf(row: Row): Promise<World[]> {
	const worlds = await twoWorlds(sandbox);
	const run = ++runs;
	return withItems(row.alone ? [worlds[0]] : worlds, row.minimal).map((world, index) => ({
		...world,
		fresh: `Run ${run} ${isForAll(row) ? '' : index}`,
	}));
}

const submit = ([operation, row]: Case, items: World[], more: Partial<RunOptions> & { options?: object } = {}) => {
	const [resource, name] = operation.split('.');
	const { options, ...others } = more;
	const parameters = { resource, operation: name, ...varied(row, '={{ $json.fresh }}'), ...others.parameters };
	return runNode({
		credential: { ...credential(), ...row.credential },
		items,
		...others,
		parameters: {
			...parameters,
			options: { ...((parameters as INodeParameters).options as object), ...options },
		} as never,
	});
};

/** How many submissions the items come to. */
const billedFor = (row: Row, items: World[]) => (isForAll(row) ? 1 : items.length);
const itemsIn = (outputs: INodeExecutionData[]) =>
	new Set(outputs.map(({ pairedItem }) => (pairedItem as { item: number }).item)).size;

async function expectOneUnknown(one: Case, fault: Fault, given: World[]): Promise<void> {
	const [, row] = one;
	const { path, method } = submission(row);
	sandbox.faults.add({ ...fault, path, method });
	const { items, failed, error } = await submit(one, given, {
		options: { advanced: { concurrency: 1 } },
		onError: 'continueErrorOutput',
		retryOnFail: true,
	});
	expect(error).toBeUndefined();
	expect(sandbox.ledger.count(row.submits)).toBe(billedFor(row, given));
	// What is sent for all of them, the list shows again.
	const unknown = isForAll(row) ? 0 : 1;
	expect([itemsIn(items), failed.length]).toEqual([given.length - unknown, unknown]);
	if (unknown === 0) return;
	expect(failed[0].json.error).toMatchObject({ submission: 'unknown', itemIndex: 0 });
	expect((failed[0].json.error as { message: string }).message).toMatch(/^The submission is not confirmed: the /);
}

/** The other two read the profile first, and end there. */
const withoutProfile = writes.filter(([operation]) => !['license.verify', 'user.acceptTerms'].includes(operation));

it.each(withoutProfile)(
	'%s is sent once where a web page says 401, and the credential lacks the profile',
	async (...one) => {
		const given = await itemsOf(one[1]);
		sandbox.faults.add({ path: '/v1/users/me', status: 403, times: null });
		await expectOneUnknown(one, { after: true, html: true, status: 401 }, given);
	},
);

describe.each(writes)('%s', (operation, row) => {
	const one: Case = [operation, row];
	const { path, method } = submission(row);

	it.each(Object.entries(faults))('is sent once when the service %s', async (_fault, fault) => {
		await expectOneUnknown(one, fault, await itemsOf(row));
	});

	it('is not doubled by a 401 in between', async () => {
		const given = await itemsOf(row);
		const billed = billedFor(row, given);
		sandbox.faults.add({ path, method, status: 401, skip: billed - 1 });
		const { failed } = await submit(one, given, {
			options: { advanced: { concurrency: 1 } },
			onError: 'continueErrorOutput',
			retryOnFail: billed > 1,
		});
		expect(failed.length).toBeGreaterThanOrEqual(1);
		for (const { json } of failed) expect(json.error).toMatchObject({ httpCode: 401 });
		expect(sandbox.ledger.count(row.submits)).toBe(billed - 1);
	});

	it('is sent again after 429, which proves that it was not processed', async () => {
		const given = await itemsOf(row);
		sandbox.faults.add({ path, method, status: 429, headers: { 'retry-after': '0' } });
		const { items } = await submit(one, given);
		expect(itemsIn(items)).toBe(given.length);
		expect(sandbox.ledger.count(row.submits)).toBe(billedFor(row, given));
	});

	it('is sent once for its place when Retry On Fail runs the node again with other data', async () => {
		const given = await itemsOf(row);
		const billed = billedFor(row, given);
		sandbox.faults.add({ path, method, status: 422, skip: billed - 1 });
		const { error } = await submit(one, given, {
			parameters: varied(row, changing),
			options: { advanced: { concurrency: 1 } },
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(sandbox.ledger.count(row.submits)).toBe(billed);
	});
});

/** Another value at every look at it. */
const changing = '={{ $json.fresh + " " + $now.toMillis() + Math.random() }}';

describe.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
	'with Retry On Fail and %s, the last error says what any try has submitted',
	(onError) => {
		const inquiries = ['addPrincipal', 'addLicense', 'addFiling', 'retryProcess', 'retryFailed'];
		/** Each reads once before it writes. */
		const cases = writes.filter(([name]) =>
			[...inquiries.map((one) => `inquiry.${one}`), 'license.verify'].includes(name),
		);
		const stops = onError === 'stopWorkflow';

		/** No more reads are answered after the first write, so that later tries fail before they come to theirs. */
		async function run([operation, row]: Case, given: World[]) {
			sandbox.faults.add({ method: 'GET', path: /^\/v1\//, status: 403, skip: 1, times: Infinity });
			const waits = operation.startsWith('inquiry.') && { waitForCompletion: true, waitingOptions: { maxWait: 0 } };
			const { items, failed, error } = await submit([operation, row], given, {
				options: { advanced: { concurrency: 1, lookUpWait: 0 } },
				parameters: { ...varied(row, '={{ $json.fresh }}'), ...waits },
				onError,
				retryOnFail: true,
			});
			const [first] = [...failed, ...items].filter(({ json }) => 'error' in json).map(({ json }) => json.error);
			return { ...error?.context, ...((first ?? error) as { message: string; description: string }) };
		}

		it.each(cases)('%s, whose answer was lost', async (operation, row) => {
			const given = await itemsOf(row);
			sandbox.faults.add({ ...submission(row), after: true, drop: true });
			expect(await run([operation, row], given)).toMatchObject({
				submission: 'unknown',
				message: expect.stringMatching(/^The submission is not confirmed/),
			});
			// Another item of a verification needs no read.
			expect(sandbox.ledger.count(row.submits)).toBe(operation === 'license.verify' && !stops ? 2 : 1);
		});

		const read = cases.filter(([name]) => name.startsWith('inquiry.') || (name === 'license.verify' && stops));
		it.each(read)('%s, which was accepted', async (operation, row) => {
			const given = await itemsOf(row);
			if (operation === 'license.verify') sandbox.faults.add({ ...submission(row), status: 422, skip: 1 });
			const { description } = await run([operation, row], given);
			// A license has the ID that was entered.
			const id = operation === 'inquiry.addLicense' ? given[0].fresh : sandbox.ledger[0].id;
			expect(description).toMatch(/^It was submitted and billed \(/);
			expect(description).toContain(id);
			expect(sandbox.ledger.count(row.submits)).toBe(1);
		});
	},
);

it('sends the submissions of two nodes with one ID, which Retry On Fail runs again', async () => {
	// All three tries of the first node fail, for its first item.
	sandbox.faults.add({ path: '/v1/inquiries/', bodyContains: 'One', status: 422, times: 3 });
	const { items: good, failed } = await runNode({
		parameters: { ...newInquiry, options: { advanced: { concurrency: 1 } } },
		credential: credential(),
		items: ['One', 'Two'].map((name) => ({ name })),
		onError: 'continueErrorOutput',
		retryOnFail: true,
		hasTwin: true,
	});
	expect([good.length, failed.length]).toEqual([1, 1]);
	expect(sandbox.ledger.count('inquiry')).toBe(3);
});
