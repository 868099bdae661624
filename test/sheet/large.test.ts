import { collectGarbage } from '../harness/garbage';
import { sheet, useWorld, world } from './importer';

// A sheet as large as an execution takes, twice: the mock service runs in the same process, and its memory counts too.

useWorld();

const count = 100_000;
/** Above what n8n's engine, the tests and the mock service take before, which is about 350. */
const mostMegabytes = 300;
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Processor time, because other processes take time too, and the most memory above what was in use before. */
async function costOf(run: () => Promise<unknown>): Promise<{ cpuMs: number; peak: number }> {
	collectGarbage();
	const before = process.memoryUsage().rss;
	let most = before;
	const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
	const started = process.cpuUsage();
	await run().finally(() => clearInterval(sampling));
	const { user, system } = process.cpuUsage(started);
	return { cpuMs: (user + system) / 1000, peak: megabytes(most - before) };
}

it('a sheet of 100,000 rows costs no more when it is imported again', async () => {
	const rows = [...sheet(count), { 'Business Name': 'A business without an address', 'External ID': 'crm-none' }];
	const results: unknown[] = [];
	const run = async () => {
		const { items, error } = await world.import({ rows, options: { includeDetails: false } });
		const notSent = items.filter(({ json }) => json.verificationStatus === 'not sent');
		results.push([error, items.length, notSent.length, world.sandbox.ledger.count('batch')]);
	};
	const first = await costOf(run);
	const second = await costOf(run);
	const most = megabytes(process.resourceUsage().maxRSS * 1024);
	console.log(`first ${JSON.stringify(first)}, again ${JSON.stringify(second)}; the process had ${most} MB at most`);
	expect(results).toEqual(Array(2).fill([undefined, count + 1, 1, 400]));
	expect(second.cpuMs / first.cpuMs).toBeLessThan(1);
	expect(Math.max(first.peak, second.peak)).toBeLessThan(mostMegabytes);
}, 600_000);
