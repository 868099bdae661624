import { sandbox, useSandbox } from '../harness/sandbox';
import { callTool, type ToolOptions } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

/** How much agents may submit: by the options of their tools, and for each execution, or each credential over MCP. */

useSandbox();

const create = (spendingLimit: unknown) =>
	({
		resource: 'inquiry',
		operation: 'create',
		options: { advanced: { lookUpWait: 0 }, spendingLimit },
	}) as ToolOptions['parameters'];

async function call(
	executionId: string | undefined,
	parameters: ToolOptions['parameters'],
	given: Record<string, unknown>,
	more: Partial<ToolOptions & { apiKey: string }> = {},
) {
	const credential = { baseUrl: sandbox.url, apiKey: more.apiKey ?? sandbox.organization.apiKey };
	const [answer] = JSON.parse(await callTool({ parameters, credential, given, executionId, ...more }));
	return answer as Record<string, any>;
}

let businesses = 0;
const another = () => ({ ...acme, businessName: `Business ${++businesses}` });

it('stops the fourth, before it is sent, and says who can help', async () => {
	for (let time = 0; time < 3; time++) expect(await call('limit-1', create(3), another())).not.toHaveProperty('failed');
	const answer = await call('limit-1', create(3), another());
	expect(answer).toMatchObject({ failed: true, submission: 'none', parameter: 'options.spendingLimit' });
	expect(answer.thirdPartyData.problem).toBe(
		'0 of 3 submissions are left in this execution, and this call would make 1',
	);
	expect(answer.nextStep).toBe(
		"Do not call again: tell the user. Nothing more was submitted. A person can raise 'Spending Limit' in the options of the tool.",
	);
	expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
	expect(sandbox.ledger.count('inquiry')).toBe(3);
	expect(await call('limit-2', create(3), another())).not.toHaveProperty('failed');
});

it.each([
	['Spending Limit', 'spendingLimit', "={{ $fromAI('Spending_Limit', '', 'number') }}"],
	['Spending Limit', 'spendingLimit', "={{ $fromai('limit') }}"],
	['Spending Limit', 'spendingLimit', '={{ $json.Spending_Limit }}'],
	['Spending Limit', 'spendingLimit', '={{ $input.item.json.Spending_Limit }}'],
	['Spending Limit', 'spendingLimit', '={{ $items()[0].json.Spending_Limit }}'],
	['Spending Limit', 'spendingLimit', '={{ $data.Spending_Limit }}'],
	['Spending Limit', 'spendingLimit', '={{ $parameter.externalId }}'],
	['Submit Again if Repeated', 'submitAgain', "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('again') }}"],
])('does not leave %s to the model', async (label, name, chosenByModel) => {
	const tool = { ...create(3), options: { advanced: { lookUpWait: 0 }, spendingLimit: 3, [name]: chosenByModel } };
	const answer = await call('model-1', tool, { ...another(), Spending_Limit: 99, again: true });
	expect(answer).toMatchObject({ failed: true, submission: 'none', parameter: `options.${name}` });
	expect([answer.thirdPartyData.problem, answer.nextStep]).toEqual([
		`'${label}' cannot be left to the model`,
		'Do not call again: tell the user. A person has to set it in the options of the tool.',
	]);
	expect(await call(`model-${businesses}`, create('={{ 1 + 2 }}'), another())).not.toHaveProperty('failed');
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

it('counts what all tools of the execution submit, each row of a batch too', async () => {
	const [inquiryId] = sandbox.inquiries.seed(1, { status: 'FAILED' });
	await call('tools-1', { resource: 'inquiry', operation: 'retryFailed' }, { inquiryId });
	const rows = [another(), another(), another()];
	const rowsJson = JSON.stringify(rows);
	const submit = (spendingLimit: number) => ({
		resource: 'batch',
		operation: 'submit',
		options: { advanced: { lookUpWait: 0 }, spendingLimit },
	});
	expect(await call('tools-1', submit(3), { name: 'Three', rowsJson })).toMatchObject({ failed: true });
	expect(sandbox.ledger.count('batch')).toBe(0);
	expect(await call('tools-1', submit(4), { name: 'Three', rowsJson })).not.toHaveProperty('failed');
	// They are there: to read what came of them is billed by nobody.
	expect(await call('tools-1', submit(4), { name: 'Three', rowsJson })).not.toHaveProperty('failed');
	const { apiKey } = sandbox.addOrganization({});
	expect(await call('tools-1', create(4), another(), { apiKey })).toMatchObject({ failed: true, submission: 'none' });
	expect(sandbox.ledger.count('batch')).toBe(1);
	// Of these, only one is new.
	const more = { name: 'Three', rowsJson: JSON.stringify([...rows, another()]) };
	expect(await call('tools-1', submit(5), more)).not.toHaveProperty('failed');
	expect(sandbox.ledger.count('batch')).toBe(2);
});

it('refuses all rows of a sheet before the first batch of them is sent', async () => {
	const rowsJson = JSON.stringify([another(), another(), another()]);
	const options = { spendingLimit: 2, chunkSize: 1, advanced: { lookUpWait: 0 } };
	const submit = { resource: 'batch', operation: 'submit', options };
	expect(await call('rows-1', submit, { name: 'One by one', rowsJson })).toMatchObject({ failed: true });
	expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('counts no repetition, and nothing that the service refused; what is unknown it counts', async () => {
	const business = another();
	sandbox.faults.add({ method: 'POST', status: 422 });
	expect(await call('refused-1', create(2), business)).toMatchObject({ httpCode: 422 });
	for (let time = 0; time < 3; time++) await call('refused-1', create(2), business);
	sandbox.switches.searchMatch = 'nothing';
	sandbox.faults.add({ method: 'POST', after: true, drop: true });
	expect(await call('refused-1', create(2), another())).toMatchObject({ submission: 'unknown' });
	expect(await call('refused-1', create(2), another())).toMatchObject({ failed: true, submission: 'none' });
	expect(sandbox.ledger.count('inquiry')).toBe(2);
});

it('over MCP it holds for a credential', async () => {
	const before = sandbox.ledger.count('inquiry');
	const { apiKey } = sandbox.addOrganization({});
	for (let time = 0; time < 3; time++) await call(undefined, create(3), another(), { apiKey });
	const refused = await call(undefined, create(3), another(), { apiKey });
	expect(refused.thirdPartyData.problem).toBe('0 of 3 submissions are left in this hour, and this call would make 1');
	expect(await call(undefined, create(1), another())).not.toHaveProperty('failed');
	expect(sandbox.ledger.count('inquiry') - before).toBe(4);
});

it('a limit that says nothing submits nothing; without one there is none', async () => {
	for (const blank of ['={{ "" }}', '={{ " " }}', '={{ $json.limit }}', 'many', 0, 1.5, '']) {
		expect(await call('blank-1', create(blank), another())).toMatchObject({
			failed: true,
			parameter: 'options.spendingLimit',
			nextStep: expect.stringMatching(/^Do not call again: tell the user\./),
		});
	}
	expect(sandbox.requests).toHaveLength(0);
	for (let time = 0; time < 5; time++) await call('blank-1', { resource: 'inquiry', operation: 'create' }, another());
	expect(sandbox.ledger.count('inquiry')).toBe(5);
});
