import fc from '../harness/seed';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { fates, Model, Process, type Row } from './model';
import { check } from './scripts';

it('bills no row twice and loses none, whatever happens to a sheet and to the runs that import it', async () => {
	const { runs, kills, refusals, pairs, met } = await check(300);
	// A script in which nothing happens proves nothing.
	expect([runs > 600, kills > 50, refusals > 50, pairs > 50, met > 10]).toEqual(Array(5).fill(true));
});

const rowsOf = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ Name: `Business ${index}`, City: 'Salem', State: 'OR' }));

it('bills no row twice when n8n tries a node again whose batch name is another one each time', async () => {
	const oneRun = fc.record({
		chunkSize: fc.integer({ min: 1, max: 9 }),
		concurrency: fc.integer({ min: 1, max: 4 }),
		stopsOnFailure: fc.boolean(),
		fates: fc.array(fc.constantFrom(...fates.filter((fate) => !fate.startsWith('killed'))), { maxLength: 30 }),
	});
	await fc.assert(
		fc.asyncProperty(oneRun, fc.integer({ min: 1, max: 40 }), async (run, count) => {
			const model = new Model({ lag: 0, keepsInList: 255, keepsItself: 255 });
			let tries = 0;
			await model.run(new Process(0), rowsOf(count), { ...run, tries: 3, name: () => `May ${++tries}` });
			expect([...model.billed.values()].filter((times) => times > 1)).toEqual([]);
		}),
		{ numRuns: 200 },
	);
});

describe('the limits', () => {
	const calm = { chunkSize: 10, concurrency: 1, stopsOnFailure: false, fates: [] };
	const both = async (lag: number) => {
		const model = new Model({ lag, keepsInList: 255, keepsItself: 255 });
		const [one, other] = [new Process(0), new Process(0)];
		await model.run(one, rowsOf(5), { ...calm, fates: ['well', 'killedAfter'] }).catch(() => {});
		const result = await model.run(other, rowsOf(5), calm);
		return { most: Math.max(...model.billed.values()), result };
	};

	it('a first import does not wait for what another living process may have sent a moment ago, but says so afterwards', async () => {
		expect((await both(0)).most).toBe(1);
		const { most, result } = await both(29);
		expect(most).toBe(2);
		expect(
			result instanceof Failure ? [] : result.map((one) => 'output' in one && one.output.verificationProblem),
		).toEqual(Array(5).fill('Also submitted in id-1.'));
	});
});
