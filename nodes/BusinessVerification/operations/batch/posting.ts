import { at, Failure, type Json, type Question, type Service, tried } from '../../definition';
import { routes, submittedBatch, type SubmittedBatch } from '../../document';
import { type Chunk, type ImportMode, spans } from '../../import/chunks';
import type { GoodRows } from '../../import/goodRows';
import type { KnownBatch } from '../../import/recognition';
import { remember } from './looking';

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

export interface Unsent {
	places: number[];
	batchName: string;
	failure: Failure;
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
		if (this.stopped !== undefined) return { places, batchName, failure: new Failure(this.stopped) };
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
			if (answer.details.submission === 'unknown') remember(service, rows, batchName);
			return { places, batchName, failure: explained(answer, service) };
		}
		const { batchId, total } = answer;
		remember(service, rows, batchName, batchId);
		// How much of a name the service keeps, the list tells; by one of its own no row can be told.
		const isRenamed = typeof answer.batchName === 'string' && !batchName.startsWith(answer.batchName);
		if (isRenamed && this.options.importMode === 'keepInStep')
			this.stop('The batch was not sent, because the service gave another one a name of its own');
		return sentAs(places, { batchId, batchName, total, count: places.length, reused: false });
	}

	private request({ places, body }: Written): Question<SubmittedBatch> {
		const { rows } = this;
		return {
			...at(routes.submitBatch),
			place: `rows ${spans(places.map((place) => rows.numbers[place]))}`,
			body,
			kind: 'write',
			answer: submittedBatch,
			ifUnknown:
				'Run the same import again later: what the service has taken is recognised by its batch name and not sent again.',
		};
	}
}

const badRequest = [400, 413, 422];

/** Two settings are the usual reasons for a refused batch, and the service cannot know them. */
function explained({ message, details }: Failure, { settings }: Service): Failure {
	if (details.httpCode === undefined || !badRequest.includes(details.httpCode)) return new Failure(message, details);
	const description =
		"If the batch holds too many rows, lower 'Rows per Batch' in the options. " +
		`The rows were sent in the field '${settings.batchItemsField}': if the service names another one, set 'Batch Items Field' in the credential.`;
	return new Failure(message, { ...details, parameter: 'options.chunkSize', description });
}
