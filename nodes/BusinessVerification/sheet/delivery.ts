import { at } from '../kit/operation';
import { Failure, type Question, type Service, tried } from '../kit/service';
import { routes } from '../document/routes';
import { submittedBatch, type SubmittedBatch } from '../document/answers';
import type { ImportInput } from './fields';
import { cutIntoBatches, paddedName, firstRows, nameOfRange, nameOfRows, rowsPerBatch } from './names';
import {
	type BatchQuestions,
	look,
	type LookingOptions,
	nameComposed,
	recallIntended,
	type Recognition,
	remember,
	settled,
} from './recognition';
import type { Delivery, GoodRows, KnownBatch, Row, Unsent } from './rows';

type DeliveryOptions = LookingOptions & Pick<ImportInput['options'], 'chunkSize' | 'ifUnknown' | 'extraBody'>;

/** A batch that was sent, or not, before the list shows what became of it. */
type Attempt = KnownBatch | Unsent;

/** Sends each new row once, and checks the batches without an answer. Every row is in exactly one delivery. */
export async function deliver(
	service: Service,
	good: GoodRows,
	options: DeliveryOptions,
	asked: BatchQuestions,
): Promise<Delivery[]> {
	if (good.rows.length === 0) return [];
	recallIntended(service, good);
	const seen = await settled(service, good, options, asked);
	const before = [...seen.known.values()]
		.map((batch) => ({ batch, rows: batch.rows.filter((row) => seen.holdersOf(row)[0] === batch) }))
		.filter(({ rows }) => rows.length > 0)
		// A row that two batches hold is counted for the first only.
		.map(({ batch, rows }) => delivered(batch, seen, true, rows));
	const unanswered = [...good.unanswered.values()].filter(({ rows }) => seen.holdersOf(rows[0]).length === 0);
	const added = seen.rest().length;
	if (added === 0 && unanswered.length === 0) return before;
	service.refuseOverspending(added);

	const posting = new Posting(service, seen, options, unanswered);
	const send = options.importMode === 'keepInStep' ? sendInStep : sendOnce;
	const attempts = [...unanswered, ...(await send(posting))];
	const after = await lookAfter(posting, attempts);
	const deliveries = await service.forEach(attempts, async (attempt): Promise<Delivery> => {
		if (!('failure' in attempt)) return delivered(attempt, after);
		const { rows, batchName, failure } = attempt;
		if (!mayBeThere(attempt) || after instanceof Failure) return attempt;
		if (rows.every((row) => after.holdersOf(row).length > 0)) {
			return delivered({ ...after.holdersOf(rows[0])[0], rows }, after, failure.details.httpCode === 409);
		}
		if (options.ifUnknown !== 'resend' || failure.details.submission === undefined) return attempt;
		const again = await posting.send(posting.write(rows, () => batchName));
		return 'failure' in again ? again : delivered(again, after);
	});
	return [...before, ...deliveries];
}

/** The batch may exist: there was no answer, or the answer was that its name is taken. The list decides. */
const mayBeThere = (attempt: Attempt): boolean =>
	'failure' in attempt &&
	(attempt.failure.details.submission === 'unknown' || attempt.failure.details.httpCode === 409);

/**
 * A batch that was sent, with what the list shows of it. The API documentation does not say which rows are missing if
 * the service accepted only part of them. If it accepted none, nothing was submitted, so the rows fail.
 */
function delivered(batch: KnownBatch, seen: Recognition | Failure, reused = false, rows = batch.rows): Delivery {
	const { batchId, batchName, count } = batch;
	const list = seen instanceof Failure ? undefined : seen;
	const isListed = list === undefined || shows(list, batch);
	// The total in the list counts accepted rows; the one in the response may count the rows that were sent.
	const total = (isListed ? list?.known.get(batchId)?.total : undefined) ?? batch.total;
	if (total === 0) return { rows, batchName, failure: noneTaken(count) };
	const warnings = [
		seen instanceof Failure &&
			`Sent, but the list of batches could not be read afterwards (${seen.message}). Check in the service that no other process sent these rows too.`,
		!isListed &&
			'Do not import these rows again: the service does not list the batch under its name, so they would be sent and billed again.',
		typeof total === 'number' &&
			total !== count &&
			`The service accepted ${total} of ${count} rows. To see which are missing, turn on 'Wait for Completion' and run the import again.`,
	].filter((warning) => warning !== false);
	const holders = batch.rows.flatMap((row) => list?.holdersOf(row) ?? []);
	const alsoSentAs = [...new Set(holders.map((holder) => holder.batchId))].filter((id) => id !== batchId);
	return { ...batch, rows, total, reused, alsoSentAs, isListed, warnings };
}

const noneTaken = (count: number) =>
	new Failure(`The service accepted none of the ${count} rows of the batch`, {
		description: "Check the rows, and import them with another 'Batch Name'.",
	});

const shows = (seen: Recognition, { rows, batchId }: KnownBatch): boolean =>
	rows.every((row) => seen.holdersOf(row).some((batch) => batch.batchId === batchId));

const underWay = 'Not sent, because this import is already running';

interface Written {
	rows: readonly Row[];
	batchName: string;
	body: Buffer;
}

type NameOf = (rows: readonly Row[], texts: readonly string[]) => string;

/**
 * The requests of one run that send rows. Each call of `send` makes at most one request; after `stop`, it makes none
 * and returns the batch as failed.
 */
export class Posting {
	readonly good: GoodRows;
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
		this.good = seen.good;
		if (this.good.hasCompany) this.stop(underWay);
	}

	/** By the range of the rows and one hash, or by a digest of each row. */
	readonly nameOf: NameOf = (rows, texts) => {
		const { importName } = this.good;
		if (this.options.importMode === 'once') {
			const [from, to] = [rows[0].place, rows.at(-1)!.place];
			return nameOfRange(importName, { from, to, hash: this.good.hashOf(rows, texts) });
		}
		const { digests } = this.good;
		return nameOfRows(
			importName,
			rows.map(({ place }) => digests[place - 1]),
		);
	};

	stop(reason: string): void {
		this.stopped ??= reason;
	}

	/** Another run of this import is active. Kept in `good`, so that a retry does not send a batch either. */
	meet(): void {
		this.good.hasCompany = true;
		this.stop(underWay);
	}

	/** The text of each row is made once, for the name and the body: writing rows twice took a fifth of a large import. */
	write(rows: readonly Row[], nameOf: NameOf = this.nameOf): Written {
		const items = rows.map(({ text }) => text);
		const batchName = nameOf(rows, items);
		const fields = { ...this.options.extraBody, name: batchName };
		const texts = new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
		texts.set(this.service.settings.batchItemsField, `[${items.join(',')}]`);
		const written = [...texts].filter(([, text]) => text !== undefined);
		const body = Buffer.from(`{${written.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
		return { rows, batchName, body };
	}

	async send(batch: Written): Promise<Attempt> {
		const { service } = this;
		const { rows, batchName } = batch;
		if (this.stopped !== undefined)
			return { rows, batchName, failure: new Failure(this.stopped, { cause: 'configuration-invalid' }) };
		const attempt = await this.post(batch);
		const isRefused = 'failure' in attempt && !mayBeThere(attempt);
		if (isRefused && service.stopsOnFailure) this.stop('Not sent, because an earlier batch failed');
		const outcome = 'failure' in attempt ? attempt.failure.message : 'sent';
		service.progress(`Batch ${++this.posted}, rows ${rows[0].number} to ${rows.at(-1)!.number}: ${outcome}`);
		return attempt;
	}

	private async post(batch: Written): Promise<Attempt> {
		const { service, good, options } = this;
		const { rows, batchName } = batch;
		const answer = await tried(service.send(this.request(batch)));
		if (answer instanceof Failure) {
			const unsent = { rows, batchName, failure: explained(answer, service, batchName) };
			if (answer.details.submission === 'unknown') remember(service, good, unsent);
			return unsent;
		}
		const { batchId, total } = answer;
		const stored = nameComposed(answer).batchName;
		const sent = { batchId, batchName, total, count: rows.length, rows };
		remember(service, good, sent);
		// Not for a name that was cut: the list shows how much is kept. A name that the service chose identifies no rows.
		const isRenamed = typeof stored === 'string' && !batchName.startsWith(stored);
		if (isRenamed && options.importMode === 'keepInStep')
			this.stop('Not sent, because the service renamed an earlier batch, so its rows cannot be matched later');
		return sent;
	}

	private request({ rows, body }: Written): Question<SubmittedBatch> {
		return {
			...at(routes.submitBatch),
			submissions: rows.length,
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

/** Import Once: each batch is one range of rows. */
const sendOnce = (posting: Posting): Promise<Attempt[]> =>
	announced(posting, cutIntoBatches(posting.seen.rest(), posting.options.chunkSize, true));

const triesAtFirst = 3;

/**
 * Sync With the Sheet: the name holds a digest of each row, so the first batch, with a padded name, finds out how many
 * characters the service keeps. The same batch announces this run to others, as the first one does in `announced`.
 */
async function sendInStep(posting: Posting): Promise<Attempt[]> {
	const { service, good, seen, options } = posting;
	const probes: Attempt[] = [];
	let kept = seen.keptLength;
	let rest = seen.rest();

	for (let tries = 1; kept === undefined && rest.length > 0; tries++) {
		const rows = rest.slice(0, rowsPerBatch(good.importName, firstRows));
		const probe = await posting.send(posting.write(rows, (...written) => paddedName(posting.nameOf(...written))));
		probes.push(probe);
		rest = rest.slice(rows.length);
		const isRefused = 'failure' in probe && !mayBeThere(probe);
		// These rows may be the cause, so the next ones are tried, but only `triesAtFirst` times.
		if (isRefused && tries < triesAtFirst) continue;
		if (isRefused) posting.stop('Not sent, because the first batches were refused');
		const isAwaited = !isRefused && rest.length > 0;
		const after = isAwaited && (await lookFor(posting, probes, ({ keptLength }) => keptLength !== undefined));
		kept = (after && !(after instanceof Failure) && after.keptLength) || 0;
	}
	if (rest.length === 0) return probes;

	const size = rowsPerBatch(good.importName, options.chunkSize, kept ?? 0);
	if (size < 1) {
		posting.stop(
			"Not sent, because the service does not list the first batch under its name, so its rows cannot be matched later. Try a shorter 'Batch Name'",
		);
	}
	const batches = cutIntoBatches(rest, Math.max(1, size), false);
	if (probes.length === 0) return await announced(posting, batches);
	return [...probes, ...(await service.forEach(batches, inOrder(posting, batches)))];
}

type Batches = ReadonlyArray<readonly Row[]>;

/**
 * Sends the first batch alone, and the others only after the list shows it or `lookupGrace` has passed. If two
 * processes start the same import at the same time, at least the later one then finds a batch of the other, and sends
 * nothing more.
 */
async function announced(posting: Posting, batches: Batches): Promise<Attempt[]> {
	if (batches.length === 0) return [];
	const sendNext = inOrder(posting, batches);
	const first = [await sendNext()];
	if (batches.length > 1) await lookFor(posting, first, ({ ids }) => sentIds(first).every((id) => ids.includes(id)));
	return [...first, ...(await posting.service.forEach(batches.slice(1), sendNext))];
}

/** About the number of requests at the same time. */
const mostAhead = 8;

/** Each call sends the next batch, and writes the following ones while that request waits for its response. */
function inOrder(posting: Posting, batches: Batches) {
	const written: Written[] = [];
	let next = 0;
	const writeNext = () => posting.write(batches[next++]);
	function* writeAhead(): Generator<void> {
		while (written.length < mostAhead && next < batches.length) {
			written.push(writeNext());
			yield;
		}
	}
	return async (): Promise<Attempt> => {
		const sending = posting.send(written.shift() ?? writeNext());
		return (await Promise.all([sending, posting.service.inTurns(writeAhead())]))[0];
	};
}

const sentIds = (attempts: readonly Attempt[]) =>
	attempts.flatMap((attempt) => ('failure' in attempt ? [] : [attempt.batchId]));

/**
 * Reads the list until `isEnough`: at once and, if needed, after `lookupGrace`. More new batches than this run can have
 * sent are those of another run.
 */
function lookFor(posting: Posting, first: readonly Attempt[], isEnough: (seen: Recognition) => boolean) {
	const known = [...posting.seen.ids, ...sentIds(first)];
	const perhapsOurs = [...posting.unanswered, ...first].filter(mayBeThere).length;
	return lookUntil(posting, [0, posting.options.lookupGrace], (seen) => {
		const isMet = seen.ids.filter((id) => !known.includes(id)).length > perhapsOurs;
		if (isMet) posting.meet();
		return isMet || isEnough(seen);
	});
}

/** Reads the list after everything is sent, and once more if it does not show every batch yet. */
function lookAfter(posting: Posting, attempts: readonly Attempt[]): Promise<Recognition | Failure> {
	const { lookupGrace } = posting.options;
	const wait = attempts.some(mayBeThere) ? lookupGrace : 0;
	return lookUntil(posting, lookupGrace === 0 ? [0] : [wait, lookupGrace], (seen) =>
		attempts.every((attempt) => 'failure' in attempt || shows(seen, attempt)),
	);
}

/** A failure is not thrown, because then rows that were sent would be reported as failed. */
async function lookUntil(
	posting: Posting,
	[seconds, ...later]: readonly number[],
	isEnough: (seen: Recognition) => boolean,
): Promise<Recognition | Failure> {
	const { service, good } = posting;
	await service.pause(seconds * 1000);
	const seen = await tried(look(service, good));
	if (seen instanceof Failure || isEnough(seen) || later.length === 0) return seen;
	if (later[0] > 0) service.progress(`Not all batches are listed yet. Checking again in ${later[0]} s`);
	return await lookUntil(posting, later, isEnough);
}
