import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { type Fate, keyOf, Killed, Model, Process, type Row, type Said } from '../sheet/model';
import { untruths } from '../sheet/truth';
import { randomFrom } from '../watch/random';

/**
 * Every life of a small import: three rows in two batches are imported, with a fault at any request; the sheet is edited;
 * it is imported again, with another fault; and once more, when all is well. No row may be billed twice, none may be lost,
 * and no message may say of what was paid that it was not sent, nor the other way round.
 */

/** Rows with external IDs of the user's, or without. */
const modes = ['own IDs', 'made IDs'] as const;

/** Under "Retry On Fail" n8n tries the node again whatever became of the rows. */
const hosts = ['as it is', 'tried again', 'tried again with another cell'] as const;

/** Seconds until the list shows a batch; the Look-Up Wait is 30. */
const lags = [0, 29];

const faults: Fate[] = ['killedBefore', 'killedAfter', 'lostBefore', 'lostAfter', 'busyBefore', 'busyAfter'];

const row = (name: string): Row => ({
	'External ID': `crm-${name}`,
	Name: name,
	City: 'Springfield',
	State: 'IL',
	DBA: 'first try',
});
const corrected = (one: Row): Row => ({ ...one, City: 'Salem' });

const edits: Record<string, (rows: Row[]) => Row[]> = {
	'no edit': (rows) => rows,
	'a row below': (rows) => [...rows, row('D')],
	'two rows below': (rows) => [...rows, row('D'), row('E')],
	'a row on top': (rows) => [row('D'), ...rows],
	'a row between': ([a, ...others]) => [a, row('D'), ...others],
	'without the first': (rows) => rows.slice(1),
	'without the second': ([a, , c]) => [a, c],
	'without the last': (rows) => rows.slice(0, -1),
	'the first corrected': ([a, ...others]) => [corrected(a), ...others],
	'the last corrected': (rows) => [...rows.slice(0, -1), corrected(rows[2])],
	'two swapped': ([a, b, c]) => [b, a, c],
	reversed: (rows) => [...rows].reverse(),
	'columns turned': (rows) => rows.map((one) => Object.fromEntries(Object.entries(one).reverse()) as Row),
};

/** One fault at one of so many requests, or none. */
const faultsAt = (requests: number): Fate[][] => [
	[],
	...Array.from({ length: requests }, (_, at) =>
		faults.map((fault): Fate[] => [...Array<Fate>(at).fill('well'), fault]),
	).flat(),
];

const dimensions = {
	mode: modes,
	host: hosts,
	lag: lags,
	edit: Object.keys(edits),
	first: faultsAt(9),
	second: faultsAt(3),
} as const;

type Scene = { [K in keyof typeof dimensions]: (typeof dimensions)[K][number] };

function sceneOf(number: number): Scene {
	let left = number;
	const chosen = Object.entries(dimensions).map(([name, values]) => {
		const value = values[left % values.length];
		left = Math.floor(left / values.length);
		return [name, value];
	});
	return Object.fromEntries(chosen) as Scene;
}

const scenes = Object.values(dimensions).reduce((product, { length }) => product * length, 1);

const bad: Row = { 'External ID': 'bad', Name: 'Bad', City: '', State: 'IL', DBA: 'first try' };

interface Tally {
	runs: number;
	kills: number;
	refusals: number;
	billed: number;
}

/** Plays a scene and says what did not hold. */
async function play({ mode, host, lag, edit, first, second }: Scene, tally: Tally): Promise<string[]> {
	const model = new Model({ lag, keepsInList: 255, keepsItself: 255 });
	let n8n = new Process(model.now);
	// It has run for longer than the Look-Up Wait.
	model.now += 3_600_000;
	const broken = new Set<string>();
	const about = `${mode}, ${host}`;

	const plain = ({ 'External ID': id, ...one }: Row): Row => (mode === 'own IDs' ? { 'External ID': id, ...one } : one);
	let executions = 0;
	const sheetOf = (rows: Row[]) => (host === 'as it is' ? rows : [bad, ...rows]).map(plain);
	const run = async (rows: Row[], fates: Fate[]): Promise<Outcome[] | Failure | undefined> => {
		if (!n8n.isAlive) n8n = new Process(model.now);
		tally.runs++;
		const said: Said = { remarks: [], taken: 0 };
		const sheet = sheetOf(rows);
		// With external IDs, cells may also change from one execution to the next.
		const execution = mode === 'own IDs' ? ++executions : 0;
		const ofTry = (go: number) =>
			host === 'tried again with another cell'
				? sheet.map((one) => ({ ...one, DBA: `try ${execution} ${go}` }))
				: sheet;
		try {
			const result = await model.run(n8n, ofTry, {
				chunkSize: 2,
				concurrency: 1,
				stopsOnFailure: false,
				tries: host === 'as it is' ? 1 : 3,
				fates,
				said,
			});
			for (const untrue of untruths(result, sheet, model, said)) broken.add(`${about}: ${untrue}`);
			return result;
		} catch (error) {
			if (!(error instanceof Killed)) throw error;
			tally.kills++;
			return undefined;
		}
	};

	const rows = ['A', 'B', 'C'].map(row);
	const edited = edits[edit](rows);
	await run(rows, first);
	await run(edited, second);
	const last = await run(edited, []);

	const twice = [...model.billed.values()].filter((times) => times > 1).length;
	if (twice > 0) broken.add(`${about}: rows are billed twice`);
	tally.billed += model.billed.size;
	if (last instanceof Failure) {
		tally.refusals++;
		broken.add(`${about}: refused for nothing`);
	} else if (edited.some((one) => !model.billed.has(keyOf(plain(one))))) broken.add(`${about}: rows are lost`);
	return [...broken];
}

const mostShown = 3;

/**
 * `npm run lives -- import` plays them all; with `--tenth [seed]`, as `npm test` does, a tenth of them; with `--part 1/4`
 * the first quarter.
 */
export async function imports(options: string[]): Promise<boolean> {
	const isTenth = options.includes('--tenth');
	const seed = Number(options.find((option) => /^\d+$/.test(option)) ?? process.env.SEED ?? 1);
	const [part, parts] = (options.find((option) => /^\d+\/\d+$/.test(option)) ?? '1/1').split('/').map(Number);
	const [begin, end] = [part - 1, part].map((edge) => Math.round((scenes * edge) / parts));
	const random = randomFrom(seed);
	const tally: Tally = { runs: 0, kills: 0, refusals: 0, billed: 0 };
	const broken = new Map<string, number[]>();
	const started = performance.now();
	let played = 0;
	let failed = 0;
	for (let scene = begin; scene < end; scene++) {
		if (isTenth && random() >= 0.1) continue;
		played++;
		const promises = await play(sceneOf(scene), tally);
		if (promises.length > 0) failed++;
		for (const promise of promises) broken.set(promise, [...(broken.get(promise) ?? []), scene]);
	}
	for (const [promise, where] of broken) {
		console.log(`${where.length} scenes: ${promise} (${where.slice(0, mostShown).join(', ')})`);
	}
	const seconds = ((performance.now() - started) / 1000).toFixed(0);
	const drawn = isTenth ? ` (seed ${seed})` : '';
	console.log(
		`${played} of ${scenes} imports${drawn}: ${tally.runs} runs, ${tally.kills} killed, ${tally.refusals} refused in the end, ${tally.billed} rows billed; ${seconds} s`,
	);
	console.log(`${played - failed} passed, ${failed} failed`);
	return failed === 0 && played > 0;
}
