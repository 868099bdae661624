/**
 * Sheets that live: a script edits a sheet, and imports it again and again, while everything goes wrong that can. Run
 * many with `npx tsx test/sheet/scripts.ts 10000 [seed]`; a few are part of `npm test`.
 */
import assert from 'node:assert/strict';
import fc from '../harness/seed';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Outcome } from '../../nodes/BusinessVerification/kit/operation';
import { SharedClock } from '../harness/sharedClock';
import { type Fate, fates, type Habits, keyOf, Killed, Model, Process, type Row, type Run, type Said } from './model';
import { neverRead, untruths } from './truth';

type Edit =
	| { edit: 'append' | 'insert' | 'remove' | 'correct' | 'undo' | 'move' | 'replace'; at: number; count: number }
	| { edit: 'reverse' | 'turnColumns' };

/** Who imports the same sheet at the same moment. */
const companies = ['nobody', 'another execution', 'another tenant', 'another process'] as const;

interface Step {
	edits: Edit[];
	run: Run;
	/** Whether a cell has another value in each try. */
	changes: boolean;
	on: 'same' | 'restarted' | 'other';
	beside: (typeof companies)[number];
	/** Milliseconds by which the other one begins later. */
	later: number;
	minutesLater: number;
	/** Hours by which the wall clock is set ahead, or back, while the import runs. */
	clockStep: number;
}

interface Script {
	identity: 'own' | 'made';
	/** Agents call the same import by several names. */
	names: readonly string[];
	isAgent: boolean;
	rows: number;
	habits: Habits;
	/** What tells the tenants of the host. */
	tenantsBy: 'a header' | 'the key';
	steps: Step[];
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			edit: fc.constantFrom('append', 'insert', 'remove', 'correct', 'undo', 'move', 'replace'),
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

const step = (): fc.Arbitrary<Step> =>
	fc.record({
		edits: fc.array(edit, { maxLength: 3 }),
		run: fc.record({
			chunkSize: fc.integer({ min: 1, max: 40 }),
			concurrency: fc.integer({ min: 1, max: 4 }),
			stopsOnFailure: fc.boolean(),
			fates: fc.array(fate, { maxLength: 14 }),
			tries: fc.constantFrom(1, 3),
		}),
		changes: fc.boolean(),
		on: fc.constantFrom('same', 'restarted', 'other'),
		beside: fc.oneof({ weight: 3, arbitrary: fc.constant('nobody' as const) }, fc.constantFrom(...companies)),
		later: fc.constantFrom(0, 0, 40, 900),
		minutesLater: fc.constantFrom(0, 0, 60),
		clockStep: fc.constantFrom(0, 0, 26, -26),
	});

const longImport = `Leads of the spring campaign, all states, ${'agency '.repeat(6)}`.trim();
const importNames = ['May', 'Leads 2 Restaurants', longImport, `${longImport}; ${longImport}; third list`];
const agentNames = ['March leads', 'March leads (retry)', 'March Leads 2', 'march leads'];

const lengths = fc.oneof(fc.constantFrom(1_000, 255), fc.constantFrom(1_000, 255, 120, 64, 30, 12));

/** The service keeps the name of the import, but perhaps not the number behind it. */
const withinReach = ({ habits, names }: Script) =>
	names.every((name) => name.length <= Math.min(habits.keepsInList, habits.keepsItself));

const scriptOf = (identity: Script['identity'], isAgent: boolean): fc.Arbitrary<Script> =>
	fc
		.record({
			identity: fc.constant(identity),
			isAgent: fc.constant(isAgent),
			names: isAgent ? fc.constant(agentNames) : fc.constantFrom(...importNames).map((name) => [name]),
			rows: isAgent
				? fc.integer({ min: 0, max: 25 })
				: fc.oneof(
						{ weight: 12, arbitrary: fc.integer({ min: 0, max: 90 }) },
						{ weight: 1, arbitrary: fc.integer({ min: 91, max: 600 }) },
					),
			habits: fc.record({
				lag: fc.constantFrom(0, 0, 5, 29),
				keepsInList: lengths,
				keepsItself: lengths,
				longestName: fc.constantFrom(Infinity, Infinity, Infinity, 100, 40),
				idsIn: fc.constantFrom('rows' as const, 'rows' as const, 'list' as const, 'records' as const, 'late' as const),
				inquiryLag: fc.constantFrom(0, 0, 0, 20),
				hidesTotal: fc.constantFrom(false, false, true),
				showsNames: fc.boolean(),
				spelled: fc.constantFrom(...Array<typeof spellings.same>(6).fill(spellings.same), ...Object.values(spellings)),
			}),
			tenantsBy: fc.constantFrom('a header' as const, 'the key' as const),
			steps: fc.array(step(), { minLength: 1, maxLength: 6 }),
		})
		.filter(withinReach);

/** What services make of an external ID. */
const spellings = {
	same: (id: string): string | number => id,
	upper: (id: string) => id.toUpperCase(),
	number: (id: string) => (/^\d+$/.test(id) ? Number(id) : id),
	cut: (id: string) => id.slice(0, 20),
};

const script = fc.oneof(
	{ weight: 3, arbitrary: scriptOf('own', false) },
	{ weight: 3, arbitrary: scriptOf('made', false) },
	{ weight: 1, arbitrary: scriptOf('made', true) },
);

let made = 0;
/** IDs of each kind: with zeros in front, with letters, and long ones. */
const ownId = (number: number) =>
	[`00${number}`, `crm-A${number}`, `crm.io/${number}/of the spring campaign/${'x'.repeat(number % 7)}`][number % 3];
const newRow = (identity: Script['identity']): Row => ({
	...(identity === 'own' && { 'External ID': ownId(++made) }),
	Name: `Business ${identity === 'own' ? made : ++made}`,
	City: 'Springfield',
	State: 'IL',
});

function edited(rows: Row[], change: Edit, identity: Script['identity']): Row[] {
	const news = () => Array.from({ length: 'at' in change ? change.count : 0 }, () => newRow(identity));
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
			return [...rows, ...news()];
		case 'insert':
			return [...rows.slice(0, at), ...news(), ...rows.slice(at)];
		case 'remove':
			return others;
		case 'move':
			return [...some, ...others];
		case 'correct':
			return withCity(({ City }) => `${City}+`);
		case 'undo':
			return withCity(() => 'Springfield');
		case 'replace':
			// Another business under the same ID, as of another list.
			return rows.map((row) => (some.includes(row) ? { ...row, Name: row.Name.split('').reverse().join('') } : row));
	}
}

export interface Tally {
	runs: number;
	kills: number;
	refusals: number;
	/** Those of the whole import, because it cannot tell what is new. */
	refusedWhole: number;
	/** Runs beside another one, and rows that two processes sent both. */
	pairs: number;
	met: number;
	requests: number;
	rows: number;
}

/** A tenant's side of the service. Time passes for one after the other, unless two processes have a clock in common. */
class World extends Model {
	private shared: SharedClock | undefined;

	protected passes(ms: number): Promise<void> {
		return this.shared?.passes(ms) ?? super.passes(ms);
	}

	async together<T>(starts: readonly number[], run: () => Promise<T>): Promise<T[]> {
		this.shared = new SharedClock(this);
		return await this.shared.together(starts, run).finally(() => (this.shared = undefined));
	}

	get isShared(): boolean {
		return this.shared !== undefined;
	}

	get twice(): string[] {
		return [...this.billed].flatMap(([key, times]) => (times > 1 ? [key] : []));
	}
}

/** Longer than the Look-Up Wait. */
const anHour = 3_600_000;

/** One script, played against two tenants of a host. */
class Play {
	private readonly model: World;
	private readonly neighbor: World;
	private rows: Row[];
	private mine = new Process(0);
	private other = new Process(0);
	/** Rows that two processes have sent both, and said so. */
	private readonly tolerated = new Set<string>();

	constructor(
		private readonly script: Script,
		private readonly tally: Tally,
	) {
		this.rows = Array.from({ length: script.rows }, () => newRow(script.identity));
		this.model = this.worldOf('one');
		this.neighbor = this.worldOf('two');
	}

	private worldOf(name: string): World {
		const { habits, tenantsBy } = this.script;
		const tenant = tenantsBy === 'a header' ? { header: name, key: 'ours' } : { header: '', key: name };
		return new World({ ...habits, tenant });
	}

	private pass(ms: number): void {
		this.neighbor.now = this.model.now = Math.max(this.model.now, this.neighbor.now) + ms;
	}

	async step(step: Step): Promise<void> {
		const { identity, isAgent, habits } = this.script;
		const { on, beside, later } = step;
		this.rows = step.edits.reduce((rows, one) => edited(rows, one, identity), this.rows);
		this.pass(step.minutesLater * 60_000);
		const setAt = this.model.requests + (later % 7);
		Date.now = () => this.model.now + (this.model.requests >= setAt ? step.clockStep * anHour : 0);
		if ((on === 'restarted' && !isAgent) || !this.mine.isAlive) this.mine = new Process(this.model.now);
		if (!this.other.isAlive) this.other = new Process(this.model.now);
		// Two processes meet where each can read the names of the other.
		const areReadable = Math.min(habits.keepsInList, habits.keepsItself) >= 255;
		if (beside === 'another process' && areReadable && !isAgent) return await this.meet(step);
		// Importing once does not wait for what another living process may have sent a moment ago: the limits say so.
		const isOther = on === 'other' && !isAgent && habits.lag === 0;
		const n8n = isOther ? this.other : this.mine;
		const runs = [this.run(this.model, n8n, step)];
		if (beside === 'another execution') runs.push(this.run(this.model, n8n, step));
		if (beside === 'another tenant') runs.push(this.run(this.neighbor, n8n, step));
		this.tally.pairs += runs.length - 1;
		for (const end of await Promise.allSettled(runs)) {
			if (end.status === 'fulfilled') continue;
			if (!(end.reason instanceof Killed)) throw end.reason;
			this.tally.kills++;
		}
		// What was under way beside it is gone as well.
		await new Promise((resolve) => setImmediate(resolve));
		this.billsOnce();
	}

	/** Two processes begin the same import. */
	private async meet(step: Step): Promise<void> {
		const { model, tolerated, tally } = this;
		const run = { ...step.run, stopsOnFailure: false, fates: [] };
		const before = new Set(model.twice);
		const begin = () => this.run(model, new Process(model.now - anHour), { ...step, run });
		const results = await model.together([0, step.later], begin);
		const news = model.twice.filter((key) => !before.has(key));
		const most = run.chunkSize;
		assert.ok(news.length <= most, `two processes sent ${news.length} rows twice`);
		const told = new Set(results.flatMap(alsoSent));
		assert.ok(
			news.every((key) => told.has(key)) || this.script.habits.spelled !== spellings.same,
			'two processes sent the same, without a word',
		);
		for (const key of news) tolerated.add(key);
		tally.met += news.length;
		tally.pairs++;
		this.pass(60_000);
	}

	private async run(world: World, n8n: Process, { run, changes }: Step): Promise<Outcome[] | Failure> {
		const { isAgent, names } = this.script;
		const { rows, tally } = this;
		const runs = ++tally.runs;
		const said: Said = { remarks: [], taken: 0 };
		// What a model has given stays the same in each try.
		const ofTry = (go: number) => rows.map((row) => ({ ...row, DBA: changes && !isAgent ? `try ${go}` : 'try 1' }));
		const name = () => names[runs % names.length];
		// With the process goes what an agent has submitted under another name.
		const fates = isAgent ? run.fates.filter((fate) => !fate.startsWith('killed')) : run.fates;
		const result = await world.run(n8n, ofTry, { ...run, fates, name, said, isAgent });
		if (result instanceof Failure) {
			tally.refusals++;
			const { parameter, cause } = result.details;
			const isStopped = result.message.includes('Not sent.');
			const isRefused = !isStopped && (parameter === 'name' || cause === 'temporarily-unavailable');
			if (isRefused) tally.refusedWhole++;
			if (isRefused && (run.tries ?? 1) === 1) assert.equal(said.taken, 0, 'refused, but something was sent');
		} else assert.equal(result.length, rows.length, 'each row leaves once');
		// Of two processes each speaks of what it has sent itself.
		if (!world.isShared) assert.deepEqual(untruths(result, rows, world, said), []);
		return result;
	}

	/** A last run, in which nothing goes wrong, leaves nothing behind. */
	async end(): Promise<void> {
		const { script, mine, tally, rows } = this;
		this.pass(anHour);
		for (const world of [this.model, this.neighbor]) {
			const before = world.batches.length;
			const run = { chunkSize: 40, concurrency: 4, stopsOnFailure: false, fates: [] };
			const n8n = script.isAgent && mine.isAlive ? mine : new Process(world.now - anHour);
			const result = await this.run(world, n8n, { run } as unknown as Step);
			this.billsOnce();
			tally.requests += world.requests;
			if (result instanceof Failure) {
				assert.equal(world.batches.length, before, 'refused, but something was sent');
				// The sheet is another one than the import: the user is asked.
				const known = rows.filter((row) => world.billed.has(keyOf(row))).length;
				if (/^Only \d+ of/.test(result.message) && known < Math.min(world.billed.size, rows.length) / 10) continue;
				const isOpen = script.isAgent && result.details.submission === 'unknown';
				assert.ok(rows.length === 0 || isOpen || isImpossible(script), `refused for nothing: ${result.message}`);
				continue;
			}
			tally.rows += rows.length;
			const left = result.flatMap((outcome) => {
				if ('failure' in outcome) return [outcome.failure.message];
				const { verificationStatus, verificationProblem } = outcome.output;
				// What an agent has sent without an answer is not sent again.
				const isLeft = verificationStatus === 'not sent' || (verificationStatus === 'not confirmed' && !script.isAgent);
				return isLeft ? [verificationProblem] : [];
			});
			const lost = rows.filter((row) => !world.billed.has(keyOf(row)));
			assert.ok(script.isAgent || lost.length <= left.length, 'lost without a word');
			if (!isImpossible(script)) assert.deepEqual(left, [], 'something is left behind');
		}
	}

	private billsOnce(): void {
		const twice = [this.model, this.neighbor].flatMap((world) => world.twice.filter((key) => !this.tolerated.has(key)));
		assert.deepEqual(twice, [], 'billed twice');
	}
}

/** Plays a script and says what did not hold, by throwing. */
async function play(script: Script, tally: Tally): Promise<void> {
	const realNow = Date.now;
	const played = new Play(script, tally);
	try {
		for (const step of script.steps) await played.step(step);
		await played.end();
	} finally {
		Date.now = realNow;
	}
}

const isSaid = ({ verificationProblem }: Record<string, unknown>) =>
	String(verificationProblem).includes('Also submitted in ');

const alsoSent = (result: Outcome[] | Failure) =>
	result instanceof Failure
		? []
		: result.flatMap((outcome) => ('output' in outcome && isSaid(outcome.output) ? [keyOf(outcome.output)] : []));

/** A service that refuses the names of an import refuses its batches. */
function isImpossible({ names, habits: { longestName = Infinity, spelled } }: Script): boolean {
	// Nor can rows be matched whose external IDs come back changed.
	return Math.max(...names.map(({ length }) => length)) + ' · 1000'.length > longestName || spelled !== spellings.same;
}

export async function check(numRuns: number, seed?: number): Promise<Tally> {
	const tally = {
		runs: 0,
		kills: 0,
		refusals: 0,
		refusedWhole: 0,
		pairs: 0,
		met: 0,
		requests: 0,
		rows: 0,
	};
	await fc.assert(
		fc.asyncProperty(script, (one) => play(one, tally)),
		{ numRuns, ...(seed !== undefined && { seed }) },
	);
	assert.deepEqual(neverRead(), [], 'no run has said these, so nothing was checked of them');
	return tally;
}

if (require.main === module) {
	const [scripts = 10_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
	const started = Date.now();
	check(scripts, seed).then(
		({ runs, kills, refusals, pairs, met, requests, rows }) =>
			console.log(
				`${scripts} scripts (seed ${seed}), ${runs} runs, ${kills} killed, ${refusals} refused, ${pairs} beside another one, ${(requests / runs).toFixed(1)} requests a run, ` +
					`${rows} rows in the end; billed twice 0 (by two processes that met ${met}), lost 0, untrue 0; ${((Date.now() - started) / 1000).toFixed(0)} s`,
			),
		(error) => {
			console.error(error instanceof Error ? `${error.message}\n${String(error.cause)}` : error);
			process.exitCode = 1;
		},
	);
}
