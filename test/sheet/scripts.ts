/**
 * Sheets that live: a script edits a sheet, and imports it again and again, while everything goes wrong that can. Run
 * many with `npx tsx test/sheet/scripts.ts 10000 [seed]`; a few are part of the unit tests.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { type Fate, fates, type Habits, keyOf, Killed, Model, Process, type Row, type Run } from './model';

type Edit =
	| { edit: 'append' | 'insert' | 'remove' | 'correct' | 'undo' | 'move'; at: number; count: number }
	| { edit: 'reverse' | 'turnColumns' };

type Step = { edits: Edit[]; run: Omit<Run, 'importMode'>; on: 'same' | 'restarted' | 'other'; minutesLater: number };

export interface Script {
	importMode: Run['importMode'];
	rows: number;
	habits: Habits;
	steps: Step[];
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			edit: fc.constantFrom('append', 'insert', 'remove', 'correct', 'undo', 'move'),
			at: fc.nat(10_000),
			count: fc.integer({ min: 1, max: 6 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ edit: fc.constantFrom('reverse', 'turnColumns') }) },
) as fc.Arbitrary<Edit>;

const fate = fc.oneof(
	{ weight: 5, arbitrary: fc.constant<Fate>('well') },
	{ weight: 1, arbitrary: fc.constantFrom(...fates) },
);

const step = (inStep: boolean): fc.Arbitrary<Step> =>
	fc.record({
		edits: inStep
			? fc.array(edit, { maxLength: 3 })
			: // An import that is made once mostly grows; what else happens to it is to be noticed.
				fc.oneof(
					{
						weight: 3,
						arbitrary: fc.array(
							fc.record({
								edit: fc.constant('append' as const),
								at: fc.constant(0),
								count: fc.integer({ min: 1, max: 9 }),
							}),
							{ maxLength: 1 },
						),
					},
					{ weight: 1, arbitrary: fc.array(edit, { maxLength: 2 }) },
				),
		run: fc.record({
			chunkSize: fc.integer({ min: 1, max: 40 }),
			concurrency: fc.integer({ min: 1, max: 4 }),
			stopsOnFailure: fc.boolean(),
			fates: fc.array(fate, { maxLength: 14 }),
			tries: fc.constantFrom(1, 3),
		}),
		on: fc.constantFrom('same', 'restarted', 'other'),
		minutesLater: fc.constantFrom(0, 0, 60),
	});

const scriptOf = (importMode: Run['importMode']): fc.Arbitrary<Script> => {
	const inStep = importMode === 'keepInStep';
	return fc.record({
		importMode: fc.constant(importMode),
		rows: fc.integer({ min: 0, max: 90 }),
		habits: fc.record({
			lag: fc.constantFrom(0, 0, 5, 29),
			keepsInList: fc.constantFrom(1_000, 255, 120, 64, 30, 12),
			keepsItself: fc.constantFrom(1_000, 255, 120, 64, 30, 12),
		}),
		steps: fc.array(step(inStep), { minLength: 1, maxLength: 6 }),
	});
};

export const script = fc.oneof(scriptOf('once'), scriptOf('keepInStep'));

let made = 0;
const newRow = (): Row => ({ Name: `Business ${++made}`, City: 'Springfield', State: 'IL' });

function edited(rows: Row[], change: Edit): Row[] {
	if (!('at' in change))
		return change.edit === 'reverse'
			? [...rows].reverse()
			: rows.map((row) => Object.fromEntries(Object.entries(row).reverse()) as Row);
	const at = rows.length === 0 ? 0 : change.at % rows.length;
	const some = rows.slice(at, at + change.count);
	const others = [...rows.slice(0, at), ...rows.slice(at + change.count)];
	const withCity = (city: (row: Row) => string) =>
		rows.map((row) => (some.includes(row) ? { ...row, City: city(row) } : row));
	switch (change.edit) {
		case 'append':
			return [...rows, ...Array.from({ length: change.count }, newRow)];
		case 'insert':
			return [...rows.slice(0, at), ...Array.from({ length: change.count }, newRow), ...rows.slice(at)];
		case 'remove':
			return others;
		case 'move':
			return [...some, ...others];
		case 'correct':
			return withCity(({ City }) => `${City}+`);
		case 'undo':
			return withCity(() => 'Springfield');
	}
}

export interface Tally {
	runs: number;
	kills: number;
	refusals: number;
	requests: number;
	rows: number;
}

/** Plays a script and says what did not hold, by throwing. */
export async function play({ importMode, rows: count, habits, steps }: Script, tally: Tally): Promise<void> {
	const model = new Model(habits);
	let rows = Array.from({ length: count }, newRow);
	let mine = new Process(model.now);
	let other = new Process(model.now);
	const billedTwice = () => [...model.billed].filter(([, times]) => times > 1);
	// So that both have lived longer than the grace.
	model.now += 3_600_000;

	for (const { edits, run, on, minutesLater } of steps) {
		rows = edits.reduce(edited, rows);
		model.now += minutesLater * 60_000;
		// Importing once does not wait for what another living process may have sent a moment ago: the limits say so.
		const isOther = on === 'other' && (importMode === 'keepInStep' || habits.lag === 0);
		if (on === 'restarted' || !mine.isAlive) mine = new Process(model.now);
		if (!other.isAlive) other = new Process(model.now);
		const before = model.batches.length;
		tally.runs++;
		try {
			const result = await model.run(isOther ? other : mine, rows, { importMode, ...run });
			if (result instanceof Failure) tally.refusals++;
			if (result instanceof Failure && /^(The sheet was|The service (holds|tells)|Another run)/.test(result.message)) {
				assert.equal(
					model.batches.length,
					run.tries === 1 ? before : model.batches.length,
					'refused, but something was sent',
				);
			}
			rowsAreWhatTheyAreSaidToBe(result, rows, model);
		} catch (error) {
			if (!(error instanceof Killed)) throw error;
			tally.kills++;
			// What was under way beside it is gone as well.
			await new Promise((resolve) => setImmediate(resolve));
		}
		assert.deepEqual(billedTwice(), [], 'billed twice');
	}

	model.now += 3_600_000;
	const before = model.batches.length;
	const last = await model.run(new Process(model.now - 3_600_000), rows, {
		importMode,
		chunkSize: 40,
		concurrency: 4,
		stopsOnFailure: false,
		fates: [],
	});
	tally.requests += model.requests;
	tally.rows += rows.length;
	assert.deepEqual(billedTwice(), [], 'billed twice');
	if (last instanceof Failure) {
		assert.equal(model.batches.length, before, 'refused, but something was sent');
		return;
	}
	rowsAreWhatTheyAreSaidToBe(last, rows, model);
	const failures = last.flatMap((outcome) => ('failure' in outcome ? [outcome.failure.message] : []));
	// A service that keeps less of a name than four digests ends an import that is kept in step after its first batch.
	if (importMode === 'keepInStep' && Math.min(habits.keepsInList, habits.keepsItself) < 64) return;
	assert.deepEqual(failures, [], 'the last run, in which nothing goes wrong, leaves nothing behind');
	const lost = rows.map(keyOf).filter((key) => !model.billed.has(key) && !model.dropped.has(key));
	assert.deepEqual(lost, [], 'lost');
}

/** A row that leaves as sent is with the service, or its output warns that it may not be; each row leaves once. */
function rowsAreWhatTheyAreSaidToBe(result: Outcome[] | Failure, rows: Row[], model: Model): void {
	if (result instanceof Failure) return;
	assert.equal(result.length, rows.length);
	for (const outcome of result) {
		if ('failure' in outcome) continue;
		const { warnings = [] } = outcome.output.verification as { warnings?: string[] };
		const key = keyOf(outcome.output);
		if (model.billed.has(key)) continue;
		assert.ok(model.dropped.has(key), `${key} is said to be sent`);
		assert.ok(
			warnings.some((warning) => warning.includes('which rows are missing')),
			`${key} was dropped without a word`,
		);
	}
}

export async function check(numRuns: number, seed?: number): Promise<Tally> {
	const tally = { runs: 0, kills: 0, refusals: 0, requests: 0, rows: 0 };
	await fc.assert(
		fc.asyncProperty(script, (one) => play(one, tally)),
		{ numRuns, ...(seed !== undefined && { seed }) },
	);
	return tally;
}

if (require.main === module) {
	const [scripts = 10_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
	const started = Date.now();
	check(scripts, seed).then(
		({ runs, kills, refusals, requests, rows }) =>
			console.log(
				`${scripts} scripts (seed ${seed}), ${runs} runs, ${kills} killed, ${refusals} refused, ${(requests / runs).toFixed(1)} requests a run, ` +
					`${rows} rows in the end; billed twice 0, lost 0; ${((Date.now() - started) / 1000).toFixed(0)} s`,
			),
		(error) => {
			console.error(error instanceof Error ? error.message : error);
			process.exitCode = 1;
		},
	);
}
