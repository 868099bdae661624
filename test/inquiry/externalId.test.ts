import type { INodeParameters } from 'n8n-workflow';
import { type Organization } from '../../sandbox';
import { sandbox, submitElsewhere as submit, useSandbox } from '../harness/sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

// "search | matches business name, DBA, EIN, external id": how, in which order and how soon is not shown.

let organization: Organization;
beforeAll(hurry);
useSandbox();
// The process remembers what it has made under an external ID: each test is an organization of its own.
beforeEach(() => {
	organization = sandbox.addOrganization();
});

const create = (ifExternalIdExists: string, options: INodeParameters = {}): INodeParameters => ({
	...newInquiry,
	externalId: '={{ $json.crm }}',
	additionalFields: { businessEin: '={{ $json.ein }}' },
	options: { advanced: { lookUpWait: 0 }, ifExternalIdExists, ...options },
});

/** As it is where nobody has chosen what to do. */
const byDefault: INodeParameters = { ...create('reuse'), options: { advanced: { lookUpWait: 0 } } };

const one = { name: 'One', crm: 'crm-1' };
const two = { name: 'Two', crm: 'crm-2' };
const credential = () => ({ baseUrl: sandbox.url, apiKey: organization.apiKey });
const run = (parameters: INodeParameters, ...items: Array<Record<string, unknown>>) =>
	runNode({ parameters, credential: credential(), items, onError: 'continueErrorOutput' });

async function submitElsewhere(...bodies: Array<Record<string, unknown>>): Promise<string[]> {
	const ids: string[] = [];
	for (const body of bodies) ids.push(await submit(body, organization));
	return ids;
}

const newer = Array.from({ length: 30 }, (_, place) => ({
	businessName: `Later ${place}`,
	businessEin: `1001${String(10_000 + place)}`,
}));

describe.each([
	['rows with the external ID', true],
	['rows without it', false],
])('behind 30 newer inquiries that match too, in %s', (_, listRowsExternalId) => {
	it('is reused, and stops the item where that is wished', async () => {
		sandbox.switches.listRowsExternalId = listRowsExternalId;
		const [first] = await submitElsewhere({ businessName: 'First', externalId: '1001' }, ...newer);
		const items = [
			{ name: 'First', crm: '1001' },
			{ name: 'New', crm: 'crm-2' },
		];

		const reused = await run(create('reuse'), ...items);
		expect(reused.items.map(({ json }) => [json.reused, json.externalId])).toEqual([
			[true, '1001'],
			[false, 'crm-2'],
		]);
		expect(reused.items[0].json.id).toBe(first);

		const stopped = await run(create('stop'), ...items);
		expect(stopped.items).toEqual([]);
		expect(stopped.failed.map(({ json }) => (json.error as { message: string }).message)).toEqual([
			expect.stringContaining(first),
			expect.stringContaining("'crm-2' exists"),
		]);
		expect(sandbox.ledger.count('inquiry')).toBe(32);
	});
});

describe.each([
	['external_id', (id: string, externalId: string | null) => ({ id, external_id: externalId })],
	['the inquiry inside', (id: string, externalId: string | null) => ({ id: 'row', inquiry: { id, externalId } })],
	['a number', (id: string, externalId: string | null) => ({ id, externalId: externalId && Number(externalId) })],
])('in rows with %s', (_, row) => {
	it('is found without a read of each inquiry', async () => {
		const items = [row('inquiry-1', null), row('inquiry-2', '10011'), row('inquiry-3', '1001')];
		sandbox.faults.add({ method: 'GET', path: /inquiries\/?$/, status: 200, body: { items }, times: Infinity });
		const { items: made, failed } = await run(create('stop'), { name: 'One', crm: '1001' }, { name: 'Two', crm: '2' });
		expect(failed.map(({ json }) => json.error)).toEqual([
			{
				message: "An inquiry with external ID '1001' exists: inquiry-3",
				description: "Nothing was submitted for it. Enter another 'External ID', or choose 'Reuse the Inquiry'.",
				...{ itemIndex: 0, kind: 'row', parameter: 'externalId' },
			},
		]);
		expect(made.map(({ json }) => [json.externalId, 'reused' in json])).toEqual([['2', false]]);
		expect(sandbox.requests.filter(({ path }) => /inquiries\/.+/.test(path))).toEqual([]);
	});
});

describe('a reused inquiry', () => {
	const mine = { name: 'Acme Trading LLC', crm: 'crm-1' };
	const another = { name: 'Completely Different Inc', crm: 'crm-2' };
	const submitted = () =>
		submitElsewhere(
			{ businessName: 'Acme Trading LLC', externalId: 'crm-1' },
			{ businessName: 'Beta', externalId: 'crm-2' },
		);
	const toldOf = (items: Array<{ json: Record<string, unknown> }>) =>
		items.map(({ json }) => [json.businessName, json.enteredName, json.reused, json.problem, json.summary]);
	const notFound =
		"The inquiry with External ID 'crm-2' may be of another business: the service does not find it by the name 'Completely Different Inc'. To verify yours, which is billed, use another External ID.";
	const unchecked = (id: string) =>
		`Could not check under which name the inquiry with External ID '${id}' was submitted.`;
	const searches = () => sandbox.requests.flatMap(({ query }) => query.search ?? []);

	it.each(['full', 'summary'] as const)('from %s rows keeps its name, and says whose it is', async (listRows) => {
		Object.assign(sandbox.switches, { listRows, listRowsCompletedAt: false });
		sandbox.clock.set(Date.parse('2026-03-02T09:00:00Z'));
		await submitted();
		const { items, hints } = await run(create('reuse'), mine, another, { name: 'New', crm: 'crm-3' });
		expect(toldOf(items)).toEqual([
			[mine.name, undefined, true, undefined, `${mine.name}: not finished yet (PLANNING).`],
			[null, another.name, true, notFound, 'External ID crm-2: not finished yet (PLANNING).'],
			['New', undefined, false, undefined, 'New: not finished yet (PLANNING).'],
		]);
		expect(Object.keys(items[0].json)).toEqual(Object.keys(items[2].json));
		expect(Object.keys(items[1].json).slice(0, 5)).toEqual([
			...['businessName', 'enteredName', 'status', 'scorecardScore', 'reused'],
		]);
		expect(hints).toEqual([
			`Reused, not billed again: the inquiry of 2026-03-02 09:00 UTC with External ID 'crm-1'. Only the business name was compared. The same for 1 more item.`,
			`${notFound} Verification takes a while. To get this result, which bills nothing, run 'Inquiry: Wait' with its ID or External ID. For later runs, turn on 'Wait for Completion', or start a workflow 'On verification finished'.`,
		]);
		expect(searches().sort()).toEqual([
			'Acme Trading LLC',
			'Completely Different Inc',
			'crm-1',
			'crm-2',
			'crm-3',
			'crm-3',
		]);
		expect(sandbox.ledger.count('inquiry')).toBe(3);
	});

	it('made by this process needs no search, in another spelling neither, and where the search is late', async () => {
		sandbox.switches.searchDelayMs = 600_000;
		await run(create('reuse'), mine, { ...another, name: 'Beta' });
		sandbox.requests.clear();
		const { items } = await run(create('reuse'), { ...mine, name: 'ACME Trading, L.L.C.' }, another);
		expect(toldOf(items).map(([name, , isReused, problem]) => [name, isReused, problem])).toEqual([
			['ACME Trading, L.L.C.', true, undefined],
			[null, true, notFound],
		]);
		expect(searches()).toEqual(['Completely Different Inc']);
	});

	it('has the name that the service shows', async () => {
		sandbox.switches.echoBusinessName = true;
		await submitted();
		const { items } = await run(create('reuse'), mine, another);
		expect(toldOf(items)).toEqual([
			[mine.name, undefined, true, undefined, expect.stringMatching(/^Acme Trading LLC: /)],
			['Beta', another.name, true, notFound, expect.stringMatching(/^Beta: /)],
		]);
		expect(searches().filter((search) => search === mine.name)).toEqual([]);
	});

	it('is said to be unchecked where the search by name fails, or finds more than a page', async () => {
		await submitted();
		sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/$/, skip: 1, status: 403 });
		const rows = Array.from({ length: 500 }, (_, row) => ({ id: `row-${row}` }));
		sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/$/, skip: 2, body: { items: rows } });
		const { items, failed, hints } = await run(create('reuse', { advanced: { concurrency: 1 } }), mine, another);
		expect([failed, hints[0]]).toEqual([[], `${unchecked('crm-1')} The same for 1 more item.`]);
		expect(hints[1]).not.toContain('compared');
		expect(toldOf(items)).toEqual([
			[null, mine.name, true, unchecked('crm-1'), expect.stringMatching(/^External ID crm-1: /)],
			[null, another.name, true, unchecked('crm-2'), expect.stringMatching(/^External ID crm-2: /)],
		]);
	});

	it('that may be of another business is told first with what to do for this one, then with its result', async () => {
		await submitted();
		const { hints } = await run(create('reuse', { advanced: { concurrency: 1 } }), another, mine);
		expect(hints).toEqual([
			notFound,
			expect.stringMatching(/^Reused, .*'crm-2'\. The same for 1 more item\. Verification takes a while\. To get /),
		]);
		for (const hours of [0, 1]) {
			sandbox.clock.advance(hours * 3_600_000);
			const { hints: alone } = await run(create('reuse'), another);
			expect(alone).toEqual([notFound, expect.stringMatching(/^Reused, .*'crm-2'\.$/)]);
		}
	});

	it('that does not finish says so, and no wait is advised for one that may be of another business', async () => {
		await submitted();
		const waits = { waitForCompletion: true, waitingOptions: { maxWait: 0 } };
		const { failed } = await run({ ...create('reuse'), ...waits }, another, mine);
		expect(String((failed[0].json.error as Error).message)).toMatch(/did not .*, and may be of another business/);
		expect(failed.map(({ json }) => (json.error as { description: string }).description)).toEqual([
			expect.stringMatching(
				/^Reused, .*'crm-2'\. Its last status was PLANNING\. The inquiry .* use another External ID\. Do not wait for this one: it may not be yours\.$/,
			),
			expect.stringMatching(/^Reused, .*'crm-1'\. Its last status was PLANNING\. Do not submit it again: run /),
		]);
	});

	it('that has finished is told with the way to verify it again', async () => {
		await submitted();
		sandbox.clock.advance(3_600_000);
		const { hints } = await run(create('reuse'), mine, { name: 'New', crm: 'crm-3' });
		expect(hints[0]).toMatch(
			/^Reused, .*'crm-1'\. Only .* To verify again, which is billed, enter another External ID, or add the option 'If External ID Exists' with 'Create Anyway'\./,
		);
	});
});

const doubled = expect.stringMatching(
	/^2 inquiries have the external ID 'crm-1' \(\S+, \S+\), perhaps because two runs created them at the same moment\. Check whether both were billed\./,
);

it('two inquiries with one external ID are reported, whether the first is reused or stops the item', async () => {
	const ids = await submitElsewhere(
		{ businessName: 'First', externalId: 'crm-1' },
		{ businessName: 'Second', externalId: 'crm-1' },
		{ businessName: 'Other', externalId: 'crm-2' },
	);
	const items = [
		{ name: 'First', crm: 'crm-1' },
		{ name: 'Other', crm: 'crm-2' },
	];
	const { items: reused, hints } = await run(create('reuse'), ...items);
	expect(hints).toContainEqual(doubled);
	expect(reused.map(({ json }) => [json.reused, json.problem])).toEqual([
		[true, doubled],
		[true, undefined],
	]);
	expect([reused[0].json.id, ...(reused[0].json.alsoSentAs as string[])].sort()).toEqual(ids.slice(0, 2).sort());

	const { failed } = await run(create('stop'), ...items);
	const [message] = failed.map(({ json }) => (json.error as { message: string }).message);
	for (const id of ids.slice(0, 2)) expect(message).toContain(id);
});

it('two inquiries with one external ID are reported by the run that made the second', async () => {
	sandbox.clock.freeze();
	sandbox.switches.inquiryListDelayMs = 1;
	const [other] = await submitElsewhere({ businessName: 'One', externalId: 'crm-1' });
	sandbox.switches.inquiryListDelayMs = 0;
	sandbox.faults.add({ method: 'POST', bodyContains: 'crm-1', delayMs: 500 });
	const running = run(create('reuse'), one, two);
	const posts = () =>
		sandbox.requests.filter(({ method, body }) => method === 'POST' && /crm-1/.test(JSON.stringify(body)));
	while (posts().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
	sandbox.clock.advance(1);
	const { items } = await running;
	expect(items.map(({ json }) => [json.reused, json.alsoSentAs, json.problem])).toEqual([
		[false, [other], doubled],
		[false, undefined, undefined],
	]);
	expect(sandbox.ledger.count('inquiry')).toBe(3);
});

it('an item fails where the list shows no IDs, and the other items go on', async () => {
	await submitElsewhere({ businessName: 'First', externalId: 'crm-1' });
	sandbox.switches.listRowsId = 'none';
	const { items, failed } = await run(create('reuse'), { name: 'First', crm: 'crm-1' }, { name: 'New', crm: 'crm-2' });
	expect(items.map(({ json }) => json.externalId)).toEqual(['crm-2']);
	expect(failed[0].json.error).toEqual({
		message: "Could not check for an existing inquiry with external ID 'crm-1': a listed inquiry has no ID",
		description:
			"Nothing was submitted for it. Search for it with 'Get Many'. 'Create Anyway' or another 'External ID' submits it, and bills it again if it exists.",
		...{ itemIndex: 0, kind: 'settings', parameter: 'externalId' },
	});
	expect(sandbox.ledger.count('inquiry')).toBe(2);
});

it('nothing is submitted where the list is refused', async () => {
	sandbox.switches.listRefused = 'inquiries';
	const { items, failed } = await run(create('reuse'), { name: 'First', crm: 'crm-1' }, { name: 'New', crm: 'crm-2' });
	expect([items.length, failed.length]).toEqual([0, 2]);
	expect(sandbox.ledger.count('inquiry')).toBe(0);
});

const lost = () => sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', drop: true, after: true });

it('an inquiry is searched for once if the service refuses to create it', async () => {
	sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', status: 422, body: {} });
	const items = [one, two];
	const { items: created, failed } = await run(create('reuse', { advanced: { concurrency: 1 } }), ...items);
	expect(created.map(({ json }) => json.externalId)).toEqual(['crm-2']);
	expect(failed[0].json.error).toMatchObject({ itemIndex: 0, httpCode: 422 });
	const searches = sandbox.requests.flatMap(({ query }) => query.search ?? []);
	expect(searches).toEqual(['crm-1', 'crm-2', 'crm-2']);
});

describe('with Retry On Fail', () => {
	const tried = (ifExists: string, onError: 'stopWorkflow' | 'continueRegularOutput', ...names: string[]) =>
		runNode({
			parameters: create(ifExists, { advanced: { lookUpWait: 0, concurrency: 1 } }),
			credential: credential(),
			items: names.map((name) => ({ name, crm: 'crm-1' })),
			onError,
			retryOnFail: true,
		});

	const searched = 'it is searched for first.';
	it.each([
		['reuse', `Run the node again in a minute: ${searched}`],
		['stop', `Run the node again in a minute: ${searched}`],
		['create', `Run the node again in a minute with 'If External ID Exists' set to 'Reuse the Inquiry': ${searched}`],
	])('an item whose request was lost does not take the inquiry of another for its own: %s', async (ifExists, said) => {
		const told = { error: expect.objectContaining({ submission: 'unknown', description: said }) };
		sandbox.faults.add({ method: 'POST', bodyContains: '"Acme"', drop: true });
		// The second execution creates it between two tries of the first.
		const runs = ['Acme', 'Beta'].map((name) => tried(ifExists, 'continueRegularOutput', name));
		const [acme, beta] = (await Promise.all(runs)).map(({ items }) => items.map(({ json }) => json));
		expect([acme, beta]).toEqual([
			[expect.objectContaining(told)],
			[expect.objectContaining({ businessName: 'Beta' })],
		]);
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	});

	it('an item whose request was billed without an answer is not called reused', async () => {
		sandbox.switches.inquiryListDelayMs = 3_600_000;
		sandbox.faults.add({ method: 'POST', drop: true, after: true });
		const [first, second] = await Promise.all(
			['Acme', 'Acme'].map((name) => tried('reuse', 'continueRegularOutput', name)),
		);
		const open = { error: expect.objectContaining({ submission: 'unknown' }) };
		expect(first.items.map(({ json }) => json)).toEqual([expect.objectContaining(open)]);
		expect([second.items[0].json.reused, sandbox.ledger.count('inquiry')]).toEqual([false, 2]);
	});

	it('an ID whose first request got no answer is not sent again by another item of the run', async () => {
		sandbox.switches.inquiryListDelayMs = 3_600_000;
		lost();
		const { items } = await tried('reuse', 'continueRegularOutput', 'Acme', 'Acme');
		const description = 'Run the node again in a minute: it is searched for first.';
		const open = { error: expect.objectContaining({ submission: 'unknown', description }) };
		expect(items.map(({ json }) => json)).toEqual(Array(2).fill(expect.objectContaining(open)));
		expect(sandbox.ledger.count('inquiry')).toBe(1);
		sandbox.clock.advance(3_600_000);
		const again = await tried('reuse', 'continueRegularOutput', 'Acme', 'Acme');
		expect(again.items.map(({ json }) => json.reused)).toEqual([true, true]);
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	});

	it.each([
		['was lost', { drop: true, after: true }],
		['met a conflict, because a proxy repeated it', { status: 409, after: true }],
	])('an inquiry found after its answer %s stays the item’s own in the next try', async (_, fault) => {
		sandbox.faults.add({ method: 'POST', ...fault });
		sandbox.faults.add({ method: 'POST', bodyContains: '"crm-2"', status: 422, times: 2 });
		const { items } = await runNode({
			parameters: create('stop', { advanced: { lookUpWait: 0, concurrency: 1 } }),
			credential: credential(),
			items: [
				{ name: 'Acme', crm: 'crm-1' },
				{ name: 'Beta', crm: 'crm-2' },
			],
			retryOnFail: true,
		});
		expect(items.map(({ json }) => json.businessName)).toEqual(['Acme', 'Beta']);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	it('an inquiry found by its look-up is among what was accepted, where another item stops the run', async () => {
		lost();
		sandbox.faults.add({ method: 'POST', bodyContains: '"crm-2"', status: 422, times: Infinity });
		const { error } = await runNode({
			parameters: create('stop', { advanced: { lookUpWait: 0, concurrency: 1 } }),
			credential: credential(),
			items: [
				{ name: 'Acme', crm: 'crm-1' },
				{ name: 'Beta', crm: 'crm-2' },
			],
		});
		expect(error!.description).toContain(`Submitted: item 1 (Acme, ${sandbox.ledger[0].id}).`);
	});
});

it('a conflict is looked up once, and stays a refusal if nothing is found', async () => {
	sandbox.faults.add({ method: 'POST', status: 409, after: true, bodyContains: 'crm-1' });
	sandbox.faults.add({ method: 'POST', status: 409, bodyContains: 'crm-2' });
	const { items, failed } = await run(create('reuse'), one, two);
	expect(items.map(({ json }) => [json.externalId, json.reused])).toEqual([['crm-1', false]]);
	expect(failed.map(({ json }) => json.error)).toEqual([expect.objectContaining({ httpCode: 409, itemIndex: 1 })]);
	expect(failed[0].json.error).not.toHaveProperty('submission');
	expect(sandbox.requests.flatMap(({ query }) => query.search ?? []).sort()).toEqual([
		...['One', 'crm-1', 'crm-1', 'crm-2', 'crm-2'],
	]);
});

it.each([
	['reuse', [[null, 'Beta', true, undefined]], []],
	['stop', [], [409]],
] as const)(
	'a conflict with the inquiry of another business is never its own: %s',
	async (ifExists, given, refused) => {
		await submitElsewhere({ businessName: 'Acme', externalId: 'crm-1' });
		sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/$/, body: { items: [], total: 0 } });
		sandbox.faults.add({ method: 'POST', status: 409, bodyContains: 'crm-1' });
		const mine = { name: 'Beta', crm: 'crm-1' };
		const { items, failed } = await run(create(ifExists, { advanced: { concurrency: 1 } }), mine, {
			name: 'C',
			crm: 'c',
		});
		const [last, ...others] = items.map(({ json }) => json).reverse();
		expect(last).toMatchObject({ businessName: 'C' });
		expect(others.map((json) => [json.businessName, json.enteredName, json.reused, json.alsoSentAs])).toEqual(given);
		expect(failed.map(({ json }) => (json.error as { httpCode: number }).httpCode)).toEqual(refused);
	},
);

describe('an answer that got lost', () => {
	it('is reported if nothing is found, and the next item with this ID waits for it', async () => {
		lost();
		sandbox.clock.freeze();
		sandbox.switches.inquiryListDelayMs = 1_500;
		const { items, failed } = await run(create('reuse', { advanced: { lookUpWait: 1, concurrency: 1 } }), one, two);
		expect(items.map(({ json }) => json.externalId)).toEqual(['crm-2']);
		expect(failed[0].json.error).toMatchObject({ itemIndex: 0, submission: 'unknown' });

		const later = run(create('reuse', { advanced: { lookUpWait: 3 } }), one);
		sandbox.clock.advance(1_500);
		const again = await later;
		expect(again.items.map(({ json }) => json.reused)).toEqual([true]);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	it('stays unconfirmed if it cannot be searched for, until a later item with its ID finds it', async () => {
		lost();
		sandbox.faults.add({ method: 'GET', path: /inquiries\/?$/, skip: 1, status: 400, body: {} });
		const { items, failed } = await run(create('reuse', { advanced: { concurrency: 1 } }), one, two, one);
		expect(items.map(({ json }) => [json.externalId, json.reused])).toEqual([
			['crm-2', false],
			['crm-1', true],
		]);
		expect(failed.map(({ json }) => json.error)).toMatchObject([{ itemIndex: 0, submission: 'unknown' }]);
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	it('is remembered by "Create Anyway", whose advice is to run again with "Reuse"', async () => {
		lost();
		sandbox.switches.inquiryListDelayMs = 1_000;
		const { failed } = await run(create('create'), one);
		expect(failed[0].json.error).toMatchObject({ submission: 'unknown' });
		const again = await run(create('reuse', { advanced: { lookUpWait: 2 } }), one);
		expect(again.items.map(({ json }) => json.reused)).toEqual([true]);
		expect(sandbox.ledger.count('inquiry')).toBe(1);
	});
});

it('an inquiry is created, also if it cannot be read afterwards', async () => {
	sandbox.faults.add({ method: 'GET', path: /inquiries\/?$/, skip: 1, status: 400, body: {} });
	const { items, failed } = await run(create('reuse', { advanced: { concurrency: 1 } }), one, two);
	expect(items.map(({ json }) => [json.externalId, json.reused])).toEqual([
		['crm-1', false],
		['crm-2', false],
	]);
	expect(failed).toEqual([]);
});

it('an inquiry is not submitted again where neither list nor read shows it yet', async () => {
	Object.assign(sandbox.switches, { inquiryListDelayMs: 60_000, readDelayMs: 60_000 });
	sandbox.faults.add({ method: 'POST', bodyContains: 'crm-2', body: { id: 'an answer without external ID' } });
	const { items } = await run(create('reuse', { advanced: { concurrency: 1 } }), one, one, two, two);
	const [made, again, , withoutId] = items.map(({ json }) => json);
	expect([made.reused, withoutId.reused, withoutId.problem]).toEqual([false, true, undefined]);
	// What is kept of it. Fields that no result has yet are not.
	expect(again).toEqual({ ...made, reused: true, scorecardScore: undefined, completedAt: undefined });
	expect(sandbox.ledger.count('inquiry')).toBe(1);
});

const changed =
	'The inquiry has a different external ID in the service, so it will not be found by the one you submitted.';

it.each([
	['number', '1001', undefined],
	['upperCase', 'crm-1', changed],
])('kept by the service as %s: the output says when it is not found again', async (stored, crm, problem) => {
	sandbox.switches.externalIdStored = stored as never;
	const { items } = await run(create('reuse'), { name: 'One', crm }, { name: 'Two', crm: '2002' });
	expect(items.map(({ json }) => json.problem)).toEqual([problem, undefined]);
});

it('a reused inquiry that cannot be read fails its item, instead of going out with what it was when it was made', async () => {
	const [made, other] = (await run(byDefault, one, two)).items;
	sandbox.faults.add({ path: `/v1/inquiries/${made.json.id}`, status: 403, times: Infinity });
	const { items, failed } = await run(byDefault, one, two);
	expect(items.map(({ json }) => [json.id, json.reused])).toEqual([[other.json.id, true]]);
	expect(failed.map(({ json }) => json.error)).toEqual([expect.objectContaining({ httpCode: 403, itemIndex: 0 })]);
	expect(failed[0].json.error).not.toHaveProperty('submission');
	expect(sandbox.ledger.count('inquiry')).toBe(2);
});

it('that the service stored another external ID is said beside the output, too, which may not show it', async () => {
	sandbox.switches.externalIdStored = 'upperCase';
	const { items, hints } = await run(create('reuse', { output: 'selectedFields', outputFields: 'status' }), {
		name: 'One',
		crm: 'crm-1',
	});
	expect(Object.keys(items[0].json)).not.toContain('problem');
	expect(hints[0]).toContain(changed);
});

it('an external ID that an expression leaves blank fails its item, and three runs bill the others once', async () => {
	for (const ifExternalIdExists of ['reuse', 'stop']) {
		for (let time = 0; time < 3; time++) {
			const { failed } = await run(
				create(ifExternalIdExists),
				{ name: 'Without' },
				{ name: 'Blank', crm: ' ' },
				{ name: 'No value', crm: 'N/A' },
			);
			expect(failed.map(({ json }) => json.error)).toEqual(
				Array(3).fill(
					expect.objectContaining({
						message: expect.stringContaining("'External ID' is empty because its expression returned nothing"),
						parameter: 'externalId',
					}),
				),
			);
		}
	}
	expect(sandbox.ledger.count()).toBe(0);
	expect((await run(create('create'), { name: 'Acme' })).items).toHaveLength(1);
});

it('an external ID is compared by a read where list rows are summaries that say null', async () => {
	const [other, id] = await submitElsewhere(
		{ businessName: 'Other' },
		{ businessName: 'crm-1 Ltd', externalId: 'crm-1' },
	);
	const rows = [{ externalId: null }, { id, externalId: null }].map((row) => ({
		id: other,
		status: 'PLANNING',
		...row,
	}));
	const body = { total: 2, limit: 500, offset: 0, items: rows };
	sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/$/, body });
	const { items } = await run(create('reuse'), one);
	expect(items.map(({ json }) => [json.reused, json.id])).toEqual([[true, id]]);
});

it.each([
	[200, null, [1]],
	[201, null, [0, 'the list shows no external IDs']],
	[9_999, 'crm-1', [1]],
	[10_000, 'crm-1', [0, 'it matches 10000 inquiries or more']],
	[10_000, 'crm-', [0]],
])(
	'nothing is submitted where more match than are compared: of %i that show %s, %j',
	async (count, shown, [submitted, why]) => {
		const externalId = (row: number) => shown && `${shown}${row}`;
		const items = Array.from({ length: count }, (_, row) => ({
			id: `row-${row}`,
			status: 'PLANNING',
			externalId: externalId(row),
		}));
		const record = { id: 'row', status: 'PLANNING', externalId: 'crm-2' };
		const list = { total: count, limit: 500, offset: 0, items };
		sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/$/, body: list, times: Infinity });
		sandbox.faults.add({ method: 'GET', path: /^\/v1\/inquiries\/row-/, body: record, times: Infinity });
		const { failed } = await run(create('reuse'), one);
		const told = `Could not check for an existing inquiry with external ID 'crm-1': ${why}`;
		expect(failed.map(({ json }) => (json.error as Error).message)).toEqual(why === undefined ? [] : [told]);
		expect(sandbox.ledger.count('inquiry')).toBe(submitted);
	},
);
