import { fingerprint } from '../agents/calls';
import { few, orMade } from '../kit/objects';
import type { ImportInput } from './fields';
import { importKey, readName } from './names';
import { Failure, isUnknownRecord, type Json, type Service, tried } from '../kit/service';
import { at } from '../kit/operation';
import { routes } from '../document/routes';
import { batchIdOf, readBatch } from './batches';
import type { GoodRows, KnownBatch, Row, Unsent } from './rows';

/**
 * Which rows of a sheet the service already has. Only the name of a batch identifies its rows. While the rows of one
 * name cannot be matched (the sheet changed, the name was cut), it is unclear which rows are new.
 */
export class Recognition {
	/** By batch ID. */
	readonly known = new Map<string, KnownBatch>();
	/** Batches of this import whose rows have moved or changed in the sheet since. */
	readonly changed = new Map<string, Json>();
	/** Batches that may be of this import, but whose names were cut or changed. */
	readonly unreadable = new Map<string, Json>();
	/** IDs of batches that are listed, but cannot be read yet (404). */
	readonly hidden: string[] = [];
	/** How many of the batches counted in `seen` have no name at all. */
	nameless = 0;
	seen = 0;
	/** How much of a padded name (`paddedName`) the service keeps; undefined while no such name is listed. */
	keptLength: number | undefined;
	/** Rows that batch names identify one by one, including rows that are no longer in the sheet. */
	rowsTold = 0;

	/** By place of the row. */
	private readonly holders: Array<readonly KnownBatch[] | undefined> = [];

	constructor(
		readonly good: GoodRows,
		/** Length of the longest name in the list. A shorter name was not cut, because the service keeps longer ones. */
		private readonly longest = 0,
	) {
		for (const { rows } of good.unanswered.values()) for (const { place } of rows) this.holders[place] = [];
	}

	/** Whether reading the batch by its ID could identify its rows where its name in the list does not. */
	isUnclear({ batchName }: Json): boolean {
		if (typeof batchName !== 'string') return true;
		const read = this.read(batchName);
		return read !== undefined && read.range === undefined && read.digests === undefined;
	}

	private read(batchName: string): ReturnType<typeof readName> {
		return readName(this.good.importName, batchName, batchName.length >= this.longest);
	}

	see(batch: Json): void {
		this.seen++;
		if (typeof batch.batchName !== 'string') {
			this.nameless++;
			return;
		}
		const { batchName, total } = batch;
		const batchId = String(batch.batchId ?? batchName);
		if (this.known.has(batchId)) return;
		const lost = this.good.unanswered.get(batchName)?.rows;
		if (lost !== undefined) return this.hold({ batchId, batchName, total, count: lost.length, rows: lost });
		const read = this.read(batchName);
		if (read === undefined) return;
		const { range, digests, kept } = read;
		if (kept !== undefined) this.keptLength = Math.min(kept, this.keptLength ?? Infinity);
		if (range !== undefined) {
			const { from, to, hash } = range;
			const rows = this.good.rows.slice(from - 1, to);
			if (rows.length === 0 || this.good.hashOf(rows) !== hash) this.changed.set(batchId, batch);
			else this.hold({ batchId, batchName, total, count: rows.length, rows });
		} else if (digests !== undefined) {
			const rows = digests.map((digest) => this.good.rowOf(digest)).filter((row) => row !== undefined);
			this.rowsTold += digests.length;
			this.hold({ batchId, batchName, total, count: digests.length, rows });
		} else this.unreadable.set(batchId, batch);
	}

	/** Adds a batch whose rows are known. */
	hold(batch: KnownBatch): void {
		if (this.known.has(batch.batchId)) return;
		this.known.set(batch.batchId, batch);
		const alone = [batch];
		for (const { place } of batch.rows) this.holders[place] = this.holders[place]?.concat(batch) ?? alone;
	}

	/** The batches that hold the row. There are several if two runs sent it at the same time. */
	holdersOf({ place }: Row): readonly KnownBatch[] {
		return this.holders[place] ?? [];
	}

	/** The rows that no batch holds, in the order of the sheet. */
	rest(): Row[] {
		return this.good.rows.filter(({ place }) => this.holders[place] === undefined);
	}

	/** Every batch that is or may be of this import. `settled` compares them between two reads of the list. */
	get ids(): string[] {
		return [...this.known.keys(), ...this.changed.keys(), ...this.unreadable.keys(), ...this.hidden].sort();
	}
}

export type LookingOptions = Pick<ImportInput & ImportInput['options'], 'importMode' | 'ifUncertain' | 'lookupGrace'>;

/** Up to this many new rows are sent without checking whether this is still the same sheet. */
const manyRows = 250;

/** Throws while it is unclear which rows are new, because guessing could bill rows twice. */
function refuseUncertain(seen: Recognition, { importMode, ifUncertain }: LookingOptions): void {
	if (ifUncertain === 'send' || seen.rest().length === 0) return;
	const { changed, unreadable } = seen;
	if (changed.size > 0) {
		const inStep =
			importMode === 'once' ? " For sheets that change, use 'Sync With the Sheet' with another 'Batch Name'." : '';
		throw refusal(
			seen,
			`The sheet changed since it was imported: the rows of batch ${some(changed)} are no longer in place`,
			`Undo the changes, or import only the new rows with another 'Batch Name' (in a loop, each round needs one).${inStep}`,
		);
	}
	if (unreadable.size > 0) {
		throw refusal(
			seen,
			`Batch ${some(unreadable)} may belong to this import, but its name was changed, so its rows cannot be matched`,
			"Import only the new rows with another, shorter 'Batch Name'.",
		);
	}
	if (seen.seen > 0 && seen.nameless === seen.seen) {
		throw refusal(
			seen,
			`The service returns no names for its ${seen.seen} batches, so this import cannot be matched`,
			"If none of these rows was submitted before, send them with 'If Rows Cannot Be Matched'.",
		);
	}
	if (importMode === 'keepInStep') refuseManyChanges(seen);
}

/** With another mapping, or another sheet under the same name, every row would be sent and billed as new. */
function refuseManyChanges(seen: Recognition): void {
	const rows = seen.good.rows.length;
	const added = seen.rest().length;
	if (added <= manyRows || rows - added >= Math.min(seen.rowsTold, rows) / 2) return;
	throw refusal(
		seen,
		`${added} of ${rows} rows would be sent as new, although ${seen.rowsTold} rows of this import were already submitted`,
		"Changing the mapping or an option makes every row new. Change it back, or use another 'Batch Name' for another sheet.",
	);
}

const refusal = ({ good }: Recognition, message: string, choices: string) =>
	new Failure(message, {
		parameter: 'name',
		description: `${nothingSent(good)}. ${choices} To send and bill the unmatched rows anyway, use 'If Rows Cannot Be Matched' in the options.`,
		cause: 'configuration-invalid',
	});

/** When n8n retries the node, an earlier try may have sent rows. */
export const nothingSent = ({ isSent }: GoodRows) => (isSent ? 'Nothing more was sent' : 'Nothing was sent');

const some = (batches: ReadonlyMap<string, Json>): string =>
	firstNamed([...batches.values()].map(({ batchName }) => quoted(String(batchName))));

/** Such as `'May 1-250 #3f0c9a526d' and 2 more`. */
export const firstNamed = (names: readonly string[]): string => few(names, ' ', 1);

/** For messages: a name that identifies rows one by one has up to 250 characters. */
export const quoted = (name: string): string => (name.length <= 60 ? `'${name}'` : `'${name.slice(0, 60)}…'`);

const mostLooks = 6;

/** By name: batches that this process sent and that were not in the list yet. Without an ID if there was no answer. */
const recalled = (service: Service, good: GoodRows) =>
	(service.recent.get(importKey(good.importName)) ?? {}) as Record<string, Partial<KnownBatch>>;

const wishOf = ({ item }: Row) => `row ${fingerprint(item)}`;

/** Remembers a batch that may be with the service. By row too, because an agent that repeats its call may rename it. */
export function remember(service: Service, good: GoodRows, batch: KnownBatch | Unsent): void {
	const { rows, ...sent } = batch;
	good.isSent = true;
	if ('failure' in batch) good.unanswered.set(batch.batchName, batch);
	service.recent.set(importKey(good.importName), Object.assign(recalled(service, good), { [batch.batchName]: sent }));
	for (const row of rows) service.intentions?.set(wishOf(row), sent as Json);
}

/** Adds the agent's earlier batches of these rows: to `unanswered` if they got no answer, else to `intended`. */
export function recallIntended({ intentions }: Service, good: GoodRows): void {
	if (intentions === undefined) return;
	const rowsOf = new Map<Json, Row[]>();
	for (const row of good.rows) {
		const batch = intentions.get(wishOf(row));
		if (batch !== undefined) orMade(rowsOf, batch, () => []).push(row);
	}
	good.isSent ||= rowsOf.size > 0;
	for (const [batch, rows] of rowsOf) {
		if ('failure' in batch) good.unanswered.set(String(batch.batchName), { ...batch, rows } as unknown as Unsent);
		else good.intended.push({ ...batch, rows } as unknown as KnownBatch);
	}
}

/** A service may store accents in the other of their two forms, so every name is compared in the form of `importSheet`. */
export const nameComposed = (batch: Json): Json =>
	typeof batch.batchName === 'string' ? { ...batch, batchName: batch.batchName.normalize() } : batch;

/** Requests the list of batches, which is read while the sheet is. */
export function askForBatches(service: Service) {
	const listed = service.list({ ...at(routes.batches), idOf: batchIdOf });
	const asked = { at: service.uptime(), batches: listed.then((batches) => batches.map(nameComposed)) };
	// If the run fails before it needs the list, a failure to read the list must not be an unhandled rejection.
	asked.batches.catch(() => undefined);
	return asked;
}

export type BatchQuestions = ReturnType<typeof askForBatches>;

/**
 * Reads the list of batches once. A batch that the list does not identify is read by its ID, because there the API
 * documentation promises the name.
 */
export async function look(service: Service, good: GoodRows, asked = askForBatches(service)): Promise<Recognition> {
	const batches = await asked.batches;
	const longest = Math.max(0, ...batches.map(({ batchName }) => String(batchName).length));
	const seen = new Recognition(good, longest);
	const unclear: Json[] = [];
	for (const batch of batches) {
		if (batchIdOf(batch) !== undefined && seen.isUnclear(batch)) unclear.push(batch);
		else seen.see(batch);
	}
	await service.forEach(unclear, async (batch) => {
		const batchId = batchIdOf(batch)!;
		const told = await nameOf(service, batchId);
		if (told === undefined) return void seen.hidden.push(batchId);
		// If one of the two names is the beginning of the other, it was cut, so the longer one is used.
		const isToldCut = String(batch.batchName).startsWith(String(told.batchName));
		seen.see(isToldCut ? { ...told, ...batch } : { ...batch, ...told });
	});
	for (const batch of good.intended) seen.hold(batch);
	const listed = new Set([...seen.known.values()].flatMap(({ batchId, batchName }) => [batchId, batchName]));
	const unlisted = Object.entries(recalled(service, good)).filter(
		([batchName, { batchId = '' }]) => !listed.has(batchName) && !listed.has(batchId),
	);
	service.recent.set(importKey(good.importName), Object.fromEntries(unlisted));
	return seen;
}

/** Like `look`, with the batches that this process sent and that are not listed yet. */
async function lookBack(service: Service, good: GoodRows, asked?: BatchQuestions): Promise<Recognition> {
	const seen = await look(service, good, asked);
	for (const batch of Object.values(recalled(service, good))) if (batch.batchId !== undefined) seen.see({ ...batch });
	return seen;
}

/**
 * The batches that exist before anything is sent. Batches may be listed late, and another n8n process may have sent
 * some just before it was killed. So rows are sent only after two reads of the list, `lookupGrace` apart, found the
 * same batches. 'Import Once' skips the second read if no batch of the import exists, this process has sent none, and
 * this process has run for longer than `lookupGrace`.
 */
export async function settled(
	service: Service,
	good: GoodRows,
	options: LookingOptions,
	asked: BatchQuestions,
): Promise<Recognition> {
	const grace = options.lookupGrace * 1000;
	const hasSent = Object.keys(recalled(service, good)).length > 0;
	let seen = await lookBack(service, good, asked);
	for (let looks = 1; seen.rest().length > 0; looks++) {
		refuseUncertain(seen, options);
		const isCareful = options.importMode === 'keepInStep' || hasSent || seen.ids.length > 0;
		const wait = isCareful ? grace : Math.min(grace, grace - asked.at);
		if (wait <= 0) return seen;
		if (looks > mostLooks) {
			throw new Failure('Another run of this import is under way', {
				description: `${nothingSent(good)}. Each of ${looks} looks at the service's batches found more of them: run the import again later.`,
				cause: 'temporarily-unavailable',
			});
		}
		service.progress(
			`${seen.known.size} batches of this import are there: looking again in ${Math.ceil(wait / 1000)} s`,
		);
		await service.pause(wait);
		const before = seen.ids.join();
		seen = await lookBack(service, good);
		if (seen.ids.join() === before) break;
	}
	refuseUncertain(seen, options);
	return seen;
}

/** Asked for once, because a name never changes. Undefined if the batch is listed, but cannot be read yet. */
async function nameOf(service: Service, batchId: string): Promise<Json | undefined> {
	const key = `batch ${batchId}`;
	const known = service.recent.get(key);
	if (known !== undefined) return known;
	const batch = await tried(service.send(readBatch(batchId)));
	if (isUnknownRecord(batch)) return undefined;
	if (batch instanceof Failure) throw batch;
	const { batchName, total } = nameComposed(batch);
	const told = { ...(typeof batchName === 'string' && { batchName }), ...(typeof total === 'number' && { total }) };
	service.recent.set(key, told);
	return told;
}
