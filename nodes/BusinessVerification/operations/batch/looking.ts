import { at, Failure, type Json, type Service, tried } from '../../definition';
import { routes } from '../../document';
import type { GoodRows } from '../../import/goodRows';
import { Recognition } from '../../import/recognition';
import { idOf } from './batchRecord';
import { type RefusalOptions, refuseUncertain } from './refusal';
import { readBatch } from './batchEnd';

export interface LookingOptions extends RefusalOptions {
	/** Seconds. */
	lookupGrace: number;
}

const mostLooks = 6;

const memoryKey = ({ importName }: GoodRows) => `import ${importName.toLowerCase()}`;

/** Batches that this process has sent and not seen listed, by name; blank where no answer told the ID. */
const recalled = (service: Service, rows: GoodRows) =>
	(service.recent.get(memoryKey(rows)) ?? {}) as Record<string, string>;

export function remember(service: Service, rows: GoodRows, batchName: string, batchId = ''): void {
	const unlisted = recalled(service, rows);
	unlisted[batchName] = batchId;
	service.recent.set(memoryKey(rows), unlisted);
}

/** The list of batches, under way. */
export interface Asked {
	at: number;
	batches: Promise<Json[]>;
}

export function askForBatches(service: Service): Asked {
	const asked = { at: service.now(), batches: service.list({ ...at(routes.batches), idOf }) };
	// What stops the run before the list is needed is told instead.
	asked.batches.catch(() => undefined);
	return asked;
}

/** Looks through the service's batches once. Where the list does not tell a name, the batch itself is asked: there the document promises it. */
export async function look(service: Service, rows: GoodRows, asked = askForBatches(service)): Promise<Recognition> {
	const seen = new Recognition(rows);
	const unclear: Json[] = [];
	for (const batch of await asked.batches) {
		if (idOf(batch) !== undefined && seen.isUnclear(batch)) unclear.push(batch);
		else seen.see(batch);
	}
	await service.forEach(unclear, async (batch) => seen.see({ ...batch, ...(await nameOf(service, idOf(batch)!)) }));
	const unlisted = recalled(service, rows);
	for (const { batchName } of seen.known.values()) delete unlisted[batchName];
	for (const [batchName, batchId] of Object.entries(unlisted)) if (seen.known.has(batchId)) delete unlisted[batchName];
	return seen;
}

/** The same, and what this process has sent but is not listed yet. */
async function lookBack(service: Service, rows: GoodRows, asked?: Asked): Promise<Recognition> {
	const seen = await look(service, rows, asked);
	const unlisted = recalled(service, rows);
	await service.forEach(Object.entries(unlisted), async ([batchName, batchId]) => {
		if (batchId === '') return;
		const batch = await read(service, batchId);
		if (batch === undefined) delete unlisted[batchName];
		else seen.see({ ...batch, batchId, batchName });
	});
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
	asked: Asked,
): Promise<Recognition> {
	const grace = options.lookupGrace * 1000;
	const hasSent = Object.keys(recalled(service, rows)).length > 0;
	let seen = await lookBack(service, rows, asked);
	for (let looks = 1; seen.rest().length > 0; looks++) {
		refuseUncertain(seen, options);
		const isCareful = options.importMode === 'keepInStep' || hasSent || seen.ids.length > 0;
		const wait = isCareful ? grace : Math.min(grace, service.startedAt + grace - asked.at);
		if (wait <= 0) return seen;
		if (looks > mostLooks) {
			throw new Failure('Another run of this import is under way', {
				description: `Nothing was sent. Each of ${looks} looks at the service's batches found more of them: run the import again later.`,
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

async function read(service: Service, batchId: string): Promise<Json | undefined> {
	const batch = await tried(service.send(readBatch(batchId)));
	if (!(batch instanceof Failure)) return batch;
	if (batch.details.httpCode !== 404) throw batch;
	return undefined;
}

/** A name stays what it is, so it is asked for once. */
async function nameOf(service: Service, batchId: string): Promise<Json> {
	const key = `batch ${batchId}`;
	const known = service.recent.get(key);
	if (known !== undefined) return known;
	const { batchName, total } = (await read(service, batchId)) ?? {};
	const told = { ...(typeof batchName === 'string' && { batchName }), ...(typeof total === 'number' && { total }) };
	service.recent.set(key, told);
	return told;
}
