import { at } from '../kit/operation';
import { Failure, type Json, type Question, type Service, tried } from '../kit/service';
import { routes } from '../document/routes';
import { submittedBatch, type SubmittedBatch } from '../document/answers';
import {
	type Chunk,
	cutIntoChunks,
	paddedName,
	firstRows,
	type ImportMode,
	nameOfRange,
	nameOfRows,
	rowsPerBatch,
} from './names';
import {
	type BatchQuestions,
	intend,
	look,
	type LookingOptions,
	recallIntended,
	type Recognition,
	remember,
	settled,
	type Sent,
	type Delivery,
	mayBeThere,
	sentAs,
} from './recognition';
import type { GoodRows, KnownBatch } from './goodRows';

/** A batch as it goes out. */
export interface Written {
	places: Chunk;
	batchName: string;
	body: Buffer;
}

interface PostingOptions {
	importMode: ImportMode;
	extraBody?: Json;
}

/** The requests of one run that send rows. Each batch is sent once; what stops the run stops the batches after it. */
export class Posting {
	private stopped: string | undefined;
	private posted = 0;

	constructor(
		readonly service: Service,
		readonly rows: GoodRows,
		private readonly options: PostingOptions,
	) {}

	stop(reason: string): void {
		this.stopped ??= reason;
	}

	/** Rows go out as the text that was written for the name of their batch: to make each again took a fifth of a large import. */
	write(places: Chunk, batchName: string): Written {
		const fields = { ...this.options.extraBody, name: batchName };
		const texts = new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
		texts.set(this.service.settings.batchItemsField, `[${places.map((place) => this.rows.textOf(place)).join(',')}]`);
		const written = [...texts].filter(([, text]) => text !== undefined);
		const body = Buffer.from(`{${written.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
		return { places, batchName, body };
	}

	async send(batch: Written): Promise<Delivery> {
		const { service, rows } = this;
		const { places, batchName } = batch;
		if (this.stopped !== undefined)
			return { places, batchName, failure: new Failure(this.stopped, { cause: 'configuration-invalid' }) };
		const delivery = await this.post(batch);
		const isRefused = 'failure' in delivery && !mayBeThere(delivery);
		if (isRefused && service.stopsOnFailure) this.stop('The batch was not sent, because an earlier one failed');
		const span = `rows ${rows.numbers[places[0]]} to ${rows.numbers[places.at(-1)!]}`;
		const outcome = 'failure' in delivery ? delivery.failure.message : 'sent';
		service.progress(`Batch ${++this.posted}, ${span}: ${outcome}`);
		return delivery;
	}

	private async post(batch: Written): Promise<Delivery> {
		const { service, rows } = this;
		const { places, batchName } = batch;
		const answer = await tried(service.send(this.request(batch)));
		if (answer instanceof Failure) {
			const unsent = { places, batchName, failure: explained(answer, service, batchName) };
			if (answer.details.submission !== 'unknown') return unsent;
			rows.isSent = true;
			rows.unanswered.set(batchName, unsent);
			remember(service, rows, { batchName });
			intend(service, rows, places, { batchName, failure: unsent.failure });
			return unsent;
		}
		rows.isSent = true;
		const { batchId, total } = answer;
		remember(service, rows, { batchName, batchId, total });
		intend(service, rows, places, { batchName, batchId, total, count: places.length });
		// How much of a name the service keeps, the list tells; by one of its own no row can be told.
		const isRenamed = typeof answer.batchName === 'string' && !batchName.startsWith(answer.batchName);
		if (isRenamed && this.options.importMode === 'keepInStep')
			this.stop('The batch was not sent, because the service gave another one a name of its own');
		return sentAs(places, { batchId, batchName, total, count: places.length, reused: false });
	}

	private request({ places, body }: Written): Question<SubmittedBatch> {
		return {
			...at(routes.submitBatch),
			submissions: places.length,
			body,
			kind: 'write',
			ofRows: true,
			answer: submittedBatch,
			ifUnknown:
				'Run the same import again later: what the service has taken is recognised by its batch name and not sent again.',
		};
	}
}

const badRequest = [400, 413, 422];

/** So many letters are kept nearly everywhere. */
const ordinaryName = 100;

/** A few settings are the usual reasons for a refused batch, and the service cannot know them. */
function explained({ message, details }: Failure, { settings }: Service, batchName: string): Failure {
	if (details.httpCode === undefined || !badRequest.includes(details.httpCode)) return new Failure(message, details);
	if (batchName.length > ordinaryName) {
		const description = `The name of the batch has ${batchName.length} characters. If the service does not allow that, use the import mode 'Import Once'.`;
		return new Failure(message, { ...details, parameter: 'importMode', description });
	}
	const description =
		"If the batch holds too many rows, lower 'Rows per Batch' in the options. " +
		`The rows were sent in the field '${settings.batchItemsField}': if the service names another one, set 'Batch Items Field' in the credential.`;
	return new Failure(message, { ...details, parameter: 'options.chunkSize', description });
}

/** About as many as are under way. */
const mostAhead = 8;

/** The batches of a run in their order. While some are under way the next ones are written, for the service lets one wait. */
export class WrittenAhead {
	private readonly written: Written[] = [];
	private next = 0;

	constructor(
		private readonly chunks: readonly Chunk[],
		private readonly writeOne: (chunk: Chunk) => Written,
	) {}

	take(): Written {
		return this.written.shift() ?? this.writeOne(this.chunks[this.next++]);
	}

	*write(): Generator<void> {
		while (this.written.length < mostAhead && this.next < this.chunks.length) {
			this.written.push(this.writeOne(this.chunks[this.next++]));
			yield;
		}
	}
}

/** In which order the rows that are not there yet are sent, and under which names. */

interface SizeOptions {
	chunkSize: number;
	lookupGrace: number;
}

/** Import Once: each batch is one stretch of rows, told by its place. */
export async function sendOnce(
	posting: Posting,
	seen: Recognition,
	{ chunkSize, lookupGrace }: SizeOptions,
	unanswered: readonly Delivery[],
): Promise<Delivery[]> {
	const { rows } = posting;
	const write = (chunk: Chunk) => {
		const [from, end] = [chunk[0], chunk[chunk.length - 1] + 1];
		const range = { from: from + 1, to: end, hash: rows.hashOf(from, end) };
		return posting.write(chunk, nameOfRange(rows.importName, range));
	};
	return await announced(posting, seen, cutIntoChunks(seen.rest(), chunkSize, true), lookupGrace, write, unanswered);
}

const triesAtFirst = 3;

/** Keep in Step: the name tells each row, so first it has to be known how much of a name the service keeps. */
export async function sendInStep(
	posting: Posting,
	seen: Recognition,
	{ chunkSize, lookupGrace }: SizeOptions,
	unanswered: readonly Delivery[],
): Promise<Delivery[]> {
	const { rows } = posting;
	const attempts: Delivery[] = [];
	const nameOf = (chunk: Chunk) =>
		nameOfRows(
			rows.importName,
			chunk.map((place) => rows.digests[place]),
		);
	let kept = seen.keptLength;
	let rest = seen.rest();

	for (let tries = 1; kept === undefined && rest.length > 0; tries++) {
		const chunk = rest.slice(0, firstRows);
		const attempt = await posting.send(posting.write(chunk, paddedName(nameOf(chunk))));
		attempts.push(attempt);
		rest = rest.slice(firstRows);
		const isRefused = 'failure' in attempt && !mayBeThere(attempt);
		// That may be the fault of these rows: others are tried, but not all of them one after another.
		if (isRefused && tries < triesAtFirst) continue;
		if (isRefused) posting.stop('The batch was not sent, because the first ones were refused');
		kept =
			isRefused || rest.length === 0 ? 0 : ((await lookFor(posting, lookupGrace, ({ keptLength }) => keptLength)) ?? 0);
	}
	if (rest.length === 0) return attempts;

	const size = rowsPerBatch(rows.importName, chunkSize, kept ?? 0);
	if (size < 1) {
		posting.stop(
			"The batch was not sent, because the service does not give back the first one under its name, by which its rows are recognised; a shorter 'Batch Name' may help",
		);
	}
	const chunks = cutIntoChunks(rest, Math.max(1, size), false);
	const write = (chunk: Chunk) => posting.write(chunk, nameOf(chunk));
	return await announced(posting, seen, chunks, lookupGrace, write, unanswered, attempts);
}

/**
 * The first batch goes alone, and nothing follows before the list shows it: it tells other processes of this run. Of two
 * that began the same import at the same moment at least one, the later, then sees a batch that was not there before, and
 * sends nothing more.
 */
async function announced(
	posting: Posting,
	before: Recognition,
	chunks: Chunk[],
	lookupGrace: number,
	write: (chunk: Chunk) => Written,
	unanswered: readonly Delivery[],
	/** Those that went alone already. */
	alone: readonly Delivery[] = [],
): Promise<Delivery[]> {
	const { service } = posting;
	if (chunks.length === 0) return [...alone];
	const batches = new WrittenAhead(chunks, write);
	const sendNext = async (): Promise<Delivery> => {
		const [delivery] = await Promise.all([posting.send(batches.take()), service.inTurns(batches.write())]);
		return delivery;
	};
	const first = alone.length > 0 ? alone : [await sendNext()];
	const others = alone.length > 0 ? chunks : chunks.slice(1);
	if (others.length > 0 && (await hasCompany(posting, before, [...unanswered, ...first], lookupGrace))) {
		posting.stop('The batch was not sent, because another run of this import is under way');
	}
	return [...first, ...(await service.forEach(others, sendNext))];
}

async function hasCompany(posting: Posting, before: Recognition, attempts: readonly Delivery[], lookupGrace: number) {
	const ours = attempts.flatMap((attempt) => ('failure' in attempt ? [] : [attempt.batchId]));
	const perhapsOurs = attempts.filter(mayBeThere).length;
	return await lookFor(posting, lookupGrace, ({ ids }) => {
		const news = ids.filter((id) => !before.ids.includes(id) && !ours.includes(id));
		if (news.length > perhapsOurs) return true;
		return ours.every((id) => ids.includes(id)) ? false : undefined;
	});
}

/** What the list tells at once or, if it lags, after the grace. */
async function lookFor<T>(
	{ service, rows }: Posting,
	lookupGrace: number,
	told: (seen: Recognition) => T | undefined,
): Promise<T | undefined> {
	for (const wait of [0, lookupGrace]) {
		await service.pause(wait * 1000);
		const seen = await tried(look(service, rows));
		// Some rows are sent: a list that cannot be read now must not make failed ones of them.
		if (seen instanceof Failure) return undefined;
		const found = told(seen);
		if (found !== undefined) return found;
	}
	return undefined;
}

interface DeliveryOptions extends LookingOptions {
	chunkSize: number;
	ifUnknown: 'leave' | 'resend';
	extraBody?: Json;
}

/** Sends the rows that are not there yet, once, and finds out about those that got no answer. Every row is in one delivery. */
export async function deliver(
	service: Service,
	rows: GoodRows,
	options: DeliveryOptions,
	asked: BatchQuestions,
): Promise<Delivery[]> {
	if (rows.numbers.length === 0) return [];
	recallIntended(service, rows);
	const seen = await settled(service, rows, options, asked);
	const before = [...seen.known.values()]
		.map((batch) => takenOver(batch, seen))
		.filter(({ places }) => places.length > 0);
	const unanswered = [...rows.unanswered.values()].filter(({ places }) => seen.holdersOf(places[0]).length === 0);
	if (seen.rest().length === 0 && unanswered.length === 0) return before.map(warned);
	service.refuseOverspending(seen.rest().length);

	const posting = new Posting(service, rows, options);
	const send = options.importMode === 'keepInStep' ? sendInStep : sendOnce;
	const attempts = [...unanswered, ...(await send(posting, seen, options, unanswered))];
	const after = await lookAfter(service, rows, attempts, options.lookupGrace * 1000);
	const deliveries = await service.forEach(attempts, async (attempt): Promise<Delivery> => {
		if (!('failure' in attempt) || !mayBeThere(attempt)) return attempt;
		const { places, batchName, failure } = attempt;
		if (after instanceof Failure) return attempt;
		if (places.every((place) => after.holdersOf(place).length > 0)) {
			return sentAs(places, { ...after.holdersOf(places[0])[0], reused: failure.details.httpCode === 409 });
		}
		if (options.ifUnknown !== 'resend' || failure.details.submission === undefined) return attempt;
		return await posting.send(posting.write(places, batchName));
	});
	return [...before, ...deliveries.map((delivery) => checked(delivery, after))].map(warned);
}

/** The rows of a batch that is there already. A row that two batches hold belongs to the first. */
function takenOver(batch: KnownBatch, seen: Recognition): Sent {
	const places = batch.places.filter((place) => seen.holdersOf(place)[0] === batch);
	return { ...sentAs(places, { ...batch, reused: true }), alsoSentAs: others(batch.batchId, batch.places, seen) };
}

/** What the list says once all is sent; a batch that it does not show yet gets the grace. */
async function lookAfter(
	service: Service,
	rows: GoodRows,
	attempts: readonly Delivery[],
	grace: number,
): Promise<Recognition | Failure> {
	if (attempts.some(mayBeThere)) await service.pause(grace);
	// All is sent: that it cannot be looked at now must not make failed rows of it.
	const seen = await tried(look(service, rows));
	if (grace === 0 || seen instanceof Failure) return seen;
	if (attempts.every((attempt) => 'failure' in attempt || shows(seen, attempt))) return seen;
	service.progress(`Not all batches are listed yet: looking again in ${grace / 1000} s`);
	await service.pause(grace);
	return await tried(look(service, rows));
}

const shows = (seen: Recognition, { places, batchId }: Sent): boolean =>
	places.every((place) => seen.holdersOf(place).some((batch) => batch.batchId === batchId));

function checked(delivery: Delivery, after: Recognition | Failure): Delivery {
	if ('failure' in delivery) return delivery;
	if (after instanceof Failure) {
		const unknown = `The batch is sent, but the list of batches could not be read afterwards (${after.message}), so whether another process sent these rows too is not known.`;
		return { ...delivery, warnings: [unknown] };
	}
	const alsoSentAs = others(delivery.batchId, delivery.places, after);
	// The list counts what was taken; the answer may have counted what was sent.
	const total = after.known.get(delivery.batchId)?.total ?? delivery.total;
	if (shows(after, delivery)) return { ...delivery, total, alsoSentAs };
	const unlisted =
		"The service's list does not show this batch under its name, so a later run could not recognise these rows and would send them again: do not import them again.";
	return { ...delivery, alsoSentAs, isListed: false, warnings: [unlisted] };
}

const others = (batchId: string, places: readonly number[], seen: Recognition): string[] =>
	[...new Set(places.flatMap((place) => seen.holdersOf(place).map((batch) => batch.batchId)))].filter(
		(id) => id !== batchId,
	);

/** The document does not say which rows of a batch taken in part are missing. Of none that was taken nothing is sent. */
function warned(delivery: Delivery): Delivery {
	if ('failure' in delivery) return delivery;
	const { places, batchName, total, count, warnings } = delivery;
	if (typeof total !== 'number' || total === count) return delivery;
	if (total === 0) return { places, batchName, failure: noneTaken(count) };
	const inPart = `The service took ${total} of the ${count} rows of this batch; it was not sent again, and which rows are missing is not known before the results are joined.`;
	return { ...delivery, warnings: [...warnings, inPart] };
}

const noneTaken = (count: number) =>
	new Failure(`The service accepted the batch, but took none of its ${count} rows`, {
		description: "Nothing was sent again. Check the rows, and import them alone under another 'Batch Name'.",
	});
