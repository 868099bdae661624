import { createServer } from 'node:net';
import { type Fault, startSandbox } from '../../sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';
import { credential, sandbox, useSandbox } from '../harness/sandbox';

const get = { resource: 'inquiry', operation: 'get', inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };
const requestsFor = (id: string) => sandbox.requests.filter(({ path }) => path.endsWith(id));

beforeAll(() => {
	// A real service comes up meanwhile.
	hurry(20);
	// The shortest pauses of the backoff.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => jest.restoreAllMocks());
useSandbox();

const transient: Array<[string, Fault]> = [
	['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
	['429 without', { status: 429 }],
	['408', { status: 408 }],
	['500', { status: 500 }],
	['502', { status: 502 }],
	['503', { status: 503, html: true }],
	['504', { status: 504 }],
	['522', { status: 522 }],
	['a dropped connection', { drop: true }],
	['an answer lost on its way', { after: true, drop: true }],
];

it.each([
	['is repeated until it is answered', 2, 3],
	['is given up after five requests', Infinity, 5],
])('a read %s, whatever On Error says', async (_, times, requests) => {
	const ids = sandbox.inquiries.seed(transient.length);
	transient.forEach(([, fault], index) => sandbox.faults.add({ ...fault, path: `/v1/inquiries/${ids[index]}`, times }));
	const options = { parameters: get, credential: credential(), items: ids.map((id) => ({ id })) };
	const { items, failed } = await runNode({ ...options, onError: 'continueErrorOutput' });
	expect(items.map(({ json }) => json.id)).toEqual(times === 2 ? ids : []);
	expect(failed).toHaveLength(times === 2 ? 0 : ids.length);
	expect(ids.map((id) => requestsFor(id).length)).toEqual(ids.map(() => requests));
});

it('a service that is not there yet is asked again, by a write too: a refused connection carries nothing', async () => {
	const port = await freePort();
	const running = runNode({
		parameters: newInquiry,
		credential: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'late' },
		items: [{ name: 'One' }, { name: 'Two' }],
	});
	await new Promise((resolve) => setTimeout(resolve, 100));
	const late = await startSandbox({ port, organization: { apiKey: 'late' } });
	const { items, error } = await running;
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(late.ledger.count('inquiry')).toBe(2);
	await late.close();
});

it('after the first failure under Stop, nothing is sent again', async () => {
	const ids = sandbox.inquiries.seed(2);
	sandbox.faults.add({ path: `/v1/inquiries/${ids[0]}`, status: 422 });
	sandbox.faults.add({ path: `/v1/inquiries/${ids[1]}`, status: 503, headers: { 'retry-after': '5' } });
	const { error } = await runNode({ parameters: get, credential: credential(), items: ids.map((id) => ({ id })) });
	expect(error?.httpCode).toBe('422');
	expect(requestsFor(ids[1])).toHaveLength(1);
});

it('a service that serves four at once, and refuses others, is soon asked for no more', async () => {
	const ids = sandbox.inquiries.seed(64);
	Object.assign(sandbox.switches, { maxInFlight: 4, latencyMs: 20 });
	const { items } = await runNode({ parameters: get, credential: credential(), items: ids.map((id) => ({ id })) });
	expect(items.map(({ json }) => json.id)).toEqual(ids);
	expect(sandbox.requests.filter(({ status }) => status === 429).length).toBeLessThan(60);
});

it('each of a crowd that was refused waits for the time that was asked, which is not added up', async () => {
	const ids = sandbox.inquiries.seed(8);
	const retry = { status: 429, headers: { 'retry-after': '30' } };
	// The last of them hears of it half a second later: about ten in the pause of the others, which is hurried.
	for (const [place, id] of ids.slice(0, 4).entries()) {
		sandbox.faults.add({ path: `/v1/inquiries/${id}`, ...retry, delayMs: place === 3 ? 500 : 0 });
	}
	const { items } = await runNode({
		parameters: { ...get, options: { advanced: { concurrency: 4 } } },
		credential: credential(),
		items: ids.map((id) => ({ id })),
	});
	expect(items.map(({ json }) => json.id)).toEqual(ids);
	const [first] = sandbox.requests;
	const again = sandbox.requests.filter(({ path }) => path.endsWith(ids[0]))[1].at - first.at;
	expect(again).toBeGreaterThanOrEqual(29_950);
	expect(again).toBeLessThan(60_000);
});

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	await new Promise((resolve) => server.close(resolve));
	return port;
}
