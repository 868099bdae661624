import { credential, sandbox, useSandbox } from '../harness/sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

// An administrator, or the network, sets the computer's clock while the node waits: no duration may follow it.

const hour = 3_600_000;

const realNow = Date.now;

beforeAll(hurry);
useSandbox();
beforeEach(() => {
	// The service has a clock of its own.
	sandbox.clock.freeze();
	sandbox.switches.lifecycle = 'manual';
});
afterEach(() => void (Date.now = realNow));

/** After so many milliseconds the clock shows another time. */
function setClock(hours: number, afterMs = 500): void {
	const begun = performance.now();
	const { now } = Date;
	Date.now = () => now() + (performance.now() - begun > afterMs ? hours * hour : 0);
}

async function seconds(run: Promise<{ error?: { message: string } }>): Promise<number> {
	const begun = performance.now();
	expect((await run).error).toBeUndefined();
	return Math.floor((performance.now() - begun) / 1_000);
}

describe.each([26, -26])('a clock that is set by %i hours', (hours) => {
	it("does not change the 'Look-Up Wait' of an import", async () => {
		const parameters = { resource: 'batch', operation: 'submit', name: `Sheet ${hours}` };
		const run = (lookUpWait: number, ...names: string[]) =>
			runNode({
				parameters: { ...parameters, options: { advanced: { lookUpWait } } },
				credential: credential(),
				items: names.map((Name) => ({ Name, City: 'Springfield', State: 'IL' })),
			});
		await run(0, 'One');
		setClock(hours);
		const taken = await seconds(run(5, 'One', 'Two'));
		expect([taken >= 5, taken < 60, sandbox.ledger.count('batch')]).toEqual([true, true, 2]);
	});

	it("does not end 'Wait' early or late", async () => {
		setClock(hours);
		const ids = sandbox.inquiries.seed(2, { status: 'RUNNING' });
		sandbox.inquiries.finish(ids[1], 'COMPLETED');
		const run = runNode({
			parameters: {
				resource: 'inquiry',
				operation: 'wait',
				inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				waitingOptions: { pollInterval: 1, maxWait: 0.1, onTimeout: 'lastState' },
			},
			credential: credential(),
			items: ids.map((id) => ({ id })),
		});
		const taken = await seconds(run);
		expect([taken >= 5, taken < 60]).toEqual([true, true]);
		expect((await run).items.map(({ json }) => json.isFinal)).toEqual([false, true]);
	});

	it("does not change the wait for 'Retry-After'", async () => {
		setClock(hours);
		sandbox.faults.add({ method: 'POST', status: 429, headers: { 'retry-after': '5' } });
		const run = runNode({
			parameters: { ...newInquiry, options: { advanced: { concurrency: 1 } } },
			credential: credential(),
			items: [{ name: 'One' }, { name: 'Two' }],
		});
		const taken = await seconds(run);
		expect([taken >= 5, taken < 60, sandbox.ledger.count('inquiry')]).toEqual([true, true, 2]);
	});
});
