import type { IExecuteFunctions } from 'n8n-workflow';
import { sharedExecution } from '../../nodes/BusinessVerification/engine/host';
import { run } from '../../nodes/BusinessVerification/engine/run';
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

it('every other operation is open to an agent', () => {
	const closed = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([name, { notForTools }]) =>
			notForTools === undefined ? [] : [`${resource} ${name}`],
		),
	);
	expect(closed.sort()).toEqual(refused.map(([resource, operation]) => `${resource} ${operation}`).sort());
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
