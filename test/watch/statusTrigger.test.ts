import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
} from 'n8n-workflow';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { type Sandbox, startSandbox } from '../../sandbox';
import { example } from '../e2e/examples';
import { hurry } from '../harness/hurry';
import { parameters, strictContext } from '../harness/strictContext';

let sandbox: Sandbox;
let nodes = 0;

beforeAll(async () => {
	hurry();
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
let passed = 0;
const { now } = Date;
beforeEach(() => {
	passed = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + passed);
	sandbox.reset();
	sandbox.switches.lifecycle = 'manual';
});

interface Setting {
	values?: object;
	staticData?: IDataObject;
	/** What all nodes of the workflow share. */
	shared?: IDataObject;
	mode?: 'trigger' | 'manual';
	budgetMs?: number;
	id?: string;
	name?: string;
	node?: { poll: BusinessVerificationTrigger['poll'] };
	workflow?: string;
	/** n8n's scheduler gives each poll the data of the workflow, or data of its own. */
	cursor?: 'shared' | 'durable';
	key?: () => string;
}

const all = ['completed', 'created', 'failed', 'partialSuccess', 'statusChanged'];

/** One trigger in an active workflow, with what n8n stored of it. */
function trigger({
	values = {},
	staticData = {},
	shared = {},
	mode = 'trigger',
	budgetMs,
	id: givenId,
	name = 'Trigger',
	node = new BusinessVerificationTrigger(),
	workflow = 'workflow',
	key = () => sandbox.organization.apiKey,
	cursor,
}: Setting = {}) {
	const id = givenId ?? `node-${++nodes}`;
	// A restart: the process would remember the node by its ID, so another one goes on with its data.
	if (givenId === undefined && staticData.state) (staticData.state as IDataObject).id = id;
	const warnings: string[] = [];
	const timeouts = new Set<number>();
	const settings = { triggerOn: ['finished'], ...values };
	const context = strictContext<IPollFunctions>({
		getNode: () => ({
			id,
			name,
			type: 'businessVerificationTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: settings,
		}),
		getWorkflow: () => ({ id: workflow, name: 'w', active: true }),
		getMode: () => mode,
		getNodeParameter: parameters(settings),
		getCredentials: async () => ({ baseUrl: sandbox.url, apiKey: key() }),
		getWorkflowStaticData: (kind: string) => (kind === 'global' ? shared : staticData),
		logger: { debug: () => undefined, warn: (message: string) => void warnings.push(message) },
		helpers: { httpRequestWithAuthentication: sendWith(key, timeouts) },
		...(budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs }),
		...(cursor && { workflow: { getStaticData: () => (cursor === 'shared' ? staticData : {}) } }),
	} as never);
	const poll = async () => ((await node.poll.call(context)) ?? [[]])[0].map(({ json }: INodeExecutionData) => json);
	return { id, poll, staticData, shared, warnings, timeouts, saved: () => JSON.stringify(staticData) };
}

/** n8n's helper as far as the node relies on it, over real HTTP. */
const sendWith =
	(key: () => string, timeouts: Set<number>) =>
	async (_type: string, options: { url: string; method: string; qs?: Record<string, string>; timeout: number }) => {
		timeouts.add(options.timeout - 2_000);
		const url = new URL(options.url);
		for (const [name, value] of Object.entries(options.qs ?? {})) url.searchParams.set(name, String(value));
		const response = await fetch(url, {
			method: options.method,
			headers: { authorization: `Bearer ${key()}` },
		});
		const headers: Record<string, string> = {};
		response.headers.forEach((value, name) => (headers[name] = value));
		const text = await response.text();
		return { statusCode: response.status, headers, body: text && JSON.parse(text) };
	};

/** Time passes at the service and here. */
function minutes(count: number): void {
	const then = sandbox.clock.now() + count * 60_000;
	passed += count * 60_000;
	sandbox.clock.set(then);
}

/** Inquiries created at this time. */
const createdAt = (time: number) => ({ createdFrom: time, createdTo: time });

const requestsOf = async (act: () => Promise<unknown>) => {
	sandbox.requests.clear();
	await act();
	return sandbox.requests.map(({ method, path }) => `${method} ${path}`);
};

it('reports nothing at activation, then each completion once, and a second completion again', async () => {
	const [good, bad] = sandbox.inquiries.seed(2, { status: 'RUNNING', createdFrom: sandbox.clock.now() - 20_000 });
	sandbox.inquiries.seed(3);
	const { poll } = trigger();
	expect(await poll()).toEqual([]);
	expect(await poll()).toEqual([]);

	minutes(1);
	sandbox.inquiries.finish(good);
	sandbox.inquiries.finish(bad, 'FAILED');
	const first = await poll();
	expect(first).toMatchObject([
		{ id: good, status: 'COMPLETED', event: 'completed', previousStatus: 'RUNNING', isFinal: true },
		{ id: bad, status: 'FAILED', event: 'failed', previousStatus: 'RUNNING', isFinal: true },
	]);
	expect(first[0]).toMatchObject({
		detectedAt: expect.stringMatching(/^\d{4}-.*Z$/),
		deduplicationKey: `${good}:COMPLETED:${String(first[0].completedAt).slice(0, 19)}Z`,
	});
	expect(await poll()).toEqual([]);

	// Ten minutes after an end it cannot be an old copy that shows it running.
	minutes(11);
	sandbox.inquiries.move(good, 'RUNNING');
	expect(await poll()).toEqual([]);
	minutes(1);
	sandbox.inquiries.finish(good);
	const again = await poll();
	expect(again).toEqual([expect.objectContaining({ id: good, event: 'completed', previousStatus: 'RUNNING' })]);
	expect(again[0].deduplicationKey).not.toBe(first[0].deduplicationKey);
	expect(await poll()).toEqual([]);
});

it('names every change it sees, and invents none', async () => {
	const { poll } = trigger({ values: { triggerOn: all } });
	await poll();
	minutes(1);
	const [slow] = sandbox.inquiries.seed(1, { status: 'PLANNING', ...createdAt(sandbox.clock.now()) });
	expect((await poll()).map(({ event, status, previousStatus }) => [event, status, previousStatus])).toEqual([
		['created', 'PLANNING', undefined],
	]);
	sandbox.inquiries.move(slow, 'ENRICHING');
	expect((await poll()).map(({ event, status, previousStatus }) => [event, status, previousStatus])).toEqual([
		['statusChanged', 'ENRICHING', 'PLANNING'],
	]);
	minutes(1);
	sandbox.inquiries.finish(slow, 'PARTIAL_SUCCESS');
	expect((await poll()).map(({ event, previousStatus }) => [event, previousStatus])).toEqual([
		['partialSuccess', 'ENRICHING'],
	]);
});

it('includes the last hours at the first activation when asked to', async () => {
	const now = sandbox.clock.now();
	const hour = 3_600_000;
	sandbox.inquiries.seed(1, createdAt(now - 30 * hour));
	const [recent] = sandbox.inquiries.seed(1, createdAt(now - 2 * hour));
	const { poll } = trigger({ values: { startingPoint: 'lookBack', lookBackHours: 3 } });
	expect((await poll()).map(({ id }) => id)).toEqual([recent]);
	expect(await poll()).toEqual([]);
});

it('shows a real sample in the editor and changes nothing', async () => {
	const now = sandbox.clock.now();
	const [failed] = sandbox.inquiries.seed(1, { status: 'FAILED', ...createdAt(now - 60_000) });
	const [running] = sandbox.inquiries.seed(1, { status: 'RUNNING', ...createdAt(now) });
	const { poll, saved } = trigger({ mode: 'manual', values: { triggerOn: ['failed'] } });
	const [sample] = await poll();
	expect(sample).toMatchObject({ id: failed, event: 'failed' });
	expect(sample).not.toHaveProperty('previousStatus');
	expect(await poll()).toHaveLength(1);
	const none = trigger({ mode: 'manual', values: { triggerOn: ['partialSuccess'] } });
	expect(await none.poll()).toMatchObject([{ id: running, event: 'created' }]);
	expect(saved()).toBe('{}');
});

it('says so in the editor when there is nothing to show', async () => {
	await expect(trigger({ mode: 'manual' }).poll()).rejects.toThrow('No sample data yet');
});

it('lets an overlapping poll pass by', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const { poll } = trigger();
	await poll();
	minutes(1);
	sandbox.inquiries.finish(id);
	const both = await Promise.all([poll(), poll()]);
	expect(both.map((items) => items.length)).toEqual([1, 0]);
	expect(await poll()).toEqual([]);
});

it('polls at the same time as a copy of its workflow, whose node has the same ID', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const both = ['first', 'copy'].map((workflow) => trigger({ id: 'copied', workflow }));
	expect(await Promise.all(both.map(({ poll }) => poll()))).toEqual([[], []]);
	minutes(1);
	sandbox.inquiries.finish(id);
	const reported = await Promise.all(both.map(({ poll }) => poll()));
	expect(reported.map((items) => items.map((item) => item.id))).toEqual([[id], [id]]);
});

it.each([
	[429, { 'retry-after': '7' }, 'rate-limited', 7_000],
	[401, {}, 'credential-invalid', undefined],
])(
	'loses nothing by a page that fails with %d, and tells the scheduler why',
	async (status, headers, cause, retryAfterMs) => {
		const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
		const { poll, saved } = trigger({ budgetMs: 36_000 });
		await poll();
		minutes(1);
		sandbox.inquiries.finish(id);
		const before = saved();
		sandbox.faults.add({ path: '/v1/inquiries/', skip: 1, status, headers });
		const error = (await poll().catch((failure: unknown) => failure)) as { failure?: object; httpCode: string };
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: String(status) });
		expect(error.failure).toMatchObject({ cause, ...(retryAfterMs ? { retryAfterMs } : {}) });
		// What it read before is not read again.
		expect(saved()).not.toBe(before);
		expect((await poll()).map((item) => item.id)).toEqual([id]);
	},
);

it('applies result filters when an inquiry has finished, and reports no others', async () => {
	const [good, poor] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const { poll } = trigger({ values: { filters: { scorecard_score_min: 700 } } });
	await poll();
	minutes(1);
	sandbox.inquiries.set(good, { scorecardScore: 720 });
	sandbox.inquiries.set(poor, { scorecardScore: 310 });
	sandbox.inquiries.finish(good);
	sandbox.inquiries.finish(poor);
	expect((await poll()).map(({ id }) => id)).toEqual([good]);
	expect(await poll()).toEqual([]);
});

it('sends filters fixed at creation with every list request', async () => {
	sandbox.inquiries.seed(1, { status: 'RUNNING', tags: ['other'] });
	const [mine] = sandbox.inquiries.seed(1, { status: 'RUNNING', tags: ['crm'] });
	const { poll } = trigger({ values: { filters: { tags: ' crm , ', search: 'Seeded' } } });
	await poll();
	minutes(1);
	sandbox.inquiries.finish(mine);
	expect((await poll()).map(({ id }) => id)).toEqual([mine]);
	const lists = sandbox.requests.filter(({ path }) => path === '/v1/inquiries/');
	expect(lists.length).toBeGreaterThan(3);
	expect(lists.every(({ query }) => query.tags === 'crm' && query.search === 'Seeded')).toBe(true);
});

it('reads full records; one that cannot be read waits for the next poll', async () => {
	const [first, second] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	sandbox.switches.listRows = 'summary';
	const { poll } = trigger({ values: { output: 'raw' }, budgetMs: 36_000 });
	await poll();
	minutes(1);
	sandbox.inquiries.finish(first);
	sandbox.inquiries.finish(second);
	sandbox.faults.add({ path: `/v1/inquiries/${first}`, status: 500 });
	const items = await poll();
	expect(items.map(({ id }) => id)).toEqual([second]);
	expect(items[0]).toHaveProperty('processStatuses');
	expect((await poll()).map(({ id, event, previousStatus }) => [id, event, previousStatus])).toEqual([
		[first, 'completed', 'RUNNING'],
	]);
	expect(await poll()).toEqual([]);
});

it('holds completions back until their businesses are filled in, but not failed ones', async () => {
	sandbox.switches.clusteringMs = 150_000;
	const [first, second, failed] = sandbox.inquiries.seed(3, { status: 'RUNNING' });
	const { poll } = trigger({ values: { output: 'raw', options: { resultsMinutes: 5 } } });
	await poll();
	minutes(1);
	for (const id of [first, second]) sandbox.inquiries.finish(id);
	sandbox.inquiries.finish(failed, 'FAILED');
	const told: unknown[] = [];
	for (let minute = 0; minute < 5; minute++) {
		told.push((await poll()).map(({ id, businesses }) => [id, (businesses as unknown[] | null)?.length]));
		minutes(1);
	}
	const filled = [
		[first, 1],
		[second, 1],
	].sort();
	expect(told.map((ends) => (ends as unknown[]).sort())).toEqual([[[failed, undefined]], [], [], filled, []]);
});

it('does not wait for the businesses of an inquiry for which none was found', async () => {
	sandbox.switches.clusteringMs = 3_600_000;
	const [found, none] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const { poll } = trigger({ values: { output: 'raw', options: { resultsMinutes: 5 } } });
	await poll();
	sandbox.switches.businessesBeforeClustering = 'empty';
	sandbox.inquiries.finish(none);
	expect((await poll()).map(({ id, businesses }) => [id, businesses])).toEqual([[none, []]]);
	sandbox.switches.businessesBeforeClustering = 'null';
	sandbox.inquiries.finish(found);
	expect(await poll()).toEqual([]);
});

it('delays a completion for the configured minutes at most, with one read for each poll', async () => {
	sandbox.switches.clusteringMs = 3_600_000;
	const ids = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const { poll } = trigger({ values: { output: 'raw', options: { resultsMinutes: 3 } } });
	await poll();
	for (const id of ids) sandbox.inquiries.finish(id);
	const told: number[] = [];
	const requests = await requestsOf(async () => {
		for (let minute = 0; minute < 5; minute++) {
			told.push((await poll()).length);
			minutes(1);
		}
	});
	expect(told).toEqual([0, 0, 0, 2, 0]);
	expect(requests.filter((request) => request === `GET /v1/inquiries/${ids[0]}`)).toHaveLength(4);
});

it('goes on after the node was renamed where n8n gives it new static data and nothing shared', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const before = trigger();
	await before.poll();
	minutes(1);
	sandbox.inquiries.finish(id);
	const renamed = trigger({ id: before.id });
	expect((await renamed.poll()).map((item) => item.id)).toEqual([id]);
});

it('repeats nothing after the node got its former name back, with the static data from then', async () => {
	const [first, second] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const { id, poll, staticData, shared } = trigger();
	await poll();
	minutes(1);
	sandbox.inquiries.finish(first);
	const renamed = trigger({ id, name: 'Renamed', shared });
	expect(await renamed.poll()).toEqual([expect.objectContaining({ id: first })]);
	sandbox.inquiries.finish(second);
	const back = trigger({ id, staticData, shared });
	expect(await back.poll()).toEqual([expect.objectContaining({ id: second })]);
	expect(await back.poll()).toEqual([]);
});

/** A trigger that reported an inquiry, with the memory from before that, as long as n8n has not saved the report. */
async function reportedUnsaved() {
	const [running] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const { id, poll, staticData } = trigger();
	await poll();
	const before = structuredClone(staticData);
	minutes(1);
	sandbox.inquiries.finish(running);
	const report = [expect.objectContaining({ id: running })];
	expect(await poll()).toEqual(report);
	return { unsaved: trigger({ id, staticData: before }), report };
}

it('lets a poll pass by that was given the memory from before a report which n8n is still saving', async () => {
	const { unsaved } = await reportedUnsaved();
	expect(await requestsOf(unsaved.poll)).toEqual([]);
});

it('reports again what n8n did not save, also when its clock was put back meanwhile', async () => {
	const { unsaved, report } = await reportedUnsaved();
	const put = performance.now();
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => put + 60_000);
	const then = sandbox.clock.now();
	passed -= 30 * 3_600_000;
	sandbox.clock.set(then);
	expect(await unsaved.poll()).toEqual(report);
	clock.mockRestore();
});

it('leaves what it found to the trigger that was published while it was polling', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const before = trigger();
	await before.poll();
	minutes(1);
	sandbox.inquiries.finish(id);
	const published = trigger({ id: before.id, staticData: structuredClone(before.staticData) });
	expect(await Promise.all([before.poll(), published.poll()])).toEqual([[], []]);
	expect((await published.poll()).map((item) => item.id)).toEqual([id]);
	expect(await published.poll()).toEqual([]);
});

it('goes on with a renewed key of the same organization', async () => {
	const ids = sandbox.inquiries.seed(3, { status: 'RUNNING', createdFrom: sandbox.clock.now() - 20_000 });
	const before = trigger();
	await before.poll();
	minutes(1);
	sandbox.inquiries.finish(ids[0]);
	sandbox.organization.apiKey = 'bvk_renewed';
	const renewed = trigger({ id: before.id, staticData: before.staticData });
	expect((await renewed.poll()).map((item) => item.id)).toEqual([ids[0]]);
	minutes(1);
	sandbox.inquiries.finish(ids[1]);
	const profiles = () => sandbox.requests.filter(({ path }) => path === '/v1/users/me').length;
	const sinceRenewal = profiles();
	expect((await renewed.poll()).map((item) => item.id)).toEqual([ids[1]]);
	expect(await renewed.poll()).toEqual([]);
	expect(profiles()).toBe(sinceRenewal);
});

it('starts again, and says so, when another key shows another lender, and reports nothing old of it', async () => {
	const other = sandbox.addOrganization();
	const now = sandbox.clock.now();
	sandbox.inquiries.seed(30, { createdFrom: now - 3_600_000, createdTo: now - 1_000, organizationId: other.id });
	const theirOwn = { organizationId: other.id, ...createdAt(now) };
	const [theirs] = sandbox.inquiries.seed(1, { status: 'RUNNING', ...theirOwn });
	const [mine] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	let key = sandbox.organization.apiKey;
	const { poll, warnings } = trigger({ values: { triggerOn: ['completed', 'attention'] }, key: () => key });
	await poll();
	minutes(1);
	sandbox.inquiries.finish(mine);
	key = other.apiKey;
	expect(await poll()).toEqual([
		{
			event: 'attention',
			message: 'The credential has another organization or Base URL now, so the trigger starts over',
			detectedAt: expect.stringMatching(/^2\d{3}-.*Z$/),
			deduplicationKey: expect.stringMatching(/^attention:\d{13}$/),
		},
	]);
	expect(warnings).toHaveLength(1);
	minutes(1);
	sandbox.inquiries.finish(theirs);
	expect((await poll()).map(({ id }) => id)).toEqual([theirs]);
	expect(await poll()).toEqual([]);
});

/** What somebody may do to the saved memory, and whether the time of its last poll is believed. */
it.each<[string, object, boolean]>([
	['another version', { version: 5 }, true],
	['damage', { text: '?' }, true],
	['a time in seconds', { at: 1_780_000_000 }, false],
	['a time that no calendar has', { at: 1e300 }, false],
	['no time', { at: 0 }, false],
])('goes on, and says so once, after %s in what was saved', async (_, changed, isBelieved) => {
	const [first, second, odd] = sandbox.inquiries.seed(3, { status: 'RUNNING' });
	const before = trigger();
	await before.poll();
	const { state } = JSON.parse(before.saved()) as { state: { at: number } };
	minutes(30);
	sandbox.inquiries.finish(first);
	sandbox.inquiries.move(odd, 'DONE' as never);
	minutes(1);
	const { poll, warnings } = trigger({
		values: { triggerOn: ['completed', 'attention'] },
		staticData: { state: { ...state, ...changed } },
	});
	const last = `continues from its last poll, ${new Date(state.at).toISOString().slice(0, 19)}Z`;
	const told = (await poll()).map(({ event, id }) => [event, id]);
	expect(told).toEqual([...(isBelieved ? [['completed', first]] : []), ['attention', undefined]]);
	expect(warnings.at(-1)).toBe(
		`The saved data of this trigger is damaged or from another version. It ${isBelieved ? last : 'starts over'}`,
	);
	minutes(1);
	sandbox.inquiries.finish(second);
	// The status that the first poll met, too, of which nothing was said then.
	const next = (await poll()).map(({ event, id, message = '' }) => [event, id, String(message).slice(0, 33)]);
	expect(next).toEqual([
		['completed', second, ''],
		['attention', undefined, 'The service shows the status DONE'],
	]);
});

it.each([
	[['finished'], ['completed', 'failed: The service shows the status DONE', 'nothing', 'nothing']],
	[
		['finished', 'attention'],
		['completed attention', 'nothing', 'nothing', 'nothing'],
	],
])('tells %j once of a final status with another name', async (triggerOn, expected) => {
	const ids = sandbox.inquiries.seed(3, { status: 'RUNNING' });
	const { poll } = trigger({ values: { triggerOn } });
	await poll();
	sandbox.inquiries.finish(ids[0]);
	const outcomes: string[] = [];
	for (const id of [ids[1], ids[2], ids[1], ids[2]]) {
		minutes(1);
		sandbox.inquiries.move(id, 'DONE' as never);
		const told = (items: IDataObject[]) => items.map(({ event }) => event).join(' ') || 'nothing';
		outcomes.push(await poll().then(told, ({ message }: Error) => `failed: ${message.slice(0, 33)}`));
	}
	expect(outcomes).toEqual(expected);
});

it('can be published where a status is unknown, and says so at the poll after that', async () => {
	const [held] = sandbox.inquiries.seed(2, { status: 'RUNNING', createdFrom: sandbox.clock.now() - 20_000 });
	sandbox.inquiries.move(held, 'DONE' as never);
	const { poll } = trigger();
	expect(await poll()).toEqual([]);
	await expect(poll()).rejects.toThrow('The service shows the status DONE');
});

it.each([
	['shared', 1],
	['durable', 0],
] as const)('keeps a second copy for a short poll with a %s cursor: %i', async (cursor, copies) => {
	sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const shared = {};
	const { poll } = trigger({ budgetMs: 36_000, cursor, shared });
	await poll();
	expect(Object.keys(shared)).toHaveLength(copies);
});

it.each([
	[10_000, 8_000],
	[600_000, 60_000],
	[undefined, 60_000],
])('gives a request, of the %s ms that n8n allows for a poll, %i ms', async (budgetMs, timeout) => {
	const { poll, timeouts } = trigger({ budgetMs });
	await poll();
	expect([...timeouts]).toEqual([timeout]);
});

it('reports any result, after 15 minutes at most, by default; offers that first and its own problems last', () => {
	const { properties } = new BusinessVerificationTrigger().description;
	const { default: byDefault, options } = properties.find(({ name }) => name === 'triggerOn')!;
	expect(byDefault).toEqual(['finished']);
	expect((options as INodePropertyOptions[]).map(({ value, name, action }) => [value, name, action])).toEqual([
		['finished', 'Verification Finished', undefined],
		['completed', 'Verification Finished as Completed Only', undefined],
		['failed', 'Verification Finished as Failed Only', undefined],
		['partialSuccess', 'Verification Finished as Partial Success Only', undefined],
		['statusChanged', 'Verification Status Changed', undefined],
		['created', 'Verification Submitted', undefined],
		['attention', 'When Polling Fails', 'When polling fails'],
	]);
	const ofOptions = properties.find(({ name }) => name === 'options')!.options as INodeProperties[];
	expect(ofOptions.find(({ name }) => name === 'resultsMinutes')!.default).toBe(15);
	expect(ofOptions.find(({ name }) => name === 'recheckHours')!.default).toBe(1);
});

it.each([
	[['finished'], ['completed', 'failed', 'partialSuccess']],
	[
		['finished', 'completed', 'failed', 'statusChanged'],
		['completed', 'failed', 'partialSuccess'],
	],
	[['failed'], ['failed']],
])('of inquiries that finish in every way, %j reports each once, with its result', async (triggerOn, expected) => {
	const ids = sandbox.inquiries.seed(3, { status: 'RUNNING' });
	const { poll } = trigger({ values: { triggerOn } });
	await poll();
	minutes(1);
	const ends = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'] as const;
	for (const [place, id] of ids.entries()) sandbox.inquiries.finish(id, ends[place]);
	const reported = (await poll()).map(({ event }) => event);
	expect(reported.sort()).toEqual(expected);
	minutes(1);
	expect(await poll()).toEqual([]);
});

it('says why, and keeps what it has, when a poll has no time to read anything', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const { poll } = trigger();
	await poll();
	minutes(1);
	sandbox.inquiries.finish(id);
	sandbox.faults.add({ method: 'GET', path: /inquiries/, status: 503, times: Infinity });
	await expect(poll()).rejects.toThrow('503');
	sandbox.faults.clear();
	expect((await poll()).map(({ event, id: told }) => [event, told])).toEqual([['completed', id]]);
});

it('goes on with the copy that is whole where the other one is damaged', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const before = trigger();
	await before.poll();
	const { state } = JSON.parse(before.saved()) as { state: IDataObject };
	minutes(1);
	sandbox.inquiries.finish(id);
	const after = trigger({
		id: before.id,
		staticData: { state: { ...state, text: '?' } },
		shared: { [`businessVerification ${before.id}`]: state },
	});
	expect(await after.poll()).toEqual([expect.objectContaining({ id, previousStatus: 'RUNNING' })]);
	expect(after.warnings).toEqual([]);
});

it('goes back to its last poll with a new key if the service does not say whose it is', async () => {
	const [first, second] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	sandbox.faults.add({ path: '/v1/users/me', status: 403, times: Infinity });
	const before = trigger();
	await before.poll();
	minutes(30);
	sandbox.inquiries.finish(first);
	sandbox.organization.apiKey = 'bvk_renewed';
	const renewed = trigger({ id: before.id, staticData: before.staticData });
	expect((await renewed.poll()).map(({ id }) => id)).toEqual([first]);
	minutes(1);
	sandbox.inquiries.finish(second);
	expect((await renewed.poll()).map(({ id }) => id)).toEqual([second]);
});

describe('a trigger that does not keep up', () => {
	const failing = () => sandbox.faults.add({ path: /inquiries\/$/, skip: 1, times: 1, status: 400 });
	const pollsOf = async (poll: () => Promise<unknown>, count: number, before?: (number: number) => void) => {
		const outcomes: string[] = [];
		for (let number = 0; number < count; number++) {
			before?.(number);
			failing();
			outcomes.push(
				await poll().then(
					(items) => JSON.stringify((items as INodeExecutionData['json'][]).map(({ message }) => message)),
					({ message }: Error) => message,
				),
			);
			sandbox.faults.clear();
			minutes(1);
		}
		return outcomes;
	};

	it('fails visibly at the fifth poll, and about once an hour from then on', async () => {
		const { poll } = trigger();
		await poll();
		const outcomes = await pollsOf(poll, 60);
		const said = outcomes.flatMap((outcome, index) => (outcome === '[]' ? [] : [[index + 1, outcome]]));
		expect(said).toEqual([
			[
				5,
				expect.stringMatching(/^The last 5 polls could not read everything, so results may come late or be missed: /),
			],
			[
				60,
				expect.stringMatching(/^The last 60 polls could not read everything, so results may come late or be missed: /),
			],
		]);
	});

	it('fails once, at the next poll without events, where the fifth and sixth have some', async () => {
		const ids = sandbox.inquiries.seed(2, { status: 'RUNNING' });
		const { poll, warnings } = trigger();
		await poll();
		const finish = (number: number) => [4, 5].includes(number) && sandbox.inquiries.finish(ids[number - 4]);
		const outcomes = await pollsOf(poll, 9, finish);
		expect(outcomes.slice(4)).toEqual(['[null]', '[null]', expect.stringMatching(/^The last 7 polls /), '[]', '[]']);
		expect(warnings.filter((text) => text.includes('polls could not'))).toHaveLength(2);
	});

	it('says so by an item instead where that is chosen', async () => {
		const { poll } = trigger({ values: { triggerOn: ['completed', 'attention'] } });
		await poll();
		const outcomes = await pollsOf(poll, 5);
		expect(outcomes.slice(0, 4)).toEqual(['[]', '[]', '[]', '[]']);
		expect(outcomes[4]).toMatch(
			/^\["The last 5 polls could not read everything, so results may come late or be missed: /,
		);
	});

	it('fails each poll of an alert with a wrong key, and reports what finished meanwhile once the key is right', async () => {
		const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
		let key = sandbox.organization.apiKey;
		const alert = example('completion-to-slack.json').nodes.find(({ parameters }) => 'triggerOn' in parameters)!;
		const { poll } = trigger({ values: alert.parameters, key: () => key });
		await poll();
		key = 'wrong';
		sandbox.inquiries.finish(id);
		const outcomes = await pollsOf(poll, 6);
		expect(outcomes).toEqual(Array(6).fill(expect.stringMatching(/^The service does not accept the credential/)));
		key = sandbox.organization.apiKey;
		expect((await poll()).map((item) => [item.event, item.id])).toEqual([['completed', id]]);
	});
});

it.each([
	[429, true, 'reported'],
	[400, false, 'passed'],
])('with %s in the middle of a poll, with something to report: %s, the poll has %s', async (status, ends, outcome) => {
	const now = sandbox.clock.now();
	sandbox.inquiries.seed(30, { createdFrom: now - 7_200_000, createdTo: now - 3_600_000 });
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING', createdFrom: now - 1_000 });
	const { poll, saved, warnings } = trigger();
	await poll();
	minutes(1);
	await poll();
	minutes(1);
	if (ends) sandbox.inquiries.finish(id);
	const before = saved();
	// The list of unfinished ones, then the newest ones, which show the end; then the sweep.
	sandbox.faults.add({ path: /inquiries\/$/, skip: ends ? 2 : 1, times: Infinity, status });
	const said = await poll().then(
		(items) => (items.length > 0 ? 'reported' : 'passed'),
		() => 'failed',
	);
	expect(said).toBe(outcome);
	expect(saved()).not.toBe(before);
	if (outcome !== 'failed') expect(warnings).toEqual([expect.stringContaining('A part of the poll is put off')]);
	sandbox.faults.clear();
	minutes(1);
	expect(await poll()).toEqual([]);
});

it('reports of 30 quiet hours no more than the last day when a filter is changed after them', async () => {
	const ids = sandbox.inquiries.seed(3, {
		status: 'RUNNING',
		tags: ['crm'],
		createdFrom: sandbox.clock.now() - 20_000,
	});
	const quiet = trigger({ values: { filters: { tags: 'crm' } } });
	await quiet.poll();
	minutes(1);
	sandbox.inquiries.finish(ids[0]);
	expect(await quiet.poll()).toHaveLength(1);
	const saved = structuredClone(quiet.staticData);
	const now = sandbox.clock.now();
	sandbox.inquiries.seed(40, { createdFrom: now, createdTo: now + 5 * 3_600_000 });
	minutes(30 * 60);
	expect(await quiet.poll()).toEqual([]);
	sandbox.inquiries.finish(ids[1]);
	const changed = trigger({ staticData: saved });
	expect((await changed.poll()).map((item) => item.id)).toEqual([ids[1]]);
	sandbox.inquiries.finish(ids[2]);
	expect((await changed.poll()).map((item) => item.id)).toEqual([ids[2]]);
	expect(await changed.poll()).toEqual([]);
});

it.each([
	['an inquiry', 0],
	['an inquiry', 6 * 60],
	['a batch', 0],
])(
	'reports %s again after a restart when asked to, after %s minutes without n8n, under the same key',
	async (what, off) => {
		const isBatch = what === 'a batch';
		const values = { watch: isBatch ? 'batch' : 'inquiry', options: { recheckHours: 1 } };
		sandbox.inquiries.seedBatch('Old', 1);
		const before = trigger({ values });
		await before.poll();
		minutes(1);
		const made = { status: 'RUNNING', ...createdAt(sandbox.clock.now()) } as const;
		const [id] = isBatch ? [sandbox.inquiries.seedBatch('First', 1, made)] : sandbox.inquiries.seed(1, made);
		await before.poll();
		minutes(180);
		if (isBatch) sandbox.inquiries.finishBatch(id);
		else sandbox.inquiries.finish(id);
		sandbox.inquiries.seedBatch('Second', 1, { status: 'RUNNING', ...createdAt(sandbox.clock.now()) });
		const [lost] = await before.poll();
		minutes(off);

		let Restarted!: typeof BusinessVerificationTrigger;
		jest.isolateModules(() => {
			({ BusinessVerificationTrigger: Restarted } = jest.requireActual(
				'../../nodes/BusinessVerification/BusinessVerificationTrigger.node',
			));
		});
		const after = trigger({
			values,
			id: before.id,
			staticData: JSON.parse(before.saved()) as IDataObject,
			node: new Restarted(),
		});
		const repeated = await after.poll();
		expect(repeated.map(({ deduplicationKey }) => deduplicationKey)).toEqual([lost.deduplicationKey]);
		expect(await after.poll()).toEqual([]);
	},
);

it.each([
	[60, ['completed']],
	[25 * 60, []],
])('goes on from a trigger of its name that was deleted %s minutes ago, for a day', async (ago, told) => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const deleted = trigger();
	await deleted.poll();
	minutes(ago);
	sandbox.inquiries.finish(id);
	const { poll } = trigger({ id: `added after ${ago}`, staticData: deleted.staticData, shared: deleted.shared });
	expect((await poll()).map(({ event }) => event)).toEqual(told);
});

it.each(['batchId', 'id'] as const)('watches batches as wholes, whose rows call their ID %s', async (key) => {
	sandbox.switches.batchIdKey = key;
	const batch = sandbox.inquiries.seedBatch('First', 2, { status: 'RUNNING' });
	sandbox.inquiries.seedBatch('Over', 1, { status: 'COMPLETED' });
	const { poll } = trigger({ values: { watch: 'batch' } });
	const raw = trigger({ values: { watch: 'batch', output: 'raw' } });
	expect([await poll(), await raw.poll()]).toEqual([[], []]);
	minutes(1);
	sandbox.inquiries.finishBatch(batch);
	expect(await poll()).toEqual([
		expect.objectContaining({
			batchId: batch,
			batchName: 'First',
			event: 'completed',
			previousStatus: 'RUNNING',
			donePercent: 100,
		}),
	]);
	expect(await poll()).toEqual([]);
	// The name that the service uses.
	expect(await raw.poll()).toEqual([expect.objectContaining({ progressPercentage: 100, event: 'completed' })]);
});

it.each([
	['id', {}],
	['inquiryId, inside', { batchRowsShape: 'nested', batchRowsId: 'inquiryId' }],
] as const)('watches the inquiries of one batch, whose rows call it %s', async (_, switches) => {
	Object.assign(sandbox.switches, switches);
	const batch = sandbox.inquiries.seedBatch('First', 3, { status: 'RUNNING' });
	sandbox.inquiries.seed(1, { status: 'RUNNING' });
	sandbox.switches.batchRowsExternalId = false;
	const { poll } = trigger({ values: { watch: 'batchInquiry', batchId: ` ${batch} ` } });
	expect(await poll()).toEqual([]);
	minutes(1);
	sandbox.inquiries.finishBatch(batch, 'FAILED');
	const items = await poll();
	expect(items.map(({ event, externalId }) => [event, typeof externalId])).toEqual(Array(3).fill(['failed', 'string']));
	const inquiries = items.map(({ id }) => sandbox.inquiries.get(id as string));
	expect(new Set(inquiries.map((inquiry) => inquiry?.batchId === batch && inquiry.id)).size).toBe(3);
	expect(await poll()).toEqual([]);
});

it.each([
	[{ triggerOn: [] }, "'Trigger On' is empty"],
	[{ triggerOn: ['completed', 'FAILED'] }, "'Trigger On' has no event 'FAILED'"],
	[{ watch: 'batchInquiry', batchId: ' ' }, "'Batch' is required"],
])('refuses to run with %j', async (values, message) => {
	await expect(trigger({ values }).poll()).rejects.toThrow(message);
});

it('polls where nothing is to be reported again after a restart, and no result is waited for', async () => {
	const { poll } = trigger({ values: { options: { recheckHours: 0, resultsMinutes: 0 } } });
	expect(await poll()).toEqual([]);
});

it('gives an item the status of its event where the record is of an earlier moment', async () => {
	const [id, other] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	sandbox.switches.listRows = 'summary';
	const { poll } = trigger({ values: { output: 'raw', options: { resultsMinutes: 0 } } });
	await poll();
	minutes(1);
	for (const ended of [id, other]) sandbox.inquiries.finish(ended);
	sandbox.faults.add({ path: `/v1/inquiries/${id}`, times: 2, status: 200, body: { id, status: 'RUNNING' } });
	const told = (await poll()).map((item) => `${item.event} ${item.status}`);
	expect(told).toEqual(['completed COMPLETED', 'completed COMPLETED']);
});

it('gives the full record of what was submitted, although rows are summaries', async () => {
	sandbox.switches.listRows = 'summary';
	const { poll } = trigger({ values: { triggerOn: ['created'], output: 'raw' } });
	await poll();
	minutes(1);
	const ids = sandbox.inquiries.seed(2, { status: 'RUNNING', ...createdAt(sandbox.clock.now()) });
	sandbox.faults.add({ path: `/v1/inquiries/${ids[0]}`, times: Infinity, status: 500 });
	const items = await poll();
	const told = ids
		.map((id) => items.find((item) => item.id === id))
		.map((item) => [item?.event, 'processStatuses' in item!]);
	expect(told).toEqual([
		['created', false],
		['created', true],
	]);
});
