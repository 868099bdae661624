import { type Fault } from '../../sandbox';
import { ownAccount, renewAccount, sandbox, useSandbox } from '../harness/sandbox';
import { externalIdFor } from '../../nodes/BusinessVerification/agents/calls';
import { hasData, isForAll, writes } from '../contract/cases';
import { twoWorlds } from '../contract/fixture';
import { rows } from '../contract/rows';
import { LocalServer } from '../credentials/identityProvider';
import { hurry } from '../harness/hurry';
import { ofAnotherProcess, type RunOptions, runNode } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

/** Agent v3: the engine runs the tool like any node. Agent v2 and MCP are in the suite 'agent'. */

beforeAll(hurry);
useSandbox();

const create = { resource: 'inquiry', operation: 'create', ...acme };
/** Of a business whose answer was lost. */
const again = 'Wait a minute, then call again with the same data: it is searched for first.';
let executions = 0;
const nextExecution = () => `agent-${++executions}`;

const call = async (parameters: RunOptions['parameters'], more: Partial<RunOptions> = {}) => {
	const credential = ownAccount();
	const result = await runNode({ parameters, credential, asTool: true, executionId: nextExecution(), ...more });
	const answers = result.items.map(({ json }) => json);
	return { ...result, answers, told: answers.map(({ thirdPartyData }) => thirdPartyData as Record<string, any>) };
};

it('the same business has one external ID, in whatever order and spelling', () => {
	const id = externalIdFor({ businessName: 'Acme  Trading', businessCity: 'Springfield' });
	expect(id).toMatch(/^agent-[0-9a-f]{32}$/);
	expect(externalIdFor({ businessCity: 'springfield', businessName: 'ACME Trading', externalId: 'x' })).toBe(id);
	expect(externalIdFor({ businessCity: 'Springfield', businessName: 'Acme' })).not.toBe(id);
	const spelled = (key: string) => ['IL', 'Illinois'].map((value) => externalIdFor({ [key]: value }));
	expect(new Set(spelled('businessState')).size).toBe(1);
	// Only in a state: elsewhere these are two texts.
	expect(new Set(spelled('statement')).size).toBe(2);
	const numbered = (key: string, ...values: string[]) =>
		new Set(values.map((value) => externalIdFor({ [key]: value }))).size;
	expect(numbered('businessEin', '12-3456789', '123456789', ' 12 3456789')).toBe(1);
	expect(numbered('ein', '12-3456789', '123456789')).toBe(1);
	// An EIN without digits stays a text.
	expect(numbered('businessEin', '12-3456789', '12-3456780', 'N/A', 'none')).toBe(4);
	expect(numbered('businessPhone', '12-3456789', '123456789')).toBe(2);
	// Punctuation says nothing in a name. Elsewhere its correction is another submission.
	expect(numbered('businessName', 'Acme, L.L.C.', 'ACME LLC', 'ＡＣＭＥ LLC')).toBe(1);
	expect(numbered('businessDba', 'A.C.M.E', 'acme')).toBe(1);
	const ofPerson = (lastName: string) => externalIdFor({ principals: [{ lastName }] });
	expect([ofPerson('LEE '), ofPerson('Li')].map((id) => id === ofPerson('Lee'))).toEqual([true, false]);
	for (const [key, ...values] of [
		['businessEmail', 'a@acmecom', 'a@acme.com'],
		['businessDomain', 'my.shop.com', 'myshop.com'],
		['businessAddressLine1', '1.5 Main St', '15 Main St'],
		['license_id', '1.23', '123', '1,23'],
	])
		expect(numbered(key, ...values)).toBe(values.length);
});

it('one other value anywhere makes other data, also in the last of many rows', () => {
	const places = Array.from({ length: 26 }, (_, place) => place);
	const ids = places.map((other) =>
		externalIdFor({ rows: places.slice(1).map((place) => (place === other ? 'Beta' : `Acme ${place}`)) }),
	);
	expect(new Set(ids).size).toBe(26);
});

describe('one intention is submitted once', () => {
	const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.inquiry }}' };
	const seller = { resource: 'sellerSearch', operation: 'submit', ...rows['sellerSearch.submit'].minimal.parameters };

	const once = writes.filter(([, row]) => hasData(row) && !row.alone && !isForAll(row));

	test.each(once)('%s, called three times', async (name, { minimal, submits: kind }) => {
		const [world] = await twoWorlds(sandbox);
		const [resource, operation] = name.split('.');
		// Whatever its author says of an external ID: the model has given none.
		const options = { ifExternalIdExists: 'create' };
		const parameters = { resource, operation, ...minimal.parameters, options };
		const executionId = nextExecution();
		const answers: Array<Record<string, any>> = [];
		for (let time = 0; time < 3; time++) {
			answers.push((await call(parameters, { executionId, items: [world] })).answers[0]);
		}
		expect(sandbox.ledger.count(kind)).toBe(1);
		// A business is found again by the external ID that is made of its data.
		const marks = name === 'inquiry.create' ? [false, true, true] : [undefined, true, true];
		const first = ({ thirdPartyData }: (typeof answers)[0]) => [thirdPartyData].flat()[0];
		expect(answers.map((answer) => answer.repeated ?? first(answer).reused)).toEqual(marks);
		const identified = (answer: (typeof answers)[0]) => {
			const { id, request_id, license_id } = first(answer);
			return [id, request_id, license_id];
		};
		expect(first(answers[0])).not.toHaveProperty('problem');
		expect(identified(answers[2])).toEqual(identified(answers[0]));

		// Another execution means it anew, unless it is another turn about the same business, and so does an author who says so.
		await call(parameters, { items: [world] });
		expect(sandbox.ledger.count(kind)).toBe(name === 'inquiry.create' ? 1 : 2);
		// A variable of n8n is a text.
		const anew = { ...parameters, options: { submitAgain: 'true' } };
		await call(anew, { executionId, items: [world] });
		expect(sandbox.ledger.count(kind)).toBe(name === 'inquiry.create' ? 2 : 3);
	});

	test('licenses, of which each one is named again', async () => {
		const { minimal } = rows['license.verify'];
		const items = [(await twoWorlds(sandbox))[0]];
		const body = [{ license_id: 'l-1' }, { license_id: 'l-2' }];
		sandbox.faults.add({ path: /license-verification/, body });
		const executionId = nextExecution();
		const parameters = { resource: 'license', operation: 'verify', ...minimal.parameters };
		await call(parameters, { executionId, items });
		expect((await call(parameters, { executionId, items })).answers[0]).toMatchObject({
			repeated: true,
			thirdPartyData: body,
		});
	});

	test('a license whose answer has neither an ID nor a status', async () => {
		const { minimal } = rows['license.verify'];
		const parameters = { resource: 'license', operation: 'verify', ...minimal.parameters };
		const items = [(await twoWorlds(sandbox))[0]];
		const executionId = nextExecution();
		sandbox.faults.add({ path: /license-verification/, status: 200, body: { found: 'yes' }, times: Infinity });
		const answers = [];
		for (let time = 0; time < 2; time++) answers.push((await call(parameters, { executionId, items })).answers[0]);
		expect(answers[0]).not.toHaveProperty('failed');
		expect(answers[1]).toMatchObject({ repeated: true });
		expect(answers[1]).not.toHaveProperty('failed');
	});

	test('a seller search, although its callback URL is generated and signed again for each call', async () => {
		const executionId = nextExecution();
		const { url: baseUrl, organization } = sandbox;
		const credential = { baseUrl, apiKey: organization.apiKey, callbackSecret: 'a long text that chance has made' };
		for (const callback of ['https://one.example.com/a', 'https://one.example.com/a', 'https://two.example.com/b'])
			await call({ ...seller, callback }, { executionId, credential });
		expect(sandbox.ledger.count('sellerSearch')).toBe(1);
	});

	test('the first record is read again', async () => {
		const executionId = nextExecution();
		const [first] = (await call(create, { executionId })).told;
		sandbox.inquiries.finish(String(first.id), 'COMPLETED');
		const second = await call(create, { executionId });
		expect([first.status, second.told[0].status]).toEqual(['PLANNING', 'COMPLETED']);
		expect(second.told[0]).toMatchObject({ id: first.id, isFinal: true, reused: true });
	});

	test('however the model spells it, and whatever external ID it makes up', async () => {
		const executionId = nextExecution();
		const reuse = (externalId: string) => ({ ...create, externalId });
		await call(reuse('guess-1'), { executionId });
		await call({ ...reuse('guess-2'), businessName: 'ACME  Trading llc' }, { executionId });
		for (const businessName of ['Acme Trading, LLC', 'Acme Trading, L.L.C.']) {
			await call({ ...create, businessName, businessState: 'Illinois' }, { executionId });
		}
		await call(create, { executionId });
		expect(sandbox.ledger.count('inquiry')).toBe(1);
		await call({ ...create, businessCity: 'Chicago' }, { executionId });
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	test('called side by side', async () => {
		const executionId = nextExecution();
		await Promise.all([1, 2, 3].map(() => call(create, { executionId })));
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	});

	test('two items of one call, one of them another business', async () => {
		const items = [{ city: 'Springfield' }, { city: 'Chicago' }];
		await call({ ...create, businessCity: '={{ $json.city }}' }, { items });
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	test('an unknown outcome is not sent again, and is said again', async () => {
		const executionId = nextExecution();
		sandbox.faults.add({ method: 'POST', path: '/external/api/v1/seller-detailed', after: true, drop: true });
		const first = await call(seller, { executionId });
		const second = await call(seller, { executionId });
		expect(sandbox.ledger.count('sellerSearch')).toBe(1);
		expect(second.answers).toEqual(first.answers);
		expect(first.answers[0]).toMatchObject({ submission: 'unknown' });
	});

	test('a business whose answer got lost is found again', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', after: true, drop: true });
		const parameters = { ...create, options: { advanced: { lookUpWait: 0 } } };
		const told = [await call(parameters), await call(parameters)].map((one) => one.told[0]);
		expect(sandbox.ledger.count('inquiry')).toBe(1);
		expect(told.map(({ reused }) => reused)).toEqual([false, true]);
	});

	test('a business that was not processed is submitted by the next call, unless the model names it anew', async () => {
		const executionId = nextExecution();
		const parameters = { ...create, options: { advanced: { lookUpWait: 0 } } };
		const named = (externalId: string) => call({ ...parameters, externalId }, { executionId });
		sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', status: 503 });
		const lost = await named('guess-1');
		const renamed = await named('guess-2');
		expect(renamed.answers).toEqual(lost.answers);
		expect(sandbox.ledger.count('inquiry')).toBe(0);
		expect((await named('guess-1')).told[0]).toMatchObject({ externalId: 'guess-1', reused: false });

		sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', status: 503 });
		const unnamed = { ...parameters, businessCity: 'Salem' };
		const first = (await call(unnamed)).answers[0];
		expect(first.nextStep).toBe(again);
		// It was lost, so this is no repetition.
		const second = await call(unnamed);
		expect([second.told[0].reused, second.answers[0].repeated]).toEqual([false, undefined]);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	test('a business that is not confirmed because of a setting is asked for again, and nothing else is advised', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', after: true, html: true });
		const parameters = { ...create, options: { advanced: { lookUpWait: 0 } } };
		sandbox.faults.add({ method: 'GET', path: '/v1/inquiries/', skip: 1, html: true });
		const { answers } = await call(parameters);
		expect(answers[0].nextStep).toBe(
			`Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com. It may point at a website or a login page. ${again}`,
		);
		expect((await call(parameters)).told[0]).toMatchObject({ reused: true });
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	});

	test('a lost answer is reported before the look-up wait is over', async () => {
		sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', drop: true });
		const begun = performance.now();
		const { answers } = await call({ ...create, options: { advanced: { lookUpWait: 300 } } });
		expect(answers[0]).toMatchObject({ submission: 'unknown' });
		expect(performance.now() - begun).toBeLessThan(200_000);
	});

	test('a second retry of what failed is meant', async () => {
		const executionId = nextExecution();
		const [inquiry] = sandbox.inquiries.seed(1, { status: 'FAILED' });
		const retry = { resource: 'inquiry', operation: 'retryFailed', inquiryId };
		for (let time = 0; time < 2; time++) await call(retry, { executionId, items: [{ inquiry }] });
		expect(sandbox.requests.filter(({ path }) => path.endsWith('/retry-failed'))).toHaveLength(2);
	});

	test('the same filing of another inquiry is another submission', async () => {
		const executionId = nextExecution();
		const add = { resource: 'inquiry', operation: 'addFiling', inquiryId, sosId: '20261234567', sosState: 'IL' };
		for (const inquiry of sandbox.inquiries.seed(2)) await call(add, { executionId, items: [{ inquiry }] });
		expect(sandbox.requests.filter(({ path }) => path.endsWith('/filings'))).toHaveLength(2);
	});
});

describe('over MCP, where every call is an execution of its own or none', () => {
	// The engine that runs nodes gives each an execution; without one it is as under n8n's MCP Server Trigger.
	const alone = { executionId: '' };

	test('a business without an external ID is given one, and found again by another process', async () => {
		const { told } = await call(create, alone);
		const node = await ofAnotherProcess();
		node.description.name += 'Tool';
		const other = await call({ ...create, businessName: 'ACME TRADING LLC' }, { ...alone, node });
		expect(sandbox.ledger.count('inquiry')).toBe(1);
		expect(told[0]).toMatchObject({ externalId: expect.stringMatching(/^agent-[0-9a-f]{32}$/), reused: false });
		expect(other.told[0]).toMatchObject({ id: told[0].id, reused: true });
	});

	test('an external ID of the author stays, and so does what the author chose', async () => {
		for (let time = 0; time < 2; time++) {
			const chosen = { externalId: 'crm-1', options: { ifExternalIdExists: 'create', submitAgain: true } };
			await call({ ...create, ...chosen }, alone);
		}
		expect(sandbox.ledger.times('crm-1')).toBe(2);
	});
});

describe('a failure is an answer, whatever On Error and Retry On Fail say', () => {
	const faults: Array<[string, Fault, object]> = [
		['perhaps processed, its answer lost', { drop: true }, { submission: 'unknown', nextStep: again }],
		[
			'refused',
			{ status: 422, body: { detail: 'City is unknown' } },
			{ submission: 'none', httpCode: 422, nextStep: 'Correct the named fields.' },
		],
		[
			'too many requests',
			{ status: 429, headers: { 'retry-after': '0' }, times: Infinity },
			{ submission: 'none', httpCode: 429, nextStep: 'Try again later.' },
		],
	];
	const settings = (['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const).flatMap((onError) =>
		[false, true].map((retryOnFail) => ({ onError, retryOnFail })),
	);

	test.each(faults)('%s', async (_, fault, expected) => {
		for (const setting of settings) {
			sandbox.reset();
			renewAccount();
			sandbox.faults.add({ ...fault, method: 'POST', path: '/v1/inquiries/' });
			const { status, answers, told, failed } = await call(
				{ ...create, options: { advanced: { lookUpWait: 0 } } },
				setting,
			);
			expect([status, failed]).toEqual(['success', []]);
			expect(answers).toEqual([expect.objectContaining({ ...expected, failed: true })]);
			expect(told[0].problem).not.toMatch(/\[item|Max Wait/);
			expect(sandbox.ledger.count('inquiry')).toBeLessThanOrEqual(1);
		}
	});
});

test('a service that asks for half a minute is not waited for, because a client would give up', async () => {
	sandbox.faults.add({ path: '/v1/inquiries/', status: 429, headers: { 'Retry-After': '30' } });
	const { answers } = await call({ resource: 'inquiry', operation: 'getAll' });
	expect(JSON.stringify(answers)).toContain('429');
	expect(sandbox.requests).toHaveLength(1);
});

describe('waiting', () => {
	const waits = { ...create, waitForCompletion: true };

	test('the result of a job of four seconds is in the answer, which does not wait for findings', async () => {
		sandbox.switches.clusteringMs = 600_000;
		const began = performance.now();
		const { told } = await call(waits);
		expect(told[0]).toMatchObject({ status: 'COMPLETED', isFinal: true });
		expect(performance.now() - began).toBeLessThan(40_000);
	});

	test('what takes longer than a client of MCP waits is answered before it gives up', async () => {
		sandbox.switches.runningMs = 600_000;
		// What the submission takes is not left for the wait.
		sandbox.faults.add({ method: 'POST', status: 429, headers: { 'retry-after': '15' } });
		const began = performance.now();
		const { told } = await call(waits);
		expect(told[0]).toMatchObject({ isFinal: false, timedOut: true });
		const seconds = (performance.now() - began) / 1000;
		expect(seconds).toBeGreaterThan(40);
		expect(seconds).toBeLessThan(50);
	});

	test('a longer one is answered in time, with the ID and the next call', async () => {
		sandbox.switches.runningMs = 600_000;
		const { answers } = await call({ ...waits, waitingOptions: { maxWait: 0, onTimeout: 'fail' } });
		expect(answers[0]).toMatchObject({
			nextStep:
				"Submitted and not finished yet: do not submit it again. 'Wait for inquiry' waits for it. 'Get inquiry' reads it later.",
			thirdPartyData: { isFinal: false, id: expect.any(String) },
		});
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	});
});

test('a retry whose end no call has seen yet is not advised again', async () => {
	sandbox.switches.rerunDelayMs = 600_000;
	const [one, two] = sandbox.inquiries.seed(2, { status: 'PARTIAL_SUCCESS' });
	const retry = (id: string) => ({
		resource: 'inquiry',
		operation: 'retryFailed',
		inquiryId: { __rl: true, mode: 'id', value: id },
	});
	const waits = { ...retry(one), waitForCompletion: true, waitingOptions: { maxWait: 0, onTimeout: 'fail' } };
	const { answers } = await call(waits);
	expect(answers[0].nextStep).toBe(
		"Submitted and not finished yet: do not submit it again. 'Wait for inquiry' waits for it. 'Get inquiry' reads it later.",
	);
	const started = await call({ ...retry(two), waitForCompletion: false });
	expect(started.answers[0].nextStep).toBe(
		"Accepted, and the inquiry may run again: do not send this again. 'Wait for inquiry' waits for it. For a minute, the result may be the one from before: compare 'completedAt'.",
	);
});

test.each([3_000, 20_000])('a record of %i levels is billed once, however often it is asked for', async (levels) => {
	const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
	const server = await new LocalServer((request, response) => {
		const isList = request.method === 'GET';
		response.setHeader('content-type', 'application/json');
		response.end(isList ? '{"items":[],"total":0}' : `{"id":"i-1","status":"PLANNING","createdAt":"","deep":${deep}}`);
	}).start();
	const credential = { baseUrl: server.url, apiKey: 'key' };
	const executionId = nextExecution();
	for (let time = 0; time < 3; time++) await call(create, { executionId, credential });
	await server.stop();
	expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

describe('what a model can read', () => {
	test('a file is not given to it, and where it is', async () => {
		const [inquiry] = sandbox.inquiries.seed(1);
		const parameters = {
			resource: 'inquiry',
			operation: 'downloadPdf',
			inquiryId: { __rl: true, mode: 'id', value: inquiry },
		};
		const { items, answers } = await call(parameters);
		expect(items[0].binary).toHaveProperty('data');
		expect(answers[0].nextStep).toBe(
			"A model is not given files. Where the execution keeps the output of this tool, the file is in the field 'data'; elsewhere a workflow downloads it with 'Download PDF'.",
		);
	});
});

test('a tool that was only dropped takes from the model what it gives', async () => {
	const dropped = { resource: 'inquiry', operation: 'create' };
	const { told } = await call(dropped, { items: [{ ...acme, businessEin: '12-3456789', principalsJson: '[]' }] });
	expect(told[0]).toMatchObject({ id: expect.any(String) });
	const { body } = sandbox.requests.find(({ method }) => method === 'POST')!;
	expect(body).toEqual({ ...acme, businessEin: '12-3456789', externalId: expect.stringMatching(/^agent-/) });

	const read = await call({ resource: 'inquiry', operation: 'get' }, { items: [{ inquiryId: told[0].id }] });
	expect(read.told[0].id).toBe(told[0].id);

	const rows = JSON.stringify([acme, { ...acme, businessName: '' }]);
	const submits = { resource: 'batch', operation: 'submit', options: { advanced: { lookUpWait: 0 } } };
	const batch = await call(submits, {
		items: [{ name: 'From a model', rowsJson: rows }],
		onError: 'continueRegularOutput',
	});
	expect(batch.told[0].map((each: Record<string, unknown>) => each.verificationProblem ?? each.batchId)).toEqual([
		expect.any(String),
		'businessName or a Business DBA is required',
	]);
	expect(sandbox.ledger.count('batch')).toBe(1);
});
