import type { IExecuteFunctions } from 'n8n-workflow';
import { CallResults } from '../../nodes/BusinessVerification/agents/toolAnswer';
import { AgentCall } from '../../nodes/BusinessVerification/engine/agentCall';
import { ResultsForAgent } from '../../nodes/BusinessVerification/engine/runResults';
import { sharedExecution } from '../../nodes/BusinessVerification/engine/host';
import { run } from '../../nodes/BusinessVerification/engine/run';
import { FileOutput } from '../../nodes/BusinessVerification/kit/operation';
import { Failure, type Request } from '../../nodes/BusinessVerification/kit/service';
import { resources } from '../../nodes/BusinessVerification/operations';
import { strictContext } from '../harness/strictContext';

const refused = [
	['user', 'acceptTerms', /^'Accept Terms' is not available to AI agents: accepting terms is a decision for a person/],
	['user', 'getApiKey', /^'Get API Key' is not available to AI agents: it returns a key/],
	['sellerSearch', 'submitAndWait', /^'Submit and Wait' is not available to AI agents: it pauses the whole execution/],
] as const;

/** Grants no credential and no request: what is refused must not come that far. */
const context = (
	resource: string,
	operation: string,
	{ asTool, continues = true, type = 'businessVerification' }: { asTool?: boolean; continues?: boolean; type?: string },
) =>
	strictContext<IExecuteFunctions>({
		getNode: () => ({ name: 'node', type, parameters: { resource, operation, confirm: true, options: {} } }),
		getInputData: () => [{ json: {} }, { json: {} }],
		getExecutionId: () => undefined,
		continueOnFail: () => continues,
		...(asTool === undefined ? {} : { isToolExecution: () => asTool }),
	});

const refusal = (reason: RegExp) =>
	expect.objectContaining({
		submission: 'none',
		nextStep: expect.stringMatching(/^Do not call again: tell the user\./),
		thirdPartyData: { problem: expect.stringMatching(reason) },
	});

describe.each(refused)('%s: %s', (resource, operation, reason) => {
	it.each([
		['on hosts that say so', { asTool: true }],
		[
			'on hosts where the type of the node says so',
			{ type: 'n8n-nodes-business-verification.businessVerificationTool' },
		],
		[
			'under Agent v3, where the engine runs the tool and the host says no',
			{ asTool: false, type: 'n8n-nodes-business-verification.businessVerificationTool' },
		],
	])('is refused to an agent, every item with the reason, whatever On Error says, %s', async (_, options) => {
		for (const continues of [true, false]) {
			const [items] = await run(context(resource, operation, { ...options, continues }), resources);
			expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
				[refusal(reason), { item: 0 }],
				[refusal(reason), { item: 1 }],
			]);
		}
	});

	it('is open to a workflow', async () => {
		// It goes on to the next step: reads its fields, or asks for what the double does not grant.
		const [items] = await run(context(resource, operation, { asTool: false }), resources);
		expect(items[0].json.error).toMatchObject({
			message: expect.stringMatching(/is required|the test did not grant it/),
		});
	});
});

describe('what calls have in common', () => {
	const shared = (executionId: string | undefined, calledBy: { parentNode?: { type: string } }) =>
		sharedExecution({ getExecutionId: () => executionId, ...calledBy } as unknown as IExecuteFunctions);
	const parentNode = (name: string) => ({ parentNode: { type: `@n8n/n8n-nodes-langchain.${name}` } });

	it('an agent has its execution, whether it or the engine runs the tool', () => {
		expect([shared('7', {}), shared('7', parentNode('agent'))]).toEqual(['7', '7']);
	});

	it('an MCP client has nothing, whether n8n starts executions for it or not, and says who calls or not', () => {
		const trigger = parentNode('mcpTrigger');
		expect([shared('7', trigger), shared(undefined, trigger)]).toEqual([undefined, undefined]);
		// A worker of 2.8.
		expect(shared('7', { parentNode: undefined })).toBeUndefined();
	});
});

/** A call by an agent, or without an execution by an MCP client. */
const callOf = (execution: string | undefined, limit = Infinity) => {
	const getExecutionId = () => execution;
	const granted = { getExecutionId, ...(execution === undefined && { parentNode: undefined }) };
	return new AgentCall(strictContext<IExecuteFunctions>(granted), (key) => `account ${key}`, true, limit);
};

describe('what agents have submitted', () => {
	let clock: jest.SpyInstance;
	const day = 24 * 3_600_000;
	beforeEach(() => (clock = jest.spyOn(performance, 'now').mockReturnValue(7_000_000)));
	afterEach(() => clock.mockRestore());

	it('is known for a day over MCP, and as long as an execution runs', () => {
		const known = [undefined, '7'].map((execution) => {
			const { get, set } = callOf(execution).intentions!;
			clock.mockReturnValue(7_000_000);
			set('acme', { id: 'i-1' });
			return [day - 1_000, day].map((ms) => clock.mockReturnValue(7_000_000 + ms) && get('acme')?.id);
		});
		expect(known).toEqual([
			['i-1', undefined],
			['i-1', 'i-1'],
		]);
	});

	it('is kept as IDs and statuses alone', async () => {
		const ids = { id: 'i-1', batch_id: 2, parentId: 'p', requestID: null, otherId: 'x'.repeat(200) };
		const kept = { ...ids, status: 'NEW', phase_status: 'x', message: 'm', submission: 'unknown', httpCode: 500 };
		const personal = ['valid', 'identity', 'statusText', 'maidIdea', 'messages', 'errormessage', 'httpCodes', 'ID'];
		const lost = { ...Object.fromEntries(personal.map((name) => [name, 'Ada'])), taskId: 'x'.repeat(201) };
		const request: Request = { method: 'POST', path: '/v1/things', body: { name: 'Ada' }, kind: 'write' };
		const called = new CallResults();
		const write = jest.fn(() => Promise.resolve({ ...kept, ...lost, steps: Array(11).fill({ id: 's', ...lost }) }));
		const submit = () => callOf('kept').submit(request, write, called);
		expect([(await submit()) === (await write.mock.results[0].value), called.isRepeated]).toEqual([true, false]);
		expect([await submit(), called.isRepeated]).toEqual([{ ...kept, steps: Array(10).fill({ id: 's' }) }, true]);
		expect(write).toHaveBeenCalledTimes(1);
	});

	it('may be as much as the limit says, in each execution, or in each hour over MCP', async () => {
		const refuse =
			(submissions: number, execution?: string, limit = 3) =>
			() =>
				callOf(execution, limit).refuseOverspending(submissions);
		const less = 'Nothing more was submitted. Submit less. A person';
		const nothing = 'Nothing more was submitted. A person';
		const refusal = (message: string, who: string, cause?: string) => {
			const description = `${who} can raise 'Spending Limit' in the options of the tool.`;
			return expect.objectContaining({ message, details: { description, parameter: 'options.spendingLimit', cause } });
		};
		expect(refuse(3)).not.toThrow();
		expect(refuse(4)).toThrow(refusal('3 of 3 submissions are left in this hour, and this call would make 4', less));
		await expect(callOf(undefined, 3).counted(3, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
		await callOf(undefined, 3).counted(2, () => Promise.resolve());
		await callOf('spent', 3).counted(3, () => Promise.resolve());
		expect(refuse(1)).not.toThrow();
		expect(refuse(2)).toThrow(refusal('1 of 3 submissions are left in this hour, and this call would make 2', less));
		for (const limit of [3, 2]) {
			const message = `0 of ${limit} submissions are left in this execution, and this call would make 1`;
			expect(refuse(1, 'spent', limit)).toThrow(refusal(message, nothing, 'configuration-invalid'));
		}
		clock.mockReturnValue(7_200_000);
		expect(refuse(3)).not.toThrow();
	});
});

describe('the answers to an agent', () => {
	const prepareBinaryData = (data: Buffer, ...named: string[]) => Promise.resolve([`${data}`, ...named]);
	const granted = { ...context('license', 'get', {}), helpers: { prepareBinaryData } };
	const make = () => new ResultsForAgent(strictContext<IExecuteFunctions>(granted));

	it('hold the file, and the next part of a long record', async () => {
		const results = make();
		const long = { id: 'a', report: 'x'.repeat(30_000) };
		const file = { bytes: Buffer.from('%PDF'), fileName: 'a.pdf', mimeType: 'application/pdf', field: 'data' };
		await results.putResult(long, { index: 0, input: { part: 2 }, json: {} });
		await results.putResult(new FileOutput(long, file), { index: 1, input: {}, json: {} });
		expect(results.end()[0].map(({ json, binary }) => [json.part, json.nextStep, binary])).toEqual([
			[2, 'Call again with part 3 for the next part.', undefined],
			[1, 'The rest cannot be read by a tool: tell the user.', { data: ['%PDF', 'a.pdf', 'application/pdf'] }],
		]);
	});

	it('hold the first failure of a call, and a list of one as a list', async () => {
		const results = make();
		results.fail(0, new Failure('late'));
		await results.putResult([{ id: 'b' }], { index: 1, input: {}, json: {} });
		results.failOthers(new Failure('unread'));
		expect(results.end()[0].map(({ json }) => json.thirdPartyData)).toEqual([{ problem: 'late' }, [{ id: 'b' }]]);
	});
});
