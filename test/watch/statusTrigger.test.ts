import type { IDataObject, INodeExecutionData, INodePropertyOptions, IPollFunctions } from 'n8n-workflow';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';
import { type Sandbox, startSandbox } from '../../sandbox';
import { example } from '../e2e/examples';
import { hurry } from '../harness/hurry';
import { parameters, strictContext } from '../harness/strictContext';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { WatchMemory } from '../../nodes/BusinessVerification/watch/memory';
import { type PollResult } from '../../nodes/BusinessVerification/watch/poll';
import { eachLine } from './table';

let written = '';

jest.mock('../../nodes/BusinessVerification/watch/inquiryPoll', () => {
	const { pollInquiries } = jest.requireActual('../../nodes/BusinessVerification/watch/inquiryPoll');
	const play = (saved: WatchMemory | undefined): PollResult => {
		const [incompletePolls, ...more] = written.split('+');
		written = '';
		const next = Object.assign(saved ?? new WatchMemory('o', 'a', 'f'), {
			incompletePolls: Number(incompletePolls),
			at: Date.now(),
		});
		const row = { id: 'i', status: 'FAILED', json: { id: 'i', status: 'FAILED' } };
		const failure = more.includes('429') ? new Failure('Too many', { httpCode: 429 }) : new Error('503');
		return {
			...{ next, notice: more.includes('over') ? 'It starts over' : undefined },
			unknownStatus: more.find((word) => /^[A-Z]+$/.test(word) && !next.toldStatuses.includes(word)),
			events: more.includes('e') ? [{ kind: 'ended', row, key: 'k', previousStatus: null, waited: 0 }] : [],
			failure: more.some((word) => /429|!/.test(word)) ? failure : undefined,
		};
	};
	return { pollInquiries: (...all: never[]) => (written ? play(all[1]) : pollInquiries(...all)) };
});

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
	mode?: 'trigger' | 'manual';
	budgetMs?: number;
	id?: string;
	node?: { poll: BusinessVerificationTrigger['poll'] };
	key?: () => string;
}

/** One trigger in an active workflow, with what n8n stored of it. */
function trigger({
	values = {},
	staticData = {},
	mode = 'trigger',
	budgetMs,
	id: givenId,
	node = new BusinessVerificationTrigger(),
	key = () => sandbox.organization.apiKey,
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
			name: 'Trigger',
			type: 'businessVerificationTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: settings,
		}),
		getWorkflow: () => ({ id: 'workflow', name: 'w', active: true }),
		getMode: () => mode,
		getNodeParameter: parameters(settings),
		getCredentials: async () => ({ baseUrl: sandbox.url, apiKey: key() }),
		getWorkflowStaticData: (kind: string) => (kind === 'global' ? {} : staticData),
		logger: { debug: () => undefined, warn: (message: string) => void warnings.push(message) },
		helpers: { httpRequestWithAuthentication: sendWith(key, timeouts) },
		...(budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs }),
	} as never);
	const poll = async () => ((await node.poll.call(context)) ?? [[]])[0].map(({ json }: INodeExecutionData) => json);
	return { id, poll, staticData, warnings, timeouts, saved: () => JSON.stringify(staticData) };
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

it('writes Authorization small in the error of a poll, because n8n would not start the trigger again', async () => {
	sandbox.faults.add({
		path: '/v1/inquiries/',
		status: 503,
		body: { detail: 'Authorization is down' },
		times: Infinity,
	});
	await expect(trigger().poll()).rejects.toMatchObject({
		message: 'The service returned status 503: authorization is down',
	});
});

it('says of a poll without an answer what becomes of the events, which the next one reports', async () => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING', createdFrom: sandbox.clock.now() - 20_000 });
	const { poll } = trigger();
	await poll();
	minutes(1);
	sandbox.inquiries.finish(id);
	sandbox.faults.add({ method: 'GET', drop: true, times: Infinity });
	await expect(poll()).rejects.toMatchObject({
		description: expect.stringContaining('What finishes meanwhile is reported by a later poll.'),
	});
	sandbox.faults.clear();
	expect((await poll()).map((item) => item.id)).toEqual([id]);
});

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

	// Later than five minutes after an end it cannot be an old copy that shows it running.
	minutes(6);
	sandbox.inquiries.move(good, 'RUNNING');
	expect(await poll()).toEqual([]);
	sandbox.inquiries.finish(good);
	const [again] = await poll();
	expect(again).toMatchObject({ id: good, event: 'completed', previousStatus: 'RUNNING' });
	expect(again.deduplicationKey).not.toBe(first[0].deduplicationKey);
	expect(await poll()).toEqual([]);
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

it('shows a real sample in the editor, if there is one, and changes nothing', async () => {
	await expect(trigger({ mode: 'manual' }).poll()).rejects.toThrow('No sample data yet');
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

it.each([
	[429, { 'retry-after': '7' }, 'rate-limited', 7_000],
	[401, {}, 'credential-invalid', undefined],
])('loses nothing by a page that fails with %d', async (status, headers, cause, retryAfterMs) => {
	const [id] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const { poll, saved } = trigger({ budgetMs: 36_000 });
	await poll();
	minutes(1);
	sandbox.inquiries.finish(id);
	const before = saved();
	sandbox.requests.clear();
	sandbox.faults.add({ path: '/v1/inquiries/', skip: 1, status, headers });
	const error = (await poll().catch((failure: unknown) => failure)) as { failure?: object; httpCode: string };
	expect(error).toMatchObject({ name: 'NodeApiError', httpCode: String(status) });
	expect(error.failure).toMatchObject({ cause, ...(retryAfterMs ? { retryAfterMs } : {}) });
	// No other request of this poll could succeed. What it read before is not read again.
	expect(sandbox.requests.filter(({ path }) => path === '/v1/inquiries/')).toHaveLength(2);
	expect(saved()).not.toBe(before);
	sandbox.faults.clear();
	expect((await poll()).map((item) => item.id)).toEqual([id]);
});

it('sends filters fixed at creation with every list request, and those on results when an inquiry has finished', async () => {
	sandbox.inquiries.seed(1, { status: 'RUNNING', tags: ['other'] });
	const [good, poor] = sandbox.inquiries.seed(2, { status: 'RUNNING', tags: ['crm'] });
	const { poll } = trigger({ values: { filters: { tags: ' crm , ', search: 'Seeded', scorecard_score_min: 700 } } });
	await poll();
	minutes(1);
	sandbox.inquiries.set(good, { scorecardScore: 720 });
	sandbox.inquiries.set(poor, { scorecardScore: 310 });
	for (const id of [good, poor]) sandbox.inquiries.finish(id);
	expect((await poll()).map(({ id }) => id)).toEqual([good]);
	const lists = sandbox.requests.filter(({ path }) => path === '/v1/inquiries/');
	expect(lists.every(({ query }) => query.tags === 'crm' && query.search === 'Seeded')).toBe(true);
	expect(lists.length).toBeGreaterThan(4);
	expect(lists.filter(({ query }) => query.scorecard_score_min === '700')).toHaveLength(1);
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
	const filled = [first, second].sort().map((id) => [id, 1]);
	expect(told.map((ends) => (ends as unknown[]).sort())).toEqual([[[failed, undefined]], [], [], filled, []]);
});

it.each([
	[299_000, [1, 0]],
	[301_000, [0, 1]],
])('of two polls, the second %i ms after the first, one reports: %j', async (ms, expected) => {
	sandbox.inquiries.seed(1, createdAt(sandbox.clock.now() - 60_000));
	const clock = jest.spyOn(performance, 'now');
	let second: Promise<IDataObject[]> | undefined;
	const key = () => {
		if (!second && sandbox.requests.length > 0) {
			clock.mockReturnValue(performance.now() + ms);
			second = Promise.resolve().then(poll);
		}
		return sandbox.organization.apiKey;
	};
	const { poll } = trigger({ key, values: { startingPoint: 'lookBack', lookBackHours: 1 } });
	const reports = [await poll(), await second!];
	clock.mockRestore();
	expect(reports.map(({ length }) => length)).toEqual(expected);
});

/** What each attention item has beside its message. */
const stamped = {
	detectedAt: expect.stringMatching(/^2\d{3}-.*Z$/),
	deduplicationKey: expect.stringMatching(/^attention:\d{13}$/),
};

it('starts again, and says so, when another key shows another lender, and reports nothing old of it', async () => {
	const other = sandbox.addOrganization();
	const now = sandbox.clock.now();
	sandbox.inquiries.seed(30, { createdFrom: now - 3_600_000, createdTo: now - 1_000, organizationId: other.id });
	const [theirs] = sandbox.inquiries.seed(1, { status: 'RUNNING', organizationId: other.id, ...createdAt(now) });
	const [mine] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	let key = sandbox.organization.apiKey;
	const { poll, warnings } = trigger({ values: { triggerOn: ['completed', 'attention'] }, key: () => key });
	await poll();
	minutes(1);
	sandbox.inquiries.finish(mine);
	key = other.apiKey;
	const message = 'The credential has another organization or Base URL now, so the trigger starts over';
	expect(await poll()).toEqual([{ event: 'attention', message, ...stamped }]);
	expect(warnings).toHaveLength(1);
	minutes(1);
	sandbox.inquiries.finish(theirs);
	expect((await poll()).map(({ id }) => id)).toEqual([theirs]);
	expect(await poll()).toEqual([]);
});

it.each([
	['another version', { version: 5 }],
	['another text', { text: '?' }],
])('goes on, and says so once, after %s in what was saved', async (_, changed) => {
	const [first, second, odd] = sandbox.inquiries.seed(3, { status: 'RUNNING' });
	const before = trigger();
	await before.poll();
	const { state } = JSON.parse(before.saved()) as { state: object };
	minutes(30);
	sandbox.inquiries.finish(first);
	sandbox.inquiries.move(odd, 'DONE' as never);
	minutes(1);
	const { poll, warnings } = trigger({
		values: { triggerOn: ['completed', 'attention'] },
		staticData: { state: { ...state, ...changed } },
	});
	const told = (await poll()).map(({ event, id }) => [event, id]);
	expect(told).toEqual([
		['completed', first],
		['attention', undefined],
	]);
	expect(warnings.at(-1)).toBe(
		'The saved data of this trigger is damaged or from another version. It continues from its last poll',
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
	[10_000, 8_000],
	[600_000, 60_000],
	[undefined, 60_000],
])('gives a request, of the %s ms that n8n allows for a poll, %i ms', async (budgetMs, timeout) => {
	const { poll, timeouts } = trigger({ budgetMs });
	await poll();
	expect([...timeouts]).toEqual([timeout]);
});

it('offers any result first and its own problems last', () => {
	const { properties } = new BusinessVerificationTrigger().description;
	const { options } = properties.find(({ name }) => name === 'triggerOn')!;
	expect((options as INodePropertyOptions[]).map(({ value, name, action }) => [value, name, action])).toEqual([
		['finished', 'Verification Finished', undefined],
		['completed', 'Verification Finished as Completed Only', undefined],
		['failed', 'Verification Finished as Failed Only', undefined],
		['partialSuccess', 'Verification Finished as Partial Success Only', undefined],
		['statusChanged', 'Verification Status Changed', undefined],
		['created', 'Verification Submitted', undefined],
		['attention', 'When Polling Fails', 'When polling fails'],
	]);
});

eachLine(`
	trigger on                               submitted  changed                 finished
	finished                                 -          -                       completed RUNNING, failed RUNNING, partialSuccess ENRICHING
	finished completed failed statusChanged  -          statusChanged PLANNING  completed RUNNING, failed RUNNING, partialSuccess ENRICHING
	statusChanged created                    created -  statusChanged PLANNING  completed RUNNING, failed RUNNING, partialSuccess ENRICHING
	created partialSuccess                   created -  -                       partialSuccess ENRICHING
	failed                                   -          -                       failed RUNNING
`)('%s reports each event once, with the status before: %s; %s; %s', async (triggerOn, ...expected) => {
	const [first, second] = sandbox.inquiries.seed(2, { status: 'RUNNING' });
	const { poll } = trigger({ values: { triggerOn: triggerOn.split(' ') } });
	const told = async () => (await poll()).map(({ event, previousStatus = '-' }) => `${event} ${previousStatus}`).sort();
	await poll();
	minutes(1);
	const [third] = sandbox.inquiries.seed(1, { status: 'PLANNING', ...createdAt(sandbox.clock.now()) });
	const submitted = await told();
	sandbox.inquiries.move(third, 'ENRICHING');
	const changed = await told();
	sandbox.inquiries.finish(first);
	sandbox.inquiries.finish(second, 'FAILED');
	sandbox.inquiries.finish(third, 'PARTIAL_SUCCESS');
	const finished = await told();
	expect([submitted, changed, finished].map((events) => events.join(', ') || '-')).toEqual(expected);
	expect(await poll()).toEqual([]);
});

it('fails each poll of an alert with a wrong key, and reports what finished meanwhile with a renewed one', async () => {
	const ids = sandbox.inquiries.seed(3, { status: 'RUNNING', createdFrom: sandbox.clock.now() - 20_000 });
	let key = sandbox.organization.apiKey;
	const alert = example('completion-to-slack.json').nodes.find(({ parameters }) => 'triggerOn' in parameters)!;
	const { poll } = trigger({ values: alert.parameters, key: () => key });
	await poll();
	key = 'wrong';
	sandbox.inquiries.finish(ids[0]);
	for (let round = 0; round < 6; round++) {
		await expect(poll()).rejects.toThrow(/^The service does not accept the credential/);
		minutes(1);
	}
	key = sandbox.organization.apiKey = 'bvk_renewed';
	expect((await poll()).map((item) => [item.event, item.id])).toEqual([['completed', ids[0]]]);
	minutes(1);
	sandbox.inquiries.finish(ids[1]);
	sandbox.requests.clear();
	expect((await poll()).map((item) => item.id)).toEqual([ids[1]]);
	// Whose key it is was asked once.
	expect(sandbox.requests.filter(({ path }) => path === '/v1/users/me')).toEqual([]);
});

it.each([
	['an inquiry', 0],
	['an inquiry', 6 * 60],
	['a batch', 0],
])('after a restart, reports %s again, off for %s minutes, under the same key', async (what, off) => {
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

/**
 * What a poll tells of itself, and whether it does so by failing or by an item. The polls are written down: how many in a
 * row were behind, `e` with an event, `!` with a failed request, `429`, the name of an unknown status, or `over` if the
 * trigger started over.
 */
eachLine(`
	polls                 without the event                              with it                    warnings without it
	4 5 6 59 60 61 120    - failed - - failed - failed                   - item - - item - item     5 60 120
	5+! 5+e               - item                                         item item,item             5 5
	5+e 6+e 7 8           item item failed -                             item,item item - -         5 7
	0 3+!                 - -                                            - -                        -
	0 3+429 3+429+e       - failed item                                  - failed item              -
	0 0+DONE 0+DONE 0+X   - failed - failed                              - item - item              DONE X
	0 0+DONE+e 0+DONE     - item failed                                  - item,item -              DONE
	0+DONE 0+DONE         - failed                                       item -                     DONE
	0 0+over              - -                                            - item                     over
	0 0+over+e            - item                                         - item,item                over
	0 5+DONE+over 6 7+DONE  - - failed failed                            - item item item           over 6 DONE
`)('after polls %s: %s, or with the event %s; warnings %s', async (polls, without, withIt, warned) => {
	for (const [expected, triggerOn] of [
		[without, ['failed']],
		[withIt, ['failed', 'attention']],
	] as const) {
		const { poll, warnings } = trigger({ values: { triggerOn } });
		const outcomes: string[] = [];
		for (written of polls.split(' ')) {
			const [behind] = written.split('+');
			const said = (items: IDataObject[]) => {
				for (const { event, ...others } of items)
					if (event === 'attention') expect(others).toEqual({ message: expect.any(String), ...stamped });
				return items.map(() => 'item').join() || '-';
			};
			const failed = ({ message }: Error) => {
				const late = `The last ${behind} polls could not read everything, so results may come late or be missed: `;
				expect(message).toMatch(new RegExp(`^(${late}|The service shows the status|Too many)`));
				return 'failed';
			};
			outcomes.push(await poll().then(said, failed));
		}
		expect(outcomes.join(' ')).toBe(expected);
		const words = warnings.map((text) => /The last (\d+)|the status (\w+)|starts (over)/.exec(text)?.slice(1).join(''));
		if (triggerOn.length === 1) expect(words.filter(Boolean).join(' ') || '-').toBe(warned);
	}
});
