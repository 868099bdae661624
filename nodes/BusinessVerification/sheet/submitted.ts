import { fingerprint } from '../agents/calls';
import { batchIdOf, defaultSort } from '../document/answers';
import { routes } from '../document/routes';
import { momentOf, timeText } from '../document/vocabulary';
import { orNone, readInquiry } from '../inquiry/completion';
import { externalIdOf, inquiryIdOf, inquiryIn } from '../inquiry/record';
import { orMade } from '../kit/objects';
import { at } from '../kit/operation';
import { Failure, type Json, type Service } from '../kit/service';
import { listBatches, numberIn, statusOf, withNames } from './batches';
import { type Batch, isMadeKey, madeKey, type Row } from './row';

/**
 * Which rows of a sheet the service has. Invariant: a row is in `rest` only if no batch of the import that the service
 * shows holds an inquiry with its external ID, exactly as it was sent, and this run got no unclear answer about it.
 */

type NamedBatch = Pick<Batch, 'batchId' | 'batchName'> & Partial<Batch>;

/** For locks and memory. The case of a name does not matter, because a service may change it. */
export const importKey = (importName: string): string => `import ${importName.toLowerCase()}`;

/** Requests the list of batches, which is read while the sheet is. */
export function askForBatches(service: Service) {
	const asked = { at: service.uptime(), batches: listBatches(service) };
	// If the run fails before it needs the list, a failure to read the list must not be an unhandled rejection.
	asked.batches.catch(() => undefined);
	return asked;
}

type BatchQuestion = ReturnType<typeof askForBatches>;

export class Submitted {
	readonly batches = new Map<string, Batch>();
	/** Every row of the list of batches, by ID. */
	listed = new Map<string, Json>();
	private readonly byKey = new Map<string, Row>();
	/** Rows by the ID made of their data, or of a twin's, with which they were perhaps sent before. */
	private byMadeKey: ReadonlyMap<string, Row> | undefined;

	constructor(
		readonly service: Service,
		readonly importName: string,
		readonly rows: readonly Row[],
	) {
		for (const row of rows) orMade(this.byKey, row.key, () => row);
		this.recallAgent();
	}

	/** The row that was sent with exactly this external ID. */
	rowWith = (id = ''): Row | undefined => this.byKey.get(id) ?? this.byMadeKey?.get(id);

	/** The rows to send, in the order of the sheet. */
	get rest(): Row[] {
		return this.rows.filter(({ isMissing }) => isMissing);
	}

	/** Batches that this process sent and the service has not listed yet. Undefined if this process sent none. */
	get remembered(): NamedBatch[] | undefined {
		return this.service.recent.get(importKey(this.importName))?.batches as never;
	}

	/** A batch was sent. It has no ID if there was no answer. */
	markSent(...batches: NamedBatch[]): void {
		this.remember([...(this.remembered ?? []), ...batches]);
	}

	private remember(batches: NamedBatch[]): void {
		this.service.recent.set(importKey(this.importName), { batches });
	}

	/**
	 * Reads what exists before anything is sent. Batches may be listed late, and another n8n process may have sent some
	 * just before it was killed. So rows are sent only after two readings, `waitMs` apart, found the same. The second is
	 * skipped if no batch of the import exists, this process has sent none, and it has run for longer than `waitMs`.
	 */
	async settle(waitMs: number, asked: BatchQuestion): Promise<void> {
		const { service } = this;
		const hasSent = this.remembered !== undefined || this.rows.some((row) => row.standing === 'inBatch');
		if (this.rows.length > 0) await this.read(asked.batches);
		for (let reads = 1; this.rest.length > 0; reads++) {
			const wait = hasSent || this.batches.size > 0 ? waitMs : Math.min(waitMs, waitMs - asked.at);
			if (wait <= 0) return;
			if (reads === 6) {
				throw new Failure('Another run of this import is under way', {
					description: 'Nothing new was sent. Run the import again later.',
					cause: 'temporarily-unavailable',
				});
			}
			await service.pause(wait);
			const before = this.shown;
			await this.read();
			if (this.shown === before) return;
		}
	}

	/** Grows with each batch, inquiry, and external ID that the service shows. */
	private get shown(): number {
		const known = [...this.batches.values()];
		return known.reduce((all, { ids }) => all + 1 + ids.length + ids.filter((id) => id !== undefined).length, 0);
	}

	/** Reads the list, and the inquiries of each batch of this import that did not show all of them before. */
	async read(asked = askForBatches(this.service).batches): Promise<void> {
		const { service, importName, batches } = this;
		// Those of a batch that is known are read whatever the list shows, so they are asked for beside it.
		const open = [...batches.values()].filter((batch) => !isReadWhole(batch));
		const beside = new Map(open.map(({ batchId }) => [batchId, inquiriesOf(service, batchId)]));
		for (const inquiries of beside.values()) inquiries.catch(() => undefined);
		const list = await withNames(service, await asked);
		this.listed = new Map(list.map((batch) => [batchIdOf(batch)!, batch]));
		// One without any name may be of this import.
		const ours = list.filter(
			({ batchName }) => typeof batchName !== 'string' || numberIn(importName, batchName) !== undefined,
		);
		const { remembered } = this;
		const own = [...(remembered ?? []), ...batches.values()];
		// Once listed, it is forgotten: if it is deleted at the service, its rows may be sent again.
		const isListed = ({ batchId }: NamedBatch) => ours.some((batch) => batchIdOf(batch) === batchId);
		if (remembered !== undefined) this.remember(remembered.filter((batch) => !isListed(batch)));
		const all = new Map([...own, ...ours].map((batch): [string, Json] => [batchIdOf({ ...batch })!, { ...batch }]));
		const unread = [...all].filter(([id, { total }]) => {
			const known = batches.get(id);
			return known === undefined || !isReadWhole(known) || (typeof total === 'number' && total !== known.total);
		});
		const named = await service.forEach(unread, async ([batchId, batch]) => {
			const { total } = typeof batch.total === 'number' ? batch : await statusOf(service, batchId);
			const batchName = String(batch.batchName ?? '');
			return { batchId, batchName, total: total as number | undefined, sent: batches.get(batchId)?.sent };
		});
		await this.readRows(named, beside);
	}

	/** Reads the inquiries of batches. */
	async readRows(batches: readonly NamedBatch[], asked?: ReadonlyMap<string, Promise<Json[]>>): Promise<void> {
		const { service } = this;
		const read = await service.forEach(batches, ({ batchId }) => asked?.get(batchId) ?? inquiriesOf(service, batchId));
		await this.complete(read.flat(), batches);
		const isForeign = (id: string | undefined) => isMadeKey(id) && this.rowWith(id) === undefined;
		// Not before the service shows such an ID, because hashing a row takes longer than checking it.
		if (read.flat().map(externalIdOf).some(isForeign)) this.byMadeKey ??= await service.inTurns(this.hashRows());
		batches.forEach((batch, index) => this.note(batch, read[index]));
	}

	private *hashRows(): Generator<void, ReadonlyMap<string, Row>> {
		const rows = new Map<string, Row>();
		for (const row of this.rows) {
			// The first of two alike, because the other one is not sent.
			for (const { item } of [...(row.hasOwnId ? [row] : []), ...row.twins])
				orMade(rows, madeKey(item, this.importName), () => row);
			yield;
		}
		return rows;
	}

	private note({ batchId, batchName, total, sent }: NamedBatch, inquiries: readonly Json[]): void {
		const ids = inquiries.map(externalIdOf);
		const rows = ids.map((id) => this.rowWith(id));
		const listed = this.listed.get(batchId);
		const isNameless = listed !== undefined && typeof listed.batchName !== 'string';
		if (isNameless && sent === undefined && rows.every((row) => row === undefined)) return;
		// A batch whose answer was lost, or was not the service's, is this run's.
		const unanswered = rows.filter((row) => row?.isUnanswered) as Row[];
		if (unanswered.length > 0) sent ??= unanswered;
		const batch = { batchId, batchName, total: total ?? ids.length, ids, sent };
		this.batches.set(batchId, batch);
		rows.forEach((row, index) => row?.isIn(batch, inquiries[index]));
	}

	/**
	 * Adds what the inquiries of batches do not show: from the list of all inquiries since the first of these batches, in
	 * pages of 500, and from their records if other inquiries outnumber them.
	 */
	async complete(
		inquiries: readonly Json[],
		batches: readonly NamedBatch[],
		lacks = (inquiry: Json) => externalIdOf(inquiry) === undefined,
	): Promise<void> {
		const { service } = this;
		const [since] = batches.map(({ batchId }) => this.listed.get(batchId)?.createdAt).sort();
		const lacking = () => inquiries.filter((inquiry) => inquiryIdOf(inquiry) !== undefined && lacks(inquiry));
		const first = momentOf(String(since));
		if (lacking().length > 5 && Number.isFinite(first)) {
			const query = { ...defaultSort, sort_order: 'asc', created_at_from: timeText(first - 5_000) };
			const limit = Math.max(500, 2 * inquiries.length);
			const rows = await service.list({ ...at(routes.inquiries), query, limit, idOf: inquiryIdOf });
			const byId = new Map(rows.map((row) => [inquiryIdOf(row), inquiryIn(row)]));
			for (const inquiry of lacking()) add(inquiry, byId.get(inquiryIdOf(inquiry)));
		}
		await service.forEach(lacking(), async (inquiry) =>
			add(inquiry, inquiryIn(await service.send(readInquiry(inquiryIdOf(inquiry)!)))),
		);
	}

	/** Rows that the calling agent sent before, by their data, because it may make up another name or other IDs. */
	private recallAgent(): void {
		for (const row of this.service.intentions === undefined ? [] : this.rows) {
			const { batch, failure } = (this.service.intentions!.get(`row ${fingerprint(row.item)}`) ?? {}) as Recalled;
			if (batch !== undefined) row.isIn({ ...batch, total: 0, ids: [] });
			else if (failure?.details.submission === 'unknown') Object.assign(row, { failure, wasSent: true });
		}
	}

	/** For later calls of the same agent. */
	rememberForAgent(rows: readonly Row[]): void {
		for (const row of this.service.intentions === undefined ? [] : rows) {
			const [batch] = row.batches;
			this.service.intentions!.set(`row ${fingerprint(row.item)}`, {
				batch: batch && { batchId: batch.batchId, batchName: batch.batchName },
				failure: row.failure,
			});
		}
	}
}

interface Recalled {
	batch?: Pick<Batch, 'batchId' | 'batchName'>;
	failure?: Failure;
}

export const isReadWhole = ({ ids, total }: Batch) => ids.length > 0 && ids.length >= total && !ids.includes(undefined);

const inquiriesOf = async (service: Service, batchId: string): Promise<Json[]> =>
	(await orNone(service.list({ ...at(routes.batchInquiries, { batch_id: batchId }), idOf: inquiryIdOf }), [])).map(
		inquiryIn,
	);

function add(inquiry: Json, more: Json = {}): void {
	for (const [name, value] of Object.entries(more)) inquiry[name] = value ?? inquiry[name];
}

const withoutSigns = (id: string) => id.replace(/[^\p{L}\p{N}]+/gu, '');
const withoutZeros = (id: string) => id.replace(/(?<!\d)0+/g, '');

const letterCases = [/\p{Ll}/u, /\p{Lu}/u];
const paddings = [/-/, /\s/, /[^\p{L}\p{N}\s-]/u, /(?<!\d)0/];

/**
 * An example if external IDs seem to be changed by the service, or in the sheet: one that it returned, and that is no
 * row's, looks like that of a row that was not found. Nothing is matched by it.
 *
 * | Here | Returned | Changed, because |
 * |---|---|---|
 * | `row-3f0c` | `ROW-3F0C` | it was made of data, and hashes do not look alike |
 * | `Crm-1` | `crm-1` | no returned ID has a capital |
 * | `12` | `0012` | no ID here begins with a zero |
 * | `company-springfield` | `company-springfi` | more than digits was cut, and none is longer |
 * | `Ｃrm-1` | `Crm-1` | only the form of a letter differs |
 * | `a1B` | `a1b` | not, if there are capitals: some CRMs have both |
 * | `company-10` | `company-1` | not, because both may be there |
 */
export function changedId({ rowWith }: Submitted, missing: readonly Row[], batches: readonly Batch[]) {
	const ids = batches.flatMap((batch) => batch.ids.map(String));
	const foreign = ids.filter((id) => rowWith(id) === undefined);
	if (foreign.length === 0) return undefined;
	const longest = ids.reduce((most, { length }) => Math.max(most, length), 16);
	const plain = (id: string) => {
		const text = id.normalize('NFKC').toLowerCase();
		// A zero behind a sign begins a number only as long as the sign is there.
		return [withoutZeros(withoutSigns(text)), withoutSigns(withoutZeros(text.replace(/\.0+$/, '')))];
	};
	const strange = new Map(foreign.flatMap((id) => plain(id).map((text) => [text, id])));
	const isInNone = (all: readonly string[]) => (sign: RegExp) => !all.some((id) => sign.test(id));
	const removed = [...letterCases, ...paddings].filter(isInNone(ids));
	const added = paddings.filter(isInNone(missing.map(({ key }) => key)));
	for (const { key, hasOwnId } of missing) {
		const returned = [key, key.slice(0, longest)].flatMap(plain).flatMap((text) => strange.get(text) ?? [])[0];
		if (returned === undefined) continue;
		const isChanged =
			!hasOwnId ||
			key.normalize('NFKC') === returned.normalize('NFKC') ||
			/\D/.test(key.slice(longest)) ||
			removed.some((sign) => sign.test(key)) ||
			added.some((sign) => sign.test(returned));
		if (isChanged) return { sent: key, returned };
	}
	return undefined;
}
