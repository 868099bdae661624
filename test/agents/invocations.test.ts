import { ownAccount, sandbox, useSandbox } from '../harness/sandbox';
import { callTool, type ToolOptions } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

/** As Agent v2 and the MCP server call: by functions of n8n's engine, and not as a step of an execution. */

useSandbox();

async function call(executionId: string | undefined, given: object = acme, more: Partial<ToolOptions> = {}) {
	const credential = ownAccount();
	const parameters = { resource: 'inquiry', operation: 'create' };
	const said = await callTool({ parameters, credential, given: { ...given }, executionId, ...more });
	const answers = JSON.parse(said) as Array<Record<string, any>>;
	return answers.map(
		({ thirdPartyData, ...ours }) => ({ ...ours, told: thirdPartyData as Record<string, any> }) as Record<string, any>,
	);
}

test('an agent that creates three times is billed once', async () => {
	const answers = [await call('v2-1'), await call('v2-1'), await call('v2-1')];
	expect(answers.map(([{ told }]) => told.reused)).toEqual([false, true, true]);
	// Another turn of the chat is another execution.
	expect((await call('v2-2'))[0]).toMatchObject({ told: { id: answers[0][0].told.id, reused: true } });
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

test('a lost answer with Retry On Fail is billed once, and reported', async () => {
	sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', after: true, drop: true });
	sandbox.switches.searchMatch = 'nothing';
	const parameters = { resource: 'inquiry', operation: 'create', options: { advanced: { lookUpWait: 0 } } };
	const [answer] = await call('v2-3', acme, { parameters, retryOnFail: true });
	expect(answer).toMatchObject({
		submission: 'unknown',
		nextStep: expect.stringContaining('Wait a minute, then call again with the same data'),
	});
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

test.each(['mcpTrigger', 'none'] as const)(
	'over MCP a worker has an execution for each call, in the name of %s: the same business is submitted once',
	async (caller) => {
		const business = { ...acme, businessName: `Called by ${caller}` };
		const [first] = await call(`${caller}-1`, business, { caller });
		const [second] = await call(`${caller}-2`, business, { caller });
		expect(second.told).toMatchObject({ id: first.told.id, reused: true });
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	},
);
