import { Failure } from '../../definition/failure';
import { filled, nameOfRange, nameOfRows } from '../../import/batchNames';
import { type Chunk, cutIntoChunks, firstRows, rowsPerBatch } from '../../import/chunks';
import type { Recognition } from '../../import/recognition';
import { look } from './looking';
import { type Delivery, mayBeThere, type Posting } from './sending';

/** In which order the rows that are not there yet are sent, and under which names. */

/** Import Once: side by side, each batch one stretch of rows, told by its place. */
export async function sendOnce(posting: Posting, rest: number[], size: number): Promise<Delivery[]> {
	const { rows, service } = posting;
	return await service.forEach(cutIntoChunks(rest, size, true), async (chunk) => {
		const [from, end] = [chunk[0], chunk[chunk.length - 1] + 1];
		const range = { from: from + 1, to: end, hash: rows.hashOf(from, end) };
		return await posting.send(chunk, nameOfRange(rows.importName, range));
	});
}

const triesAtFirst = 3;

/** Keep in Step: the name tells each row, so first it has to be known how much of a name the service keeps. */
export async function sendInStep(
	posting: Posting,
	seen: Recognition,
	{ chunkSize, lookupGrace }: { chunkSize: number; lookupGrace: number },
): Promise<Delivery[]> {
	const { rows, service } = posting;
	const attempts: Delivery[] = [];
	const nameOf = (chunk: Chunk) =>
		nameOfRows(
			rows.importName,
			chunk.map((place) => rows.digests[place]),
		);
	const send = (chunk: Chunk, name: string) =>
		posting.send(chunk, name, () =>
			posting.stop('The batch was not sent, because the service gave another one a name of its own'),
		);
	let kept = seen.keptLength;
	let rest = seen.rest();

	for (let tries = 1; kept === undefined && rest.length > 0; tries++) {
		const chunk = rest.slice(0, firstRows);
		const attempt = await send(chunk, filled(nameOf(chunk)));
		attempts.push(attempt);
		rest = rest.slice(firstRows);
		const isRefused = 'failure' in attempt && !mayBeThere(attempt);
		// That may be the fault of these rows: others are tried, but not all of them one after another.
		if (isRefused && tries < triesAtFirst) continue;
		if (isRefused) posting.stop('The batch was not sent, because the first ones were refused');
		kept = isRefused || rest.length === 0 ? 0 : await keptInList(posting, lookupGrace);
	}
	if (rest.length === 0) return attempts;

	const size = rowsPerBatch(rows.importName, chunkSize, kept ?? 0);
	if (size < 1) {
		posting.stop(
			"The batch was not sent, because the service does not give back the first one under its name, by which its rows are recognised; a shorter 'Batch Name' may help",
		);
	}
	const [first, ...others] = cutIntoChunks(rest, Math.max(1, size), false);
	return [
		...attempts,
		await send(first, nameOf(first)),
		...(await service.forEach(others, (chunk) => send(chunk, nameOf(chunk)))),
	];
}

/** What the list leaves of the first name. */
async function keptInList({ service, rows }: Posting, lookupGrace: number): Promise<number> {
	try {
		for (const wait of [0, lookupGrace]) {
			await service.pause(wait * 1000);
			const { keptLength } = await look(service, rows);
			if (keptLength !== undefined) return keptLength;
		}
	} catch (error) {
		// The first rows are sent: a list that cannot be read now must not make failed ones of them.
		if (!(error instanceof Failure)) return Promise.reject(error);
	}
	return 0;
}
