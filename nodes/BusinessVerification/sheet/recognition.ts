import { fingerprint } from '../agents/calls';
import { orMade } from '../kit/objects';
import { type ImportMode, readName } from './names';
import { Failure, type Json, type Service, tried } from '../kit/service';
import { at } from '../kit/operation';
import { routes } from '../document/routes';
import { batchIdOf, readBatch } from './batches';
import { type Unsent, GoodRows, type KnownBatch } from './goodRows';
/** A batch as the service shows it, in its list or by itself. */
type ListedBatch = Record<string, unknown>;

/**
 * Which rows the service has. The one rule behind every import: a batch of ours tells its rows by its name, and while one
 * does not (the sheet was changed, the name was cut) nobody can say which rows are new.
 */
export class Recognition {
	/** By batch ID. */
	readonly known = new Map<string, KnownBatch>();
	/** Sent from rows that are not where they were. */
	readonly changed = new Map<string, ListedBatch>();
	/** Their names were cut or changed. */
	readonly unreadable = new Map<string, ListedBatch>();
	/** IDs of batches that are listed, but cannot be read yet. */
	readonly hidden: string[] = [];
	/** Batches that have no name at all, among all that were seen. */
	nameless = 0;
	seen = 0;
	/** Of the names made to find that out; undefined before there is one. */
	keptLength: number | undefined;
	/** Rows told one by one, also those that have left the sheet. */
	rowsTold = 0;

	private readonly holders: Array<readonly KnownBatch[] | undefined>;

	constructor(
		readonly rows: GoodRows,
		/** Letters of the longest name in the list: no longer one was cut. */
		private readonly longest = 0,
	) {
		this.holders = new Array(rows.numbers.length);
		for (const { places } of rows.unanswered.values()) for (const place of places) this.holders[place] = [];
	}

	/** Whether a closer look at the batch could say more. */
	isUnclear({ batchName }: ListedBatch): boolean {
		if (typeof batchName !== 'string') return true;
		const read = this.read(batchName);
		return read !== undefined && read.range === undefined && read.digests === undefined;
	}

	private read(batchName: string): ReturnType<typeof readName> {
		return readName(this.rows.importName, batchName, batchName.length >= this.longest);
	}

	see(batch: ListedBatch): void {
		this.seen++;
		if (typeof batch.batchName !== 'string') {
			this.nameless++;
			return;
		}
		const { batchName, total } = batch;
		const batchId = String(batch.batchId ?? batchName);
		if (this.known.has(batchId)) return;
		const lost = this.rows.unanswered.get(batchName)?.places;
		if (lost !== undefined) return this.hold({ batchId, batchName, total, count: lost.length, places: lost });
		const read = this.read(batchName);
		if (read === undefined) return;
		const { range, digests, kept } = read;
		if (kept !== undefined) this.keptLength = Math.min(kept, this.keptLength ?? Infinity);
		if (range !== undefined) {
			const { from, to, hash } = range;
			const isThere = from >= 1 && from <= to && to <= this.rows.numbers.length;
			if (!isThere || this.rows.hashOf(from - 1, to) !== hash) this.changed.set(batchId, batch);
			else this.hold({ batchId, batchName, total, count: to - from + 1, places: places(from - 1, to) });
		} else if (digests !== undefined) {
			const there = digests.map((digest) => this.rows.placeOf(digest)).filter((place) => place !== undefined);
			this.rowsTold += digests.length;
			this.hold({ batchId, batchName, total, count: digests.length, places: there });
		} else this.unreadable.set(batchId, batch);
	}

	/** Known otherwise than by this name. */
	take(batch: KnownBatch): void {
		if (!this.known.has(batch.batchId)) this.hold(batch);
	}

	/** The batches that hold the row; more than one when two runs sent it at once. */
	holdersOf(place: number): readonly KnownBatch[] {
		return this.holders[place] ?? [];
	}

	/** The places of the rows that no batch holds, in the order of the sheet. */
	rest(): number[] {
		const rest: number[] = [];
		for (let place = 0; place < this.holders.length; place++) if (this.holders[place] === undefined) rest.push(place);
		return rest;
	}

	/** Every batch that is or may be of this import: two looks agree when they saw the same ones. */
	get ids(): string[] {
		return [...this.known.keys(), ...this.changed.keys(), ...this.unreadable.keys(), ...this.hidden].sort();
	}

	private hold(batch: KnownBatch): void {
		this.known.set(batch.batchId, batch);
		const alone = [batch];
		for (const place of batch.places) this.holders[place] = this.holders[place]?.concat(batch) ?? alone;
	}
}

export const places = (from: number, end: number): number[] =>
	Array.from({ length: end - from }, (_, index) => from + index);

export interface RefusalOptions {
	importMode: ImportMode;
	ifUncertain: 'refuse' | 'send';
}

/** New rows from which on it is asked whether this is still the same sheet. */
const manyRows = 250;

/** Nothing is sent while nobody can say which rows are new: the choices are the user's. */
export function refuseUncertain(seen: Recognition, { importMode, ifUncertain }: RefusalOptions): void {
	if (ifUncertain === 'send') return;
	const { changed, unreadable } = seen;
	if (changed.size > 0) {
		const inStep =
			importMode === 'once'
				? " For sheets that change, choose the import mode 'Keep in Step With the Sheet' under another 'Batch Name': it sends all rows once more, and from then on only what is new."
				: '';
		throw refusal(
			seen,
			`The sheet was changed since it was imported: the rows of ${some(changed)} are not where they were`,
			`Rows may be added below; rows that were sent must stay as they are. Undo the changes, or give each round of a loop its own 'Batch Name', or import the new rows alone under another 'Batch Name'.${inStep}`,
		);
	}
	if (unreadable.size > 0) {
		throw refusal(
			seen,
			`The service holds ${some(unreadable)}, which is or may be of this import, but its name was changed or cut, so nobody can say which rows it holds`,
			"Import the new rows alone under another, shorter 'Batch Name'.",
		);
	}
	if (seen.seen > 0 && seen.nameless === seen.seen) {
		throw refusal(
			seen,
			`The service tells no name of any of its ${seen.seen} batches, so this import cannot be recognised`,
			'If none of these rows was sent before:',
		);
	}
	if (importMode === 'keepInStep') refuseManyChanges(seen);
}

/** Another mapping, or another sheet under the same name, makes every row a new one. */
function refuseManyChanges(seen: Recognition): void {
	const rows = seen.rows.numbers.length;
	const added = seen.rest().length;
	if (added <= manyRows || rows - added >= Math.min(seen.rowsTold, rows) / 2) return;
	throw refusal(
		seen,
		`${added} of ${rows} rows would be sent as new, although the service holds ${seen.rowsTold} rows of this import`,
		"Another mapping of columns, or another setting that changes what is sent, makes every row a new one. If this is another sheet, give it a 'Batch Name' of its own. If the rows are really new:",
	);
}

const refusal = ({ rows }: Recognition, message: string, choices: string) =>
	new Failure(message, {
		parameter: 'name',
		description: `${nothingSent(rows)} ${choices} 'If Rows Cannot Be Recognized' in the options can also send, and bill, all rows that are not recognized.`,
		cause: 'configuration-invalid',
	});

/** A try before this one may have sent some. */
const nothingSent = ({ isSent }: GoodRows) => (isSent ? 'Nothing more was sent.' : 'Nothing was sent.');

function some(batches: ReadonlyMap<string, Record<string, unknown>>): string {
	const [first] = batches.values();
	const more = batches.size > 1 ? ` and ${batches.size - 1} more` : '';
	return `batch '${shortName(String(first.batchName))}'${more}`;
}

/** Names that tell many rows are long. */
export const shortName = (name: string): string => (name.length <= 60 ? name : `${name.slice(0, 60)}…`);

export interface LookingOptions extends RefusalOptions {
	/** Seconds. */
	lookupGrace: number;
}

const mostLooks = 6;

const memoryKey = ({ importName }: GoodRows) => `import ${importName.toLowerCase()}`;

interface Unlisted {
	batchName: string;
	/** Unless no answer told it. */
	batchId?: string;
	total?: unknown;
}

/** Batches that this process has sent and not seen listed, by name. */
const recalled = (service: Service, rows: GoodRows) =>
	(service.recent.get(memoryKey(rows)) ?? {}) as Record<string, Unlisted>;

export function remember(service: Service, rows: GoodRows, batch: Unlisted): void {
	service.recent.set(memoryKey(rows), { ...recalled(service, rows), [batch.batchName]: batch });
}

const wishOf = (rows: GoodRows, place: number) => `row ${fingerprint(rows.item(place))}`;

/** An agent that repeats itself gives the same rows, perhaps under another name. */
export function intend({ intentions }: Service, rows: GoodRows, places: readonly number[], batch: Json): void {
	if (intentions !== undefined) for (const place of places) intentions.set(wishOf(rows, place), batch);
}

/** What the agent has sent of these rows in earlier calls. */
export function recallIntended({ intentions }: Service, rows: GoodRows): void {
	if (intentions === undefined) return;
	const placesOf = new Map<Json, number[]>();
	for (const place of rows.numbers.keys()) {
		const batch = intentions.get(wishOf(rows, place));
		if (batch !== undefined) orMade(placesOf, batch, () => []).push(place);
	}
	for (const [batch, places] of placesOf) {
		if ('failure' in batch) rows.unanswered.set(String(batch.batchName), { ...batch, places } as unknown as Unsent);
		else rows.intended.push({ ...batch, places } as unknown as KnownBatch);
	}
}

/** The list of batches, under way. */
export interface BatchQuestions {
	at: number;
	batches: Promise<Json[]>;
}

export function askForBatches(service: Service): BatchQuestions {
	const asked = { at: service.now(), batches: service.list({ ...at(routes.batches), idOf: batchIdOf }) };
	// What stops the run before the list is needed is told instead.
	asked.batches.catch(() => undefined);
	return asked;
}

/** Looks through the service's batches once. Where the list does not tell a name, the batch itself is asked: there the document promises it. */
export async function look(service: Service, rows: GoodRows, asked = askForBatches(service)): Promise<Recognition> {
	const batches = await asked.batches;
	const longest = Math.max(0, ...batches.map(({ batchName }) => String(batchName).length));
	const seen = new Recognition(rows, longest);
	const unclear: Json[] = [];
	for (const batch of batches) {
		if (batchIdOf(batch) !== undefined && seen.isUnclear(batch)) unclear.push(batch);
		else seen.see(batch);
	}
	await service.forEach(unclear, async (batch) => {
		const batchId = batchIdOf(batch)!;
		const told = await nameOf(service, batchId);
		if (told === undefined) seen.hidden.push(batchId);
		else seen.see({ ...batch, ...told });
	});
	for (const batch of rows.intended) seen.take(batch);
	const listed = new Set([...seen.known.values()].flatMap(({ batchId, batchName }) => [batchId, batchName]));
	const unlisted = Object.entries(recalled(service, rows)).filter(
		([batchName, { batchId = '' }]) => !listed.has(batchName) && !listed.has(batchId),
	);
	service.recent.set(memoryKey(rows), Object.fromEntries(unlisted));
	return seen;
}

/** The same, and what this process has sent but is not listed yet. */
async function lookBack(service: Service, rows: GoodRows, asked?: BatchQuestions): Promise<Recognition> {
	const seen = await look(service, rows, asked);
	for (const batch of Object.values(recalled(service, rows))) if (batch.batchId !== undefined) seen.see({ ...batch });
	return seen;
}

/**
 * What is there before anything is sent. Batches may be listed late, and whoever sent some of them may have been killed a
 * moment ago: so nothing is sent unless two looks, a grace apart, agreed. Importing once can do without where nobody can
 * have sent anything lately: nothing of the import is there, this process has sent none, and is older than the grace.
 */
export async function settled(
	service: Service,
	rows: GoodRows,
	options: LookingOptions,
	asked: BatchQuestions,
): Promise<Recognition> {
	const grace = options.lookupGrace * 1000;
	const hasSent = Object.keys(recalled(service, rows)).length > 0;
	let seen = await lookBack(service, rows, asked);
	for (let looks = 1; seen.rest().length > 0; looks++) {
		refuseUncertain(seen, options);
		const isCareful = options.importMode === 'keepInStep' || hasSent || seen.ids.length > 0;
		const wait = isCareful ? grace : Math.min(grace, grace - asked.at);
		if (wait <= 0) return seen;
		if (looks > mostLooks) {
			throw new Failure('Another run of this import is under way', {
				description: `${nothingSent(rows)} Each of ${looks} looks at the service's batches found more of them: run the import again later.`,
				cause: 'temporarily-unavailable',
			});
		}
		service.progress(
			`${seen.known.size} batches of this import are there: looking again in ${Math.ceil(wait / 1000)} s`,
		);
		await service.pause(wait);
		const next = await lookBack(service, rows);
		const agrees = next.ids.join() === seen.ids.join();
		seen = next;
		if (agrees) break;
	}
	if (seen.rest().length > 0) refuseUncertain(seen, options);
	return seen;
}

/** A name stays what it is, so it is asked for once. Undefined where the batch is listed, but cannot be read yet. */
async function nameOf(service: Service, batchId: string): Promise<Json | undefined> {
	const key = `batch ${batchId}`;
	const known = service.recent.get(key);
	if (known !== undefined) return known;
	const batch = await tried(service.send(readBatch(batchId)));
	if (batch instanceof Failure && batch.details.httpCode === 404) return undefined;
	if (batch instanceof Failure) throw batch;
	const { batchName, total } = batch;
	const told = { ...(typeof batchName === 'string' && { batchName }), ...(typeof total === 'number' && { total }) };
	service.recent.set(key, told);
	return told;
}

/** Rows and the batch they are in. `reused` when an earlier run had sent it. */
export interface Sent extends KnownBatch {
	reused: boolean;
	/** Other batches of the same rows: another process ran the import at the same time. */
	alsoSentAs: string[];
	/** Whether a later run can recognise it. */
	isListed: boolean;
	/** What a reader of the output has to know of these rows. */
	warnings: string[];
}

export type Delivery = Sent | Unsent;

/** No answer, or the answer that a batch of this name exists: the list knows more. */
export const mayBeThere = (delivery: Delivery): boolean =>
	'failure' in delivery &&
	(delivery.failure.details.submission === 'unknown' || delivery.failure.details.httpCode === 409);

export const sentAs = (places: number[], batch: Omit<KnownBatch, 'places'> & { reused: boolean }): Sent => ({
	...batch,
	places,
	alsoSentAs: [],
	isListed: true,
	warnings: [],
});
