import { startSandbox, type Sandbox } from '../../sandbox';
import { fill, liveOn } from '../../scripts/demoLife';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ switches: { ends: 'varied' } });
	sandbox.clock.freeze();
	fill(sandbox);
});
afterEach(() => sandbox.close());

async function rows(): Promise<Array<{ status: string; scorecardScore: number | null }>> {
	const answer = await fetch(`${sandbox.url}/v1/inquiries/?limit=500`, {
		headers: { authorization: `Bearer ${sandbox.organization.apiKey}` },
	});
	const { items } = (await answer.json()) as {
		items: Array<{ status: string; scorecardScore: number | null }>;
	};
	return items;
}

const countOf = (list: Array<{ status: string }>, status: string) => list.filter((row) => row.status === status).length;

test('the demo begins with every final status, with scores far apart, and with some in progress', async () => {
	const list = await rows();
	expect(list).toHaveLength(60);
	for (const status of ['FAILED', 'PARTIAL_SUCCESS', 'COMPLETED', 'PLANNING']) {
		expect([status, countOf(list, status) >= 3]).toEqual([status, true]);
	}
	const scores = list.flatMap(({ scorecardScore }) => scorecardScore ?? []);
	expect(Math.min(...scores)).toBeLessThan(20);
	expect(Math.max(...scores)).toBeGreaterThan(90);
});

test('inquiries in progress finish by themselves, some soon and some late', async () => {
	sandbox.clock.advance(8_000);
	const soon = countOf(await rows(), 'PLANNING');
	sandbox.clock.advance(180_000);
	const later = await rows();
	expect(soon).toBeGreaterThan(0);
	expect(soon).toBeLessThan(5);
	expect(later.filter(({ status }) => !['FAILED', 'PARTIAL_SUCCESS', 'COMPLETED'].includes(status))).toEqual([]);
});

test('others submit businesses meanwhile, until the demo ends', async () => {
	const stop = liveOn(sandbox, 5);
	await new Promise<void>((resolve) => {
		const look = setInterval(() => {
			if (sandbox.inquiries.size < 62) return;
			clearInterval(look);
			resolve();
		}, 5);
	});
	stop();
	const size = sandbox.inquiries.size;
	await new Promise((resolve) => setTimeout(resolve, 30));
	expect(sandbox.inquiries.size).toBe(size);
});
