import { businessNames, type InquiryItem } from '../document/inquiries';
import { Failure, type Json, type Service, tried } from '../kit/service';
import { capitalised, numberOf, rowNamed, type RowProblem } from './rows';
import { inquiryIdOf, inquiryIn, withFinality } from '../inquiry/record';
import type { Sheet } from './check';
import { at, type Outcome } from '../kit/operation';
import { routes } from '../document/routes';
import { shortName, type Sent } from './recognition';
import { readInquiry } from '../inquiry/end';
import type { WaitingOptions } from '../fields/shared';
import { counted, untilDone } from './batches';
import type { GoodRows, Unsent } from './goodRows';

/** An inquiry as the service lists it in a batch. Which of its fields are there is not known beforehand. */
type ListedInquiry = Record<string, unknown>;

export type JoinedRow =
	| { row: number; inquiry: ListedInquiry; joinedBy: 'externalId' | 'business' | 'onlyRow' }
	| { row: number; notJoinable: string };

interface SentRow {
	row: number;
	item: InquiryItem;
}

interface JoinedRows {
	/** One entry for each row, in the order given. */
	rows: JoinedRow[];
	/** Inquiries of the batch that no row was found for. */
	unmatched: ListedInquiry[];
}

const businessFields = [...businessNames, 'businessCity', 'businessState'] as const;

/**
 * Which inquiry of a batch is which row: by external ID, else by the business where the service returns it.
 * Never by position, since the order of a batch's inquiries is not promised.
 */
export function joinRows(rows: readonly SentRow[], inquiries: readonly ListedInquiry[]): JoinedRows {
	if (rows.length === 1 && inquiries.length === 1 && agrees(rows[0].item, inquiries[0])) {
		return { rows: [{ row: rows[0].row, inquiry: inquiries[0], joinedBy: 'onlyRow' }], unmatched: [] };
	}
	const anonymous = inquiries.filter((inquiry) => externalIdIn(inquiry) === undefined);
	const byExternalId = joinByExternalId(rows, inquiries);
	const unnamed = rows.filter(({ row }) => !byExternalId.has(row));
	const byBusiness = joinByBusiness(unnamed, anonymous);
	const taken = new Set<ListedInquiry>();

	const joined = rows.map(({ row, item }): JoinedRow => {
		const named = byExternalId.get(row);
		if (named && named.length > 1)
			return { row, notJoinable: `${named.length} inquiries of the batch carry its external ID` };
		const inquiry = named?.[0] ?? byBusiness.get(row);
		if (!inquiry) return { row, notJoinable: whyNot(item, inquiries, anonymous) };
		taken.add(inquiry);
		return { row, inquiry, joinedBy: named ? 'externalId' : 'business' };
	});
	return { rows: joined, unmatched: inquiries.filter((inquiry) => !taken.has(inquiry)) };
}

/** What the service keeps of an external ID: as text or as a number, under either of its names. */
function externalIdIn({ externalId, external_id: spelled }: ListedInquiry): string | undefined {
	const [value] = [externalId, spelled].filter((one) => one !== '' && ['string', 'number'].includes(typeof one));
	return value === undefined ? undefined : String(value);
}

/** A service may store `A-7` as `a-7`, and `007` as the number 7. */
const loosely = (externalId: string) =>
	externalId
		.trim()
		.toLowerCase()
		.replace(/^0+(?=\d+$)/, '');

/** The inquiries of each row's external ID: those that have it exactly, else those that have it in another spelling. */
function joinByExternalId(rows: readonly SentRow[], inquiries: readonly ListedInquiry[]): Map<number, ListedInquiry[]> {
	const exactly = new Map<string, ListedInquiry[]>();
	for (const inquiry of inquiries) {
		const externalId = externalIdIn(inquiry);
		if (externalId !== undefined) collect(exactly, externalId, inquiry);
	}
	const joined = new Map<number, ListedInquiry[]>();
	const respelled = new Map<string, SentRow[]>();
	for (const sent of rows) {
		const { externalId } = sent.item;
		if (externalId === undefined) continue;
		const found = exactly.get(externalId);
		if (found !== undefined) joined.set(sent.row, found);
		else collect(respelled, loosely(externalId), sent);
	}
	for (const { item } of rows) exactly.delete(item.externalId ?? '');
	const left = new Map<string, ListedInquiry[]>();
	for (const [externalId, found] of exactly) for (const one of found) collect(left, loosely(externalId), one);
	for (const [spelling, [sent, ...rivals]] of respelled) {
		const found = left.get(spelling);
		if (found !== undefined && rivals.length === 0) joined.set(sent.row, found);
	}
	return joined;
}

/** Joins where exactly one row and one inquiry agree in every business field the service returned. */
function joinByBusiness(rows: readonly SentRow[], inquiries: readonly ListedInquiry[]): Map<number, ListedInquiry> {
	const shapes = new Map<string, ListedInquiry[]>();
	for (const inquiry of inquiries)
		collect(shapes, businessFields.filter((field) => typeof inquiry[field] === 'string').join(), inquiry);
	const claims = new Map<number, ListedInquiry[]>();
	const claimants = new Map<ListedInquiry, number[]>();
	for (const [shape, alike] of shapes) {
		const returned = shape.split(',');
		if (!businessNames.some((name) => returned.includes(name))) continue;
		const index = new Map<string, number[]>();
		for (const { row, item } of rows) collect(index, businessKey(item, returned), row);
		for (const inquiry of alike) {
			for (const row of index.get(businessKey(inquiry, returned)) ?? []) {
				collect(claims, row, inquiry);
				collect(claimants, inquiry, row);
			}
		}
	}
	const isClear = ([inquiry, ...rivals]: ListedInquiry[]) =>
		rivals.length === 0 && claimants.get(inquiry)?.length === 1;
	return new Map([...claims].flatMap(([row, claim]) => (isClear(claim) ? [[row, claim[0]] as const] : [])));
}

function businessKey(holder: ListedInquiry, fields: readonly string[]): string {
	const texts = fields.map((field) => String(holder[field] ?? ''));
	return JSON.stringify(texts.map((text) => text.trim().toLowerCase()));
}

/** Whether nothing the service returned contradicts the row. */
function agrees(item: InquiryItem, inquiry: ListedInquiry): boolean {
	const externalId = externalIdIn(inquiry);
	return externalId === undefined || item.externalId === undefined || loosely(externalId) === loosely(item.externalId);
}

function whyNot(item: InquiryItem, inquiries: readonly ListedInquiry[], anonymous: ListedInquiry[]): string {
	if (inquiries.length === 0) return 'the batch lists no inquiries';
	if (item.externalId !== undefined && anonymous.length === 0) return 'no inquiry of the batch carries its external ID';
	return item.externalId === undefined
		? 'the service returned nothing that tells this row from the others; give every row an external ID'
		: 'the service returned nothing that tells this row from the others, not even its external ID';
}

function collect<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

/** Rows are numbered as people count them, items from 0. */
export const itemOf = (row: number) => row - 1;

/** What came of the row is read first, the row itself after it, and all that is known last. */
export function rowOutput({ rows }: Sheet, row: number, { status, score, id }: First, details: Json): Json {
	const first: Json = {
		verificationStatus: status,
		...(score !== undefined && { verificationScore: score }),
		inquiryId: id ?? null,
	};
	// Begun by one key, and not spread twice: otherwise V8 makes a hash table of every row, at ten times the cost.
	const output: Json = { verificationStatus: status, ...first, ...rows[itemOf(row)] };
	// A sheet may have columns of these names from the last time.
	return Object.assign(output, first, { verification: { row: numberOf(rows, row), ...details } });
}

export interface First {
	/** The inquiry's, or in small letters what there is to say instead. */
	status: unknown;
	score?: unknown;
	id?: string;
}

export const statusOf = (row: JoinedRow): First =>
	'notJoinable' in row ? { status: 'sent, not matched' } : { status: row.inquiry.status, id: inquiryIdOf(row.inquiry) };

export function resultOf(row: JoinedRow): Json {
	if ('notJoinable' in row) return { notJoinable: row.notJoinable };
	const { inquiry, joinedBy } = row;
	return { ...inquiry, ...withFinality(inquiry), joinedBy };
}

/**
 * The inquiry of each row. The rows of a batch need not tell them apart (only status, progress and a count are promised),
 * so those that no row was found for are read one by one: the inquiry itself carries its external ID.
 */
export async function joined(service: Service, rows: GoodRows, { places, batchId }: Sent): Promise<JoinedRow[]> {
	const items = places.map((place) => ({ row: rows.numbers[place], item: rows.item(place) }));
	const rowsListed = await service.list({ ...at(routes.batchInquiries, { batch_id: batchId }), idOf: inquiryIdOf });
	const listed = rowsListed.map(inquiryIn);
	const first = joinRows(items, listed);
	const isTold = first.rows.every((row) => 'inquiry' in row);
	if (isTold || !first.unmatched.some((inquiry) => inquiryIdOf(inquiry) !== undefined)) return first.rows;
	const unmatched = new Set(first.unmatched);
	const read = await service.forEach(listed, async (inquiry) => {
		const id = inquiryIdOf(inquiry);
		if (id === undefined || !unmatched.has(inquiry)) return inquiry;
		return { ...inquiry, ...(await service.send(readInquiry(id))) };
	});
	return joinRows(items, read).rows;
}

/** The score of each row: what the list tells of it, else what the inquiry itself says, at one read a row. */
export const scoresOf = (service: Service, rows: readonly JoinedRow[]): Promise<unknown[]> =>
	service.forEach(rows, async (row) => {
		if ('notJoinable' in row) return null;
		const id = inquiryIdOf(row.inquiry);
		const isTold = 'scorecardScore' in row.inquiry || id === undefined;
		const { scorecardScore } = isTold ? row.inquiry : await service.send(readInquiry(id));
		return scorecardScore ?? null;
	});

/** One failure for each bad row, with all that is wrong with it. */
export function badRows({ rows }: Sheet, problems: readonly RowProblem[]): Outcome[] {
	const byRow = new Map<number, string[]>();
	for (const { row, column, reason } of problems) byRow.set(row, [...(byRow.get(row) ?? []), `'${column}' ${reason}`]);
	return [...byRow].map(([row, reasons]) => ({
		items: [itemOf(row)],
		failure: new Failure(`${capitalised(rowNamed(rows, row))}: ${reasons.join('; ')}`, {
			parameter: 'columns',
			description:
				"The row was not sent. Correct it and import the corrected rows under another 'Batch Name'; where the import is kept in step with its sheet, correct it there.",
		}),
	}));
}

export const blankRow = (sheet: Sheet, row: number): Outcome => ({
	items: [itemOf(row)],
	output: rowOutput(sheet, row, { status: 'skipped' }, { skipped: 'the row is blank' }),
});

/** Rows that were refused, or whose outcome is unknown: each says so. */
export const failedRows = (
	{ places, batchName, failure: { message, details } }: Unsent,
	sheet: Sheet,
	rows: GoodRows,
): Outcome[] =>
	places.map((place) => {
		const row = rows.numbers[place];
		return {
			items: [itemOf(row)],
			failure: new Failure(
				`${capitalised(rowNamed(sheet.rows, row))}, batch '${shortName(batchName)}': ${message}`,
				details,
			),
		};
	});

export interface Wanted {
	perRow: boolean;
	waits: boolean;
	waiting: WaitingOptions & { readScores: boolean };
}

/** Rows that are with the service, as one item for their batch or as one for each of them. */
export async function sentRows(
	service: Service,
	sheet: Sheet,
	rows: GoodRows,
	sent: Sent,
	{ perRow, waits, waiting }: Wanted,
): Promise<Outcome[]> {
	const { places, batchId, batchName, total, reused, alsoSentAs } = sent;
	const warnings = [...sent.warnings];
	const numbers = places.map((place) => rows.numbers[place]);
	const about = () => ({
		batchId,
		batchName,
		reused,
		...(alsoSentAs.length > 0 && { alsoSentAs }),
		...(warnings.length > 0 && { warnings }),
	});
	/** The rows are paid for: what cannot be found out afterwards is said, and they leave as sent. */
	const orSaid = async <T>(asked: Promise<T>): Promise<T | undefined> => {
		const told = await tried(asked);
		if (!(told instanceof Failure)) return told;
		warnings.push(
			`The rows are sent, but their results could not be read (${told.message}). Running the same import again sends nothing and reads them.`,
		);
		return undefined;
	};

	const ended = waits ? await orSaid(untilDone(service, batchId, { ...waiting, onTimeout: 'lastState' })) : undefined;
	if (ended?.extra.timedOut === true && waiting.onTimeout !== 'lastState') return late(sent, sheet, rows, waiting);
	if (!perRow) {
		const state = ended === undefined ? { total } : counted(ended.batch, ended.extra);
		const span = {
			rows: numbers.length,
			firstRow: numberOf(sheet.rows, numbers[0]),
			lastRow: numberOf(sheet.rows, numbers.at(-1)!),
		};
		return [{ items: numbers.map(itemOf), output: { ...state, ...about(), ...span } }];
	}
	const results = ended && (await orSaid(joined(service, rows, sent)));
	if (results?.some((row) => 'notJoinable' in row)) service.remark(notMatched);
	const scores = results && waiting.readScores ? await orSaid(scoresOf(service, results)) : undefined;
	return numbers.map((row, index) => {
		const result = results?.[index];
		const first = {
			...(result === undefined ? { status: reused ? 'already sent' : 'sent' } : statusOf(result)),
			...(waits && waiting.readScores && { score: scores?.[index] ?? null }),
		};
		const details = result === undefined ? {} : { ...resultOf(result), ...ended?.extra };
		return { items: [itemOf(row)], output: rowOutput(sheet, row, first, { ...about(), ...details }) };
	});
}

const notMatched =
	"Some rows were sent, but which inquiries are theirs is not known, so their results are missing. An 'External ID' in every row tells them apart.";

/** The user wants those that take too long by the error output; they are with the service all the same. */
const late = (
	{ places, batchId, batchName }: Sent,
	sheet: Sheet,
	rows: GoodRows,
	{ maxWait }: WaitingOptions,
): Outcome[] =>
	failedRows(
		{
			places,
			batchName,
			failure: new Failure(`Batch ${batchId} is not done within ${maxWait} minutes`, {
				submission: 'accepted',
				description: `The rows were sent as batch ${batchId}. Running the same import again sends nothing and waits for them once more; or raise 'Max Wait', or choose another 'On Timeout'.`,
			}),
		},
		sheet,
		rows,
	);
