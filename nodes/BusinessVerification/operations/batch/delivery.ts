import { Failure, type Json, type Service, tried } from '../../definition';
import type { GoodRows } from '../../import/goodRows';
import type { KnownBatch, Recognition } from '../../import/recognition';
import { type Asked, look, type LookingOptions, settled } from './looking';
import { sendInStep, sendOnce } from './ordering';
import { type Delivery, mayBeThere, Posting, type Sent, sentAs } from './posting';

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
	asked: Asked,
): Promise<Delivery[]> {
	if (rows.numbers.length === 0) return [];
	const seen = await settled(service, rows, options, asked);
	const before = [...seen.known.values()]
		.map((batch) => takenOver(batch, seen))
		.filter(({ places }) => places.length > 0);
	if (seen.rest().length === 0) return before.map(warned);

	const posting = new Posting(service, rows, options);
	const send = options.importMode === 'keepInStep' ? sendInStep : sendOnce;
	const attempts = await send(posting, seen, options);
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
	if (shows(after, delivery)) return { ...delivery, alsoSentAs };
	const unlisted =
		"The service's list does not show this batch under its name, so a later run could not recognise these rows and would send them again: do not import them again.";
	return { ...delivery, alsoSentAs, isListed: false, warnings: [unlisted] };
}

const others = (batchId: string, places: readonly number[], seen: Recognition): string[] =>
	[...new Set(places.flatMap((place) => seen.holdersOf(place).map((batch) => batch.batchId)))].filter(
		(id) => id !== batchId,
	);

/** The document does not say which rows of a batch taken in part are missing. */
function warned(delivery: Delivery): Delivery {
	if ('failure' in delivery) return delivery;
	const { total, count, warnings } = delivery;
	if (typeof total !== 'number' || total === count) return delivery;
	const inPart = `The service took ${total} of the ${count} rows of this batch; it was not sent again, and which rows are missing is not known before the results are joined.`;
	return { ...delivery, warnings: [...warnings, inPart] };
}
