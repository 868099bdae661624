import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { type Fate, type Habits, Model, Process, type Row, type Run } from './model';

/** What services make of the names of batches, by which rows are recognized: each is met by two processes. */

const rowsOf = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ Name: `Business ${index}`, City: 'Salem', State: 'OR' }));

async function twice(importMode: Run['importMode'], habits: Partial<Habits>, rows = 60) {
	const model = new Model({ lag: 0, keepsInList: 1_000, keepsItself: 1_000, ...habits });
	const run: Run = { importMode, chunkSize: 20, concurrency: 2, stopsOnFailure: false, fates: [] };
	const first = await model.run(new Process(0), rowsOf(rows), run);
	const afterFirst = { billed: model.billed.size, requests: model.requests };
	const second = await model.run(new Process(0), rowsOf(rows), run);
	const most = Math.max(...model.billed.values());
	return { model, first, second, most, afterFirst, requests: model.requests - afterFirst.requests };
}

const warningsOf = (result: Awaited<ReturnType<Model['run']>>) => {
	if (result instanceof Failure) return result.message;
	const all = result.map((one) =>
		'output' in one ? (one.output.verification as { warnings?: string[] }).warnings : [],
	);
	return [...new Set(all.flat())].map((warning) => warning?.split(':')[0]);
};
const unlisted = 'Do not import these rows again';

const modes: Array<Run['importMode']> = ['once', 'keepInStep'];

it.each(modes)(
	'%s: a list that cuts names, or has none, or no counts: the batches themselves are asked',
	async (mode) => {
		for (const habits of [
			{ keepsInList: 12 },
			{ listed: () => null },
			{ listed: () => undefined },
			{ listed: (name: string) => name.toLowerCase() },
			{ hidesTotal: true },
		]) {
			const { model, most, first, second } = await twice(mode, habits);
			expect([model.billed.size, most, warningsOf(first), warningsOf(second)]).toEqual([
				60,
				1,
				[undefined],
				[undefined],
			]);
		}
	},
);

it('asks each batch for its name once', async () => {
	const { model, requests } = await twice('once', { listed: () => null });
	// The list and three batches.
	expect([model.batches.length, requests]).toEqual([3, 4]);
});

it('once: names that cannot be had are said in the output, and a second process sends nothing', async () => {
	for (const [habits, refusal] of [
		[{ listed: () => null, itself: () => null }, /^The service returns no names for its 3 batches/],
		[{ keepsInList: 12, keepsItself: 12 }, /^Batch 'May 1-20 #\w+' and 2 more may belong to this import/],
	] as const) {
		const { most, first, second } = await twice('once', habits);
		expect([most, warningsOf(first), warningsOf(second)]).toEqual([1, [unlisted], expect.stringMatching(refusal)]);
	}
});

it('once: letters made small or large do not matter', async () => {
	const habits = { listed: (name: string) => name.toUpperCase(), itself: (name: string) => name.toUpperCase() };
	expect(await twice('once', habits)).toMatchObject({ most: 1, model: { billed: { size: 60 } } });
});

it.each(modes.flatMap((mode) => [[mode, 'NFC', 'NFD'] as const, [mode, 'NFD', 'NFC'] as const]))(
	'%s: a name given in %s is matched in a service that stores %s',
	async (importMode, given, stored) => {
		const inForm = (name: string) => name.normalize(stored);
		const model = new Model({ lag: 0, keepsInList: 255, keepsItself: 255, listed: inForm, itself: inForm });
		const name = () => 'Caf\u00e9s in C\u00f3rdoba'.normalize(given);
		const run = { importMode, chunkSize: 20, concurrency: 2, stopsOnFailure: false, name };
		// The second batch is refused, so the second run sends only its rows.
		const before = Array<Fate>(importMode === 'once' ? 3 : 4).fill('well');
		const first = await model.run(new Process(0), rowsOf(40), { ...run, fates: [...before, 'refused'] });
		const unsent = (first as Outcome[]).filter((one) => 'failure' in one).length;
		expect([model.billed.size + unsent, unsent > 0]).toEqual([40, true]);
		const second = await model.run(new Process(0), rowsOf(40), { ...run, fates: [] });
		expect([model.billed.size, Math.max(...model.billed.values()), warningsOf(second)]).toEqual([40, 1, [undefined]]);
	},
);

it.each([
	['cut to 30 letters', { keepsInList: 30, keepsItself: 30 }],
	['made small', { listed: (name: string) => name.toLowerCase(), itself: (name: string) => name.toLowerCase() }],
	['null', { listed: () => null, itself: () => null }],
])(
	'keep in step: names %s end an import after its first four rows, and a second process sends nothing',
	async (_what, habits) => {
		const { model, most, second, first } = await twice('keepInStep', habits);
		expect([model.billed.size, most, second instanceof Failure]).toEqual([4, 1, true]);
		const reasons =
			first instanceof Failure ? [] : first.flatMap((one) => ('failure' in one ? [one.failure.message] : []));
		expect(reasons).toHaveLength(56);
		expect(reasons[0]).toContain('Not sent, because the service');
	},
);

it('sync: once a batch is answered under another name, the rows of the next ones are not sent', async () => {
	let answers = 0;
	const itself = (name: string) => (++answers === 2 ? 'Upload 2' : name);
	const model = new Model({ lag: 0, keepsInList: 1_000, keepsItself: 1_000, itself });
	const run: Run = { importMode: 'keepInStep', chunkSize: 20, concurrency: 1, stopsOnFailure: false, fates: [] };
	const outcomes = (await model.run(new Process(0), rowsOf(60), run)) as Outcome[];
	const reasons = outcomes.flatMap((one) => ('failure' in one ? [one.failure.message.split(': ')[1]] : []));
	expect(model.batches.map(({ total }) => total)).toEqual([4, 20]);
	const reason = 'Not sent, because the service renamed an earlier batch, so its rows cannot be matched later';
	expect(reasons).toEqual(Array(36).fill(reason));
});

it.each([
	[1_000, 3],
	[255, 3],
	[120, 5],
	[64, 10],
])('keep in step: a service that keeps %i letters gets %i further batches', async (keeps, batches) => {
	const { model, most, second } = await twice('keepInStep', { keepsInList: keeps, keepsItself: keeps });
	expect([model.billed.size, most, model.batches.length - 1, warningsOf(second)]).toEqual([
		60,
		1,
		batches,
		[undefined],
	]);
});

it('the limit: a service that calls every batch otherwise is sent all of it again, and the output says so each time', async () => {
	const habits = {
		listed: (name: string) => `Upload ${name.length}`,
		itself: (name: string) => `Upload ${name.length}`,
	};
	const { most, first, second } = await twice('once', habits);
	expect([most, warningsOf(first), warningsOf(second)]).toEqual([2, [unlisted], [unlisted]]);
});

it.each(modes)('%s: an import whose name begins another one keeps apart from it', async (importMode) => {
	const model = new Model({ lag: 0, keepsInList: 255, keepsItself: 255 });
	const run: Run = { importMode, chunkSize: 9, concurrency: 2, stopsOnFailure: true, fates: [] };
	for (const name of ['May 2', 'May', 'May 2', 'May']) {
		expect(await model.run(new Process(0), rowsOf(20), { ...run, name: () => name })).toHaveLength(20);
	}
	expect([...model.billed.values()]).toEqual(Array(20).fill(2));
});

it('once: an import name longer than the service keeps is found again where the batch itself names it, and refused otherwise', async () => {
	const name = () => `Quarterly verification of all restaurants in the northern counties ${'x'.repeat(17)}`;
	for (const [itself, refusal] of [
		[1_000, undefined],
		[64, /^Batch 'Quarterly/],
		[30, /^Batch 'Quarterly/],
	] as const) {
		const model = new Model({ lag: 0, keepsInList: 64, keepsItself: itself });
		const run: Run = { importMode: 'once', chunkSize: 20, concurrency: 1, stopsOnFailure: false, fates: [], name };
		await model.run(new Process(0), rowsOf(20), run);
		const again = await model.run(new Process(0), rowsOf(20), run);
		expect(Math.max(...model.billed.values())).toBe(1);
		expect(again instanceof Failure ? again.message : undefined).toEqual(
			refusal ? expect.stringMatching(refusal) : undefined,
		);
	}
});

it('an import is not refused for a batch that is called by the beginning of its name, where longer names are kept', async () => {
	const model = new Model({ lag: 0, keepsInList: 255, keepsItself: 255 });
	const run: Run = { importMode: 'once', chunkSize: 20, concurrency: 1, stopsOnFailure: false, fates: [] };
	await model.run(new Process(0), rowsOf(2), { ...run, name: () => 'Another import with a longer name' });
	model.batches.push({ ...model.batches[0], batchId: 'foreign', name: 'Leads of the northern' });
	expect(
		await model.run(new Process(0), rowsOf(3), { ...run, name: () => 'Leads of the northern counties' }),
	).toHaveLength(3);
});

it('a batch that is listed before it can be read is asked again', async () => {
	const model = new Model({ lag: 0, keepsInList: 255, keepsItself: 255, listed: () => null });
	const run: Run = { importMode: 'once', chunkSize: 20, concurrency: 1, stopsOnFailure: false, fates: [] };
	await model.run(new Process(0), rowsOf(5), run);
	const later = new Process(0);
	model.now += 60_000;
	model.habits.hiddenUntil = model.now + 10_000;
	const again = await model.run(later, rowsOf(5), run);
	expect(again).toHaveLength(5);
	expect(Math.max(...model.billed.values())).toBe(1);
});
