import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { type Sandbox, startSandbox } from '../../sandbox';
import type * as SellerTrigger from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import type * as Signing from '../../nodes/BusinessVerification/seller/signing';
import type * as StatusTrigger from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import type * as InProcess from '../harness/inProcess';
import { parameters, strictContext } from '../harness/strictContext';
import { newInquiry } from '../harness/newInquiry';
import { filesEntered, recordProduct } from './recorder';

// The walks of the architecture page, taken: each file that it names is entered, and in that order. The number of files
// that a run enters is what a newcomer has to read.

recordProduct();
const { runNode } = jest.requireActual<typeof InProcess>('../harness/inProcess');
const house = '../../nodes/BusinessVerification';
const { BusinessVerificationTrigger } = jest.requireMock<typeof StatusTrigger>(
	`${house}/BusinessVerificationTrigger.node`,
);
const { BusinessVerificationSellerTrigger } = jest.requireMock<typeof SellerTrigger>(
	`${house}/BusinessVerificationSellerTrigger.node`,
);
const { signCallbackUrl } = jest.requireMock<typeof Signing>(`${house}/seller/signing`);

const page = readFileSync(join(__dirname, '../../docs/development/architecture.md'), 'utf8');

/** The files that a walk names, in order. */
function walk(title: string): string[] {
	const [, section] = page.split(`## ${title}\n`);
	return [...section.split('\n## ')[0].matchAll(/^\d+\. `([\w./]+)`/gm)].map(([, file]) => file);
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
	sandbox.switches.lifecycle = 'manual';
});
afterAll(() => sandbox.close());

const run = (values: INodeParameters, items: object[] = [{}]) =>
	runNode({
		parameters: values,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey },
		items: items as never,
	});

const create = async () => {
	const { items } = await run({ ...newInquiry, businessName: 'Acme' });
	expect(items[0].json).toMatchObject({ status: 'PLANNING' });
	return items[0].json;
};

async function get() {
	const { id } = await create();
	return async () => {
		const { items } = await run({
			resource: 'inquiry',
			operation: 'get',
			inquiryId: { mode: 'id', value: id } as never,
		});
		expect(items[0].json).toMatchObject({ id });
	};
}

async function sheet() {
	const row = { Name: 'Acme', City: 'Springfield', State: 'IL' };
	const rows = [1, 2, 3].map((number) => ({ ...row, Name: `Acme ${number}` }));
	const { items } = await run(
		{ resource: 'batch', operation: 'submit', name: 'Leads', options: { lookupGrace: 0 } },
		rows,
	);
	expect(items).toHaveLength(3);
}

async function poll() {
	const values = { triggerOn: ['completed'] };
	const staticData = {};
	const context = strictContext<never>({
		getNode: () => ({ id: 'n', name: 'Trigger', type: 't', typeVersion: 1, position: [0, 0], parameters: values }),
		getWorkflow: () => ({ id: 'w', name: 'w', active: true }),
		getMode: () => 'trigger',
		getNodeParameter: parameters(values),
		getCredentials: async () => ({ baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey }),
		getWorkflowStaticData: () => staticData,
		logger: { debug: () => undefined, warn: () => undefined },
		helpers: { httpRequestWithAuthentication: send },
	} as never);
	// n8n makes the node once, not for each poll.
	const trigger = new BusinessVerificationTrigger();
	const poll = async (): Promise<INodeExecutionData[][] | null> => await trigger.poll.call(context);
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING', createdFrom: sandbox.clock.now() - 20_000 });
	await poll();
	sandbox.clock.advance(60_000);
	sandbox.inquiries.finish(id);
	return async () => expect(await poll()).toMatchObject([[{ json: { id, event: 'completed' } }]]);
}

async function send(_type: string, { url, method, qs }: { url: string; method: string; qs?: Record<string, string> }) {
	const target = new URL(url);
	for (const [name, value] of Object.entries(qs ?? {})) target.searchParams.set(name, String(value));
	const headers = { authorization: `Bearer ${sandbox.organisation.apiKey}` };
	const answer = await fetch(target, { method, headers });
	return { statusCode: answer.status, headers: { date: answer.headers.get('date') }, body: await answer.json() };
}

async function callback() {
	const secret = 'a long text that chance has made';
	const url = 'https://n8n.example.com/webhook/7/seller-report-7';
	const body = { request_id: 'r1', seller_id: 's1' };
	const proof = new URL(signCallbackUrl(url, { secret, placement: 'query' })).searchParams.get('proof');
	const context = strictContext<never>({
		getNode: () => ({ id: '7', name: 'S', type: 't', typeVersion: 1, position: [0, 0], parameters: {} }),
		getWorkflow: () => ({ id: 'w', name: 'w', active: true }),
		getNodeParameter: parameters({}),
		getCredentials: async () => ({ baseUrl: sandbox.url, callbackSecret: secret, previousCallbackSecret: '' }),
		getMode: () => 'webhook',
		getNodeWebhookUrl: () => url,
		getWorkflowStaticData: () => ({}),
		getRequestObject: () => ({
			originalUrl: `/webhook/7/seller-report-7?proof=${proof}`,
			rawBody: Buffer.from(JSON.stringify(body)),
		}),
		getResponseObject: () => ({ once: () => undefined }),
		getParamsData: () => ({}),
		getQueryData: () => ({ proof }),
		getBodyData: () => body,
		getHeaderData: () => ({}),
		logger: { debug: () => undefined },
	} as never);
	const trigger = new BusinessVerificationSellerTrigger();
	return async () => {
		const { workflowData } = await trigger.webhook.call(context);
		expect(workflowData).toMatchObject([[{ json: { requestId: 'r1', sellerId: 's1' } }]]);
	};
}

interface Walk {
	/** Its title on the page; Inquiry: Get has none of its own. */
	title?: string;
	/** Files of the house as it was merged, and two for what came in later. */
	atMost: number;
	/** What has to be there first is done, and what is recorded returned. */
	begin: () => Promise<() => Promise<unknown>>;
}

const walks: Record<string, Walk> = {
	'Inquiry: Create': { title: 'One create', atMost: 27 + 2, begin: async () => create },
	'Inquiry: Get': { atMost: 23 + 2, begin: get },
	'Batch: Submit, three rows': { title: 'One row of a sheet', atMost: 37 + 2, begin: async () => sheet },
	'a poll': { title: 'One poll', atMost: 30 + 2, begin: poll },
	'a callback': { title: 'One callback', atMost: 14 + 2, begin: callback },
};

it.each(Object.entries(walks))('%s', async (_, { title, atMost, begin }) => {
	const act = await begin();
	const entered = await filesEntered(act);
	if (title !== undefined) {
		const named = walk(title);
		expect(named.length).toBeGreaterThanOrEqual(6);
		expect(named.length).toBeLessThanOrEqual(10);
		expect(entered.filter((file) => named.includes(file))).toEqual(named);
	}
	expect(entered.length).toBeLessThanOrEqual(atMost);
});
