import { business, NOON, useSandbox } from './harness';

const sandbox = useSandbox();

const create = async (fields: object = {}): Promise<string> =>
	(await sandbox.post('/v1/inquiries/', { ...business, ...fields })).data.id;
const get = async (id: string) => (await sandbox.get(`/v1/inquiries/${id}`)).data;

/** The status after each of these waits. */
async function statusesOf(id: string, waits: number[]): Promise<string[]> {
	const seen: string[] = [];
	for (const wait of waits) {
		sandbox.it.clock.advance(wait);
		seen.push((await get(id)).status);
	}
	return seen;
}

test('PLANNING, RUNNING, ENRICHING, COMPLETED, at the times they were due and not when somebody asked', async () => {
	const id = await create();
	expect(await statusesOf(id, [0, 999, 1, 1_999, 1, 999, 1])).toEqual([
		'PLANNING',
		'PLANNING',
		'RUNNING',
		'RUNNING',
		'ENRICHING',
		'ENRICHING',
		'COMPLETED',
	]);
	const unwatched = await create();
	sandbox.it.clock.advance(3_600_000);
	expect(await get(unwatched)).toMatchObject({
		status: 'COMPLETED',
		startedAt: '2024-05-01T12:00:05.000Z',
		completedAt: '2024-05-01T12:00:08.000Z',
	});
});

test('the clock follows real time, jumps, stops and goes on', async () => {
	const { clock } = sandbox.it;
	expect(clock.now()).toBe(NOON);
	clock.advance(1_000);
	expect(clock.now()).toBe(NOON + 1_000);
	clock.unfreeze();
	await new Promise<void>((resolve) => clock.schedule(2, resolve));
	expect(clock.now()).toBeGreaterThan(NOON + 1_000);
	const order: string[] = [];
	clock.schedule(5_000, () => order.push('later'));
	clock.schedule(3_000, () => order.push('sooner'));
	clock.schedule(50_000, () => order.push('never'));
	clock.advance(6_000);
	expect(order).toEqual(['sooner', 'later']);
	clock.reset();
	expect(clock.now()).toBeGreaterThan(NOON + 365 * 86_400_000);
});
