import { type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../harness/inProcess';
import { requests } from './requests';

/** For each request: whether the answer of its tool says what the person asked for. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** The process remembers what agents have submitted, by their account, which a gateway tells by a header. */
let calls = 0;

async function answerOf(tool: string, given: object): Promise<Record<string, any>> {
	const [resource, operation] = tool.split('_');
	const credential = {
		baseUrl: sandbox.url,
		apiKey: sandbox.organization.apiKey,
		extraHeaders: JSON.stringify({ 'X-Request': String(++calls) }),
		sellerStatusPath: '/external/api/v1/seller-detailed/{request_id}/status',
		sellerResultPath: '/external/api/v1/seller-detailed/{request_id}',
	};
	const authored: Record<string, object> = {
		sellerSearch_submit: { callback: `${sandbox.url}/nobody` },
		batch_submit: { options: { advanced: { lookUpWait: 0 } } },
	};
	const parameters = { resource, operation, ...authored[tool] };
	const { items } = await runNode({ parameters, credential, asTool: true, items: [{ ...given }] });
	return items[0].json;
}

/** What is there when the person asks, by the names that the table uses. */
async function scene(): Promise<Record<string, string>> {
	sandbox.reset();
	sandbox.switches.lifecycle = 'manual';
	sandbox.switches.sellerCompleteAtOnce = true;
	const { inquiries, organization } = sandbox;
	const one = (externalIdPrefix: string, more: Parameters<typeof inquiries.seed>[1]) =>
		inquiries.seed(1, { externalIdPrefix, ...more })[0];
	const done = one('crm-471', { businessName: 'Acme Trading LLC', scorecardScore: 82 });
	const partial = one('pine-', { businessName: 'Pine Tree Dairy', status: 'RUNNING' });
	inquiries.finish(partial, 'PARTIAL_SUCCESS');
	const createdFrom = Date.parse('2026-03-02T10:00:00Z');
	const failed = one('inn-', { status: 'FAILED', createdFrom });
	const batch = inquiries.seedBatch('March leads', 4, { status: 'RUNNING', externalIdPrefix: 'lead-' });
	const [first, second, third] = [1, 2, 3].map((row) => inquiries.find(`lead-${row}`)[0].id);
	for (const id of [first, second]) inquiries.finish(id);
	inquiries.finish(third, 'FAILED');
	sandbox.clock.advance(60_000);
	const finishedBatch = inquiries.seedBatch('April leads', 2, { externalIdPrefix: 'shop-' });
	const address = { address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };
	const ordered = await answerOf('sellerSearch_submit', { name: 'Acme', ...address });
	// As a model finds out what it may retry.
	const { thirdPartyData } = await answerOf('inquiry_get', { inquiryId: partial, detail: 'processes' });
	const { processStatuses } = thirdPartyData;
	const search = ordered.thirdPartyData.requestId;
	return {
		...{ done, partial, failed, batch, finishedBatch, search },
		firstOfBatch: inquiries.find('shop-1')[0].id,
		task: Object.entries<{ status: string }>(processStatuses).find(([, { status }]) => status === 'FAILED')![0],
		seller: organization.sellerId,
	};
}

it.each(requests)('$says: the answer of $tool says it', async ({ tool, given, facts }) => {
	const names = await scene();
	const named = <T>(value: T): T =>
		JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name: string) => names[name] ?? all));
	const answer = await answerOf(tool, named(given));
	expect(Object.keys(facts)).not.toEqual([]);
	for (const [path, expected] of Object.entries(facts)) {
		const steps = path.split('.').map(named);
		const told = steps.reduce<any>((place, step) => place?.[step], steps[0] in answer ? answer : answer.thirdPartyData);
		if (expected instanceof RegExp) expect(told).toMatch(expected);
		else expect([path, told]).toEqual([path, named(expected)]);
	}
});
