import { Failure, tried } from '../../definition';
import { filled, nameOfRange, nameOfRows } from '../../import/batchNames';
import { type Chunk, cutIntoChunks, firstRows, rowsPerBatch } from '../../import/chunks';
import type { Recognition } from '../../import/recognition';
import { look } from './looking';
import { type Delivery, mayBeThere, type Posting, type Written } from './posting';
import { WrittenAhead } from './writtenAhead';

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
): Promise<Delivery[]> {
	const { rows } = posting;
	return await announced(posting, seen, cutIntoChunks(seen.rest(), chunkSize, true), lookupGrace, (chunk) => {
		const [from, end] = [chunk[0], chunk[chunk.length - 1] + 1];
		const range = { from: from + 1, to: end, hash: rows.hashOf(from, end) };
		return posting.write(chunk, nameOfRange(rows.importName, range));
	});
}

const triesAtFirst = 3;

/** Keep in Step: the name tells each row, so first it has to be known how much of a name the service keeps. */
export async function sendInStep(
	posting: Posting,
	seen: Recognition,
	{ chunkSize, lookupGrace }: SizeOptions,
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
		const attempt = await posting.send(posting.write(chunk, filled(nameOf(chunk))));
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
	return [
		...attempts,
		...(await announced(posting, seen, chunks, lookupGrace, (chunk) => posting.write(chunk, nameOf(chunk)), attempts)),
	];
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
	earlier: readonly Delivery[] = [],
): Promise<Delivery[]> {
	const { service } = posting;
	const batches = new WrittenAhead(chunks, write);
	const sendNext = async (): Promise<Delivery> => {
		const [delivery] = await Promise.all([posting.send(batches.take()), service.inTurns(batches.write())]);
		return delivery;
	};
	const attempt = await sendNext();
	const others = chunks.slice(1);
	if (others.length > 0 && (await hasCompany(posting, before, [...earlier, attempt], lookupGrace))) {
		posting.stop('The batch was not sent, because another run of this import is under way');
	}
	return [attempt, ...(await service.forEach(others, sendNext))];
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
