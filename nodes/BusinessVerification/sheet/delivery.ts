import { at } from '../kit/operation';
import { Failure, type Json, type Question, type Service, tried } from '../kit/service';
import { routes } from '../document/routes';
import { submittedBatch, type SubmittedBatch } from '../document/answers';
import { type Chunk, cutIntoChunks, paddedName, firstRows, nameOfRange, nameOfRows, rowsPerBatch } from './names';
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
import type { GoodRows, KnownBatch, Unsent } from './goodRows';

/** A batch with its request body. */
export interface Written {
	places: Chunk;
	batchName: string;
	body: Buffer;
}

const underWay = 'Not sent, because this import is already running';

interface DeliveryOptions extends LookingOptions {
	chunkSize: number;
	ifUnknown: 'leave' | 'resend';
	extraBody?: Json;
}

/**
 * The requests of one run that send rows. Each call of `send` makes at most one request; after `stop`, it makes none
 * and returns the batch as failed.
 */
export class Posting {
	readonly rows: GoodRows;
	private stopped: string | undefined;
	private posted = 0;

	constructor(
		readonly service: Service,
		/** The batches that existed before this run sent anything. */
		readonly seen: Recognition,
		readonly options: DeliveryOptions,
		/** Batches of earlier tries that are still not confirmed. */
		readonly unanswered: readonly Unsent[],
	) {
		this.rows = seen.rows;
		if (this.rows.hasCompany) this.stop(underWay);
	}

	stop(reason: string): void {
		this.stopped ??= reason;
	}

	/** Another run of this import is active. Kept in `rows`, so that a retry does not send a batch either. */
	meet(): void {
		this.rows.hasCompany = true;
		this.stop(underWay);
	}

	/** Joins the texts that were already hashed: writing each row a second time took a fifth of a large import. */
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
		if (isRefused && service.stopsOnFailure) this.stop('Not sent, because an earlier batch failed');
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
		// Not for a name that was cut: the list shows how much is kept. A name that the service chose identifies no rows.
		const isRenamed = typeof answer.batchName === 'string' && !batchName.startsWith(answer.batchName);
		if (isRenamed && this.options.importMode === 'keepInStep')
			this.stop('Not sent, because the service renamed an earlier batch, so its rows cannot be matched later');
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
				'Run the same import again later. Rows that were accepted are matched by the name of their batch and not sent again.',
		};
	}
}

const badRequest = [400, 413, 422];

/** If a batch is refused, a longer name is the most likely reason. */
const ordinaryName = 100;

/** Names the settings that most often cause a refused batch, because the service's message cannot know them. */
function explained({ message, details }: Failure, { settings }: Service, batchName: string): Failure {
	if (details.httpCode === undefined || !badRequest.includes(details.httpCode)) return new Failure(message, details);
	if (batchName.length > ordinaryName) {
		const description = `The name of the batch has ${batchName.length} characters. If that is too long for the service, use the import mode 'Import Once'.`;
		return new Failure(message, { ...details, parameter: 'importMode', description });
	}
	const description =
		"If the batch holds too many rows, lower 'Rows per Batch' in the options. " +
		`If the service expects the rows in another field than '${settings.batchItemsField}', set 'Batch Items Field' in the credential.`;
	return new Failure(message, { ...details, parameter: 'options.chunkSize', description });
}

/** Import Once: each batch is one range of rows, and its name has their places and hash. */
async function sendOnce(posting: Posting): Promise<Delivery[]> {
	const { rows, seen, options } = posting;
	const chunks = cutIntoChunks(seen.rest(), options.chunkSize, true);
	return await announced(posting, chunks, (chunk) => {
		const [from, end] = [chunk[0], chunk[chunk.length - 1] + 1];
		return nameOfRange(rows.importName, { from: from + 1, to: end, hash: rows.hashOf(from, end) });
	});
}

const triesAtFirst = 3;

/**
 * Sync With the Sheet: the name holds a digest of each row, so the first batch, with a padded name, finds out how many
 * characters the service keeps. The same batch announces this run to others, as the first one does in `announced`.
 */
async function sendInStep(posting: Posting): Promise<Delivery[]> {
	const { service, rows, seen, options } = posting;
	const probes: Delivery[] = [];
	const nameOf = (chunk: Chunk) =>
		nameOfRows(
			rows.importName,
			chunk.map((place) => rows.digests[place]),
		);
	let kept = seen.keptLength;
	let rest = seen.rest();

	for (let tries = 1; kept === undefined && rest.length > 0; tries++) {
		const chunk = rest.slice(0, firstRows);
		const probe = await posting.send(posting.write(chunk, paddedName(nameOf(chunk))));
		probes.push(probe);
		rest = rest.slice(firstRows);
		const isRefused = 'failure' in probe && !mayBeThere(probe);
		// These rows may be the cause, so the next ones are tried, but only `triesAtFirst` times.
		if (isRefused && tries < triesAtFirst) continue;
		if (isRefused) posting.stop('Not sent, because the first batches were refused');
		const isAwaited = !isRefused && rest.length > 0;
		const after = isAwaited && (await lookFor(posting, probes, ({ keptLength }) => keptLength !== undefined));
		kept = (after && after.keptLength) || 0;
	}
	if (rest.length === 0) return probes;

	const size = rowsPerBatch(rows.importName, options.chunkSize, kept ?? 0);
	if (size < 1) {
		posting.stop(
			"Not sent, because the service does not list the first batch under its name, so its rows cannot be matched later. Try a shorter 'Batch Name'",
		);
	}
	const chunks = cutIntoChunks(rest, Math.max(1, size), false);
	if (probes.length === 0) return await announced(posting, chunks, nameOf);
	return [...probes, ...(await service.forEach(chunks, inOrder(posting, chunks, nameOf)))];
}

type NameOf = (chunk: Chunk) => string;

/**
 * Sends the first batch alone, and the others only after the list shows it or `lookupGrace` has passed. If two
 * processes start the same import at the same time, at least the later one then finds a batch of the other, and sends
 * nothing more.
 */
async function announced(posting: Posting, chunks: readonly Chunk[], nameOf: NameOf): Promise<Delivery[]> {
	if (chunks.length === 0) return [];
	const sendNext = inOrder(posting, chunks, nameOf);
	const first = [await sendNext()];
	if (chunks.length > 1) await lookFor(posting, first, ({ ids }) => sentIds(first).every((id) => ids.includes(id)));
	return [...first, ...(await posting.service.forEach(chunks.slice(1), sendNext))];
}

/** About the number of requests at the same time. */
const mostAhead = 8;

/** Each call sends the next batch, and writes the following ones while that request waits for its response. */
function inOrder(posting: Posting, chunks: readonly Chunk[], nameOf: NameOf) {
	const written: Written[] = [];
	let next = 0;
	const writeNext = () => {
		const chunk = chunks[next++];
		return posting.write(chunk, nameOf(chunk));
	};
	function* writeAhead(): Generator<void> {
		while (written.length < mostAhead && next < chunks.length) {
			written.push(writeNext());
			yield;
		}
	}
	return async (): Promise<Delivery> => {
		const sending = posting.send(written.shift() ?? writeNext());
		return (await Promise.all([sending, posting.service.inTurns(writeAhead())]))[0];
	};
}

const sentIds = (attempts: readonly Delivery[]) =>
	attempts.flatMap((attempt) => ('failure' in attempt ? [] : [attempt.batchId]));

/**
 * Reads the list until `isEnough`: at once and, if needed, after `lookupGrace`. More new batches than this run can have
 * sent are those of another run.
 */
async function lookFor(
	posting: Posting,
	first: readonly Delivery[],
	isEnough: (seen: Recognition) => boolean,
): Promise<Recognition | undefined> {
	const { service, rows, seen, unanswered, options } = posting;
	const known = [...seen.ids, ...sentIds(first)];
	const perhapsOurs = [...unanswered, ...first].filter(mayBeThere).length;
	for (const wait of [0, options.lookupGrace]) {
		await service.pause(wait * 1000);
		const now = await tried(look(service, rows));
		// Not thrown, because then rows that were sent would be reported as failed.
		if (now instanceof Failure) return undefined;
		const isMet = now.ids.filter((id) => !known.includes(id)).length > perhapsOurs;
		if (isMet) posting.meet();
		if (isMet || isEnough(now)) return now;
	}
	return undefined;
}

/** Sends each new row once, and checks the batches without an answer. Every row is in exactly one delivery. */
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

	const posting = new Posting(service, seen, options, unanswered);
	const send = options.importMode === 'keepInStep' ? sendInStep : sendOnce;
	const attempts = [...unanswered, ...(await send(posting))];
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

/** An already submitted batch. A row that two batches hold is counted for the first only. */
function takenOver(batch: KnownBatch, seen: Recognition): Sent {
	const places = batch.places.filter((place) => seen.holdersOf(place)[0] === batch);
	return { ...sentAs(places, { ...batch, reused: true }), alsoSentAs: others(batch.batchId, batch.places, seen) };
}

/** Reads the list after everything is sent, and once more after `grace` if it does not show every batch yet. */
async function lookAfter(
	service: Service,
	rows: GoodRows,
	attempts: readonly Delivery[],
	grace: number,
): Promise<Recognition | Failure> {
	if (attempts.some(mayBeThere)) await service.pause(grace);
	// Not thrown, because then rows that were sent would be reported as failed.
	const seen = await tried(look(service, rows));
	if (grace === 0 || seen instanceof Failure) return seen;
	if (attempts.every((attempt) => 'failure' in attempt || shows(seen, attempt))) return seen;
	service.progress(`Not all batches are listed yet. Checking again in ${grace / 1000} s`);
	await service.pause(grace);
	return await tried(look(service, rows));
}

const shows = (seen: Recognition, { places, batchId }: Sent): boolean =>
	places.every((place) => seen.holdersOf(place).some((batch) => batch.batchId === batchId));

function checked(delivery: Delivery, after: Recognition | Failure): Delivery {
	if ('failure' in delivery) return delivery;
	if (after instanceof Failure) {
		const unknown = `Sent, but the list of batches could not be read afterwards (${after.message}). Check in the service that no other process sent these rows too.`;
		return { ...delivery, warnings: [unknown] };
	}
	const alsoSentAs = others(delivery.batchId, delivery.places, after);
	// The total in the list counts accepted rows; the one in the response may count the rows that were sent.
	const total = after.known.get(delivery.batchId)?.total ?? delivery.total;
	if (shows(after, delivery)) return { ...delivery, total, alsoSentAs };
	const unlisted =
		'Do not import these rows again: the service does not list the batch under its name, so they would be sent and billed again.';
	return { ...delivery, alsoSentAs, isListed: false, warnings: [unlisted] };
}

const others = (batchId: string, places: readonly number[], seen: Recognition): string[] =>
	[...new Set(places.flatMap((place) => seen.holdersOf(place).map((batch) => batch.batchId)))].filter(
		(id) => id !== batchId,
	);

/**
 * Adds a warning if the service accepted only part of the rows: the API documentation does not say which are missing.
 * If it accepted none, nothing was submitted, so the rows fail.
 */
function warned(delivery: Delivery): Delivery {
	if ('failure' in delivery) return delivery;
	const { places, batchName, total, count, warnings } = delivery;
	if (typeof total !== 'number' || total === count) return delivery;
	if (total === 0) return { places, batchName, failure: noneTaken(count) };
	const inPart = `The service accepted ${total} of ${count} rows. To see which are missing, turn on 'Wait for Completion' and run the import again.`;
	return { ...delivery, warnings: [...warnings, inPart] };
}

const noneTaken = (count: number) =>
	new Failure(`The service accepted none of the ${count} rows of the batch`, {
		description: "Check the rows, and import them with another 'Batch Name'.",
	});
