import { askForBatches } from '../../nodes/BusinessVerification/sheet/submitted';
import fc from '../harness/seed';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { SharedClock } from '../harness/sharedClock';
import { Killed, Model, Process, type Row, type Run } from './model';

/** The same service with a clock on which several n8n run side by side. */
class Shared extends Model {
	private readonly clock = new SharedClock(this);

	constructor(
		lag: number,
		private readonly latencies: readonly number[],
		private readonly workMs = 0,
	) {
		super({ lag, keepsInList: 255, keepsItself: 255 });
	}

	protected transit() {
		return this.latencies[this.requests % this.latencies.length];
	}

	protected async works(): Promise<void> {
		if (this.workMs > 0) await this.passes(this.workMs);
	}

	protected passes(ms: number): Promise<void> {
		return this.clock.passes(ms);
	}

	/** Each process begins its import after so many milliseconds. */
	together(starts: readonly number[], rows: readonly Row[], run: Run, startedAt = 0) {
		return this.clock.together(starts, () => this.run(new Process(startedAt), rows, run));
	}

	twice = () => [...this.billed.values()].filter((times) => times > 1).length;
}

const rowsOf = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ Name: `Business ${index}`, City: 'Salem', State: 'OR' }));

const calm = { stopsOnFailure: false, fates: [] };

/** The rows of which the output says that another batch holds them too. */
const reported = (results: ReadonlyArray<Outcome[] | Failure>) =>
	results.flatMap((result) =>
		result instanceof Failure
			? []
			: result.flatMap((one, place) =>
					'output' in one && String(one.output.verificationProblem).includes('Also submitted in ') ? [place] : [],
				),
	);

/** What is imported, in which mode, and how fast the service answers. */
const imported = {
	latencies: fc.array(fc.integer({ min: 1, max: 800 }), { minLength: 1, maxLength: 20 }),
	count: fc.integer({ min: 1, max: 60 }),
	chunkSize: fc.integer({ min: 1, max: 9 }),
	concurrency: fc.integer({ min: 1, max: 4 }),
	tries: fc.constantFrom(1, 3),
};

it('processes that begin the same import at the same moment bill no more twice than their first batches', async () => {
	const world = fc.record({
		...imported,
		lag: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 29 })),
		starts: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 2, maxLength: 3 }),
	});
	let doubled = 0;
	await fc.assert(
		fc.asyncProperty(world, async ({ lag, starts, latencies, count, ...run }) => {
			const model = new Shared(lag, latencies);
			const results = await model.together(starts, rowsOf(count), { ...calm, ...run });
			const most = run.chunkSize;
			doubled += model.twice();
			expect(model.twice()).toBeLessThanOrEqual(most);
			expect(new Set(reported(results)).size).toBe(model.twice());

			model.now += 60_000;
			const twice = model.twice();
			await model.together([0], rowsOf(count), { ...calm, ...run });
			expect([model.billed.size, model.twice()]).toEqual([count, twice]);
		}),
		{ numRuns: 300 },
	);
	// Where nobody meets nobody nothing is shown.
	expect(doubled).toBeGreaterThan(100);
});

it('a process that is as old as the one that was killed sends no more twice than the first batch', async () => {
	const world = fc.record({
		...imported,
		lag: fc.integer({ min: 0, max: 29 }),
		later: fc.integer({ min: 0, max: 40_000 }),
		before: fc.integer({ min: 0, max: 12 }),
		fate: fc.constantFrom('killedBefore' as const, 'killedAfter' as const),
	});
	let doubled = 0;
	await fc.assert(
		fc.asyncProperty(world, async ({ lag, later, before, fate, latencies, count, ...run }) => {
			const model = new Shared(lag, latencies);
			const rows = rowsOf(count);
			const fates = [...Array<'well'>(before).fill('well'), fate];
			await model.together([0], rows, { ...calm, ...run, fates }).catch(killed);
			await model.together([later], rows, { ...calm, ...run });
			const most = run.chunkSize;
			doubled += model.twice();
			expect(model.twice()).toBeLessThanOrEqual(most);

			model.now += 60_000;
			const twice = model.twice();
			await model.together([0], rows, { ...calm, ...run });
			expect([model.billed.size, model.twice()]).toEqual([count, twice]);
		}),
		{ numRuns: 300 },
	);
	expect(doubled).toBeGreaterThan(0);
});

const killed = (error: unknown) => {
	if (!(error instanceof Killed)) throw error;
};

const sixtyRows = async (lag: number) => {
	const model = new Shared(lag, [100]);
	const run = { ...calm, chunkSize: 10, concurrency: 4 };
	const results = await model.together([0, 0], rowsOf(60), run);
	return { twice: model.twice(), reported: new Set(reported(results)).size, ms: model.now - 1_000_000 };
};

it('waits for the list only where it is late', async () => {
	// The list, the first batch, the list beside it, the other batch, the last list: 200 ms each. The others are not sent.
	expect(await sixtyRows(0)).toEqual({ twice: 10, reported: 10, ms: 1_000 });
	expect(await sixtyRows(20)).toEqual({ twice: 10, reported: 10, ms: 31_200 });
});

it('the limit: a list that is later than the look-up wait makes the first batch wait twice', async () => {
	expect(await sixtyRows(40)).toMatchObject({ twice: 10, reported: 10 });
});

it.each([0, 150])(
	'checks rows and writes batches while the service is asked: %s ms of it each time',
	async (workMs) => {
		const model = new Shared(0, [100], workMs);
		const run = { ...calm, chunkSize: 10, concurrency: 4 };
		await model.together([0], rowsOf(60), run);
		// The list, the first batch, the list with the batch beside it, four batches, one, the last list.
		expect([model.billed.size, model.now - 1_000_000]).toEqual([60, 1_200]);
	},
);

it('judges by the moment when it asked for the list, not by the one when the rows are checked', async () => {
	const run = { ...calm, chunkSize: 10, concurrency: 4 };
	const requestsOf = async (age: number) => {
		const model = new Shared(0, [100], 1_000);
		await model.together([0], rowsOf(10), run, 1_000_000 - age);
		return model.requests;
	};
	// Whoever was killed before this process began may have sent what the list showed only half a second later.
	expect(await requestsOf(29_500)).toBe(5);
	expect(await requestsOf(30_000)).toBe(4);
});

it('a list that cannot be read is no unhandled rejection where the run has failed before it needs it', async () => {
	const unhandled: unknown[] = [];
	const note = (reason: unknown) => void unhandled.push(reason);
	process.on('unhandledRejection', note);
	askForBatches({ uptime: () => 0, list: () => Promise.reject(new Error('no answer')) } as never);
	await new Promise((resolve) => setImmediate(resolve));
	process.off('unhandledRejection', note);
	expect(unhandled).toEqual([]);
});
