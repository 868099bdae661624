import { businessNames, type InquiryItem } from '../document/inquiries';
import { Failure, type Json, type Service, tried } from '../kit/service';
import { few } from '../kit/objects';
import { numberOf, type RowProblem } from './rows';
import { inquiryIdOf, inquiryIn, withFinality } from '../inquiry/record';
import type { Sheet } from './check';
import { at, type Outcome } from '../kit/operation';
import { routes } from '../document/routes';
import { shortName, type Sent } from './recognition';
import { readInquiry } from '../inquiry/end';
import type { WaitingOptions } from '../fields/shared';
import { counted, untilDone } from './batches';
import type { GoodRows, Unsent } from './goodRows';

/** An inquiry in the list of a batch. The API documentation does not say which of its fields the list returns. */
type ListedInquiry = Record<string, unknown>;

type JoinedRow =
	| { row: number; inquiry: ListedInquiry; joinedBy: 'externalId' | 'business' | 'onlyRow' }
	| { row: number; notJoinable: string };

interface SentRow {
	row: number;
	item: InquiryItem;
}

interface JoinedRows {
	/** One entry for each row, in the order given. */
	rows: JoinedRow[];
	/** Inquiries of the batch that match no row. */
	unmatched: ListedInquiry[];
}

const businessFields = [...businessNames, 'businessCity', 'businessState'] as const;

/**
 * Matches rows to the inquiries of their batch by external ID, else by the business where the service returns it.
 * Never by position, because the API documentation promises no order.
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
			return { row, notJoinable: `${named.length} inquiries of the batch have its external ID` };
		const inquiry = named?.[0] ?? byBusiness.get(row);
		if (!inquiry) return { row, notJoinable: whyNot(item, inquiries, anonymous) };
		taken.add(inquiry);
		return { row, inquiry, joinedBy: named ? 'externalId' : 'business' };
	});
	return { rows: joined, unmatched: inquiries.filter((inquiry) => !taken.has(inquiry)) };
}

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

/** The inquiries with each row's external ID: those with the same spelling, else those with another one. */
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

/** Matches where exactly one row and one inquiry agree in every business field that the service returned. */
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

/** One row and one inquiry match unless both have an external ID and these differ. */
function agrees(item: InquiryItem, inquiry: ListedInquiry): boolean {
	const externalId = externalIdIn(inquiry);
	return externalId === undefined || item.externalId === undefined || loosely(externalId) === loosely(item.externalId);
}

function whyNot(item: InquiryItem, inquiries: readonly ListedInquiry[], anonymous: ListedInquiry[]): string {
	if (inquiries.length === 0) return 'the batch lists no inquiries';
	if (item.externalId !== undefined && anonymous.length === 0) return 'no inquiry of the batch has its external ID';
	return item.externalId === undefined
		? 'nothing in the response distinguishes this row; give every row an external ID'
		: 'nothing in the response distinguishes this row, not even its external ID';
}

function collect<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

/** Rows are numbered from 1, items from 0. */
export const itemOf = (row: number) => row - 1;

/** The result first, then the row, as a flat table. `details` nests everything else. */
function rowOutput({ rows }: Sheet, row: number, result: RowResult, details?: Json): Json {
	const { status, score, id, problem, batchId } = result;
	const first: Json = {
		verificationStatus: status,
		...(score !== undefined && { verificationScore: score }),
		inquiryId: id ?? null,
		verificationProblem: problem || null,
		...(batchId !== undefined && { batchId }),
	};
	// Starts with one key: V8 makes a hash table of an object made of two spreads, which takes ten times as long.
	const output: Json = { verificationStatus: status, ...first, ...rows[itemOf(row)] };
	// `first` once more at the end, because the sheet may have columns of these names from an earlier run.
	if (details !== undefined) first.verification = { row: numberOf(rows, row), ...details };
	return Object.assign(output, first);
}

interface RowResult {
	/** Status of the inquiry, or one of this node's in lower case. */
	status: unknown;
	score?: unknown;
	id?: string;
	/** Why the result is missing, or what else to check. */
	problem?: string;
	batchId?: string;
}

export const statusOf = (row: JoinedRow): RowResult =>
	'notJoinable' in row
		? { status: 'sent, not matched', problem: row.notJoinable }
		: { status: row.inquiry.status, id: inquiryIdOf(row.inquiry) };

function resultOf(row: JoinedRow): Json {
	if ('notJoinable' in row) return { notJoinable: row.notJoinable };
	const { inquiry, joinedBy } = row;
	return { ...inquiry, ...withFinality(inquiry), joinedBy };
}

/**
 * The inquiry of each row. The API documentation promises only status, progress and a count for the inquiries in a
 * batch. So those that match no row are read by their IDs, where they have their external IDs.
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

/** The score of each row, from the list if it has one, else by one read for each inquiry. */
const scoresOf = (service: Service, rows: readonly JoinedRow[]): Promise<unknown[]> =>
	service.forEach(rows, async (row) => {
		if ('notJoinable' in row) return null;
		const id = inquiryIdOf(row.inquiry);
		const isTold = 'scorecardScore' in row.inquiry || id === undefined;
		const { scorecardScore } = isTold ? row.inquiry : await service.send(readInquiry(id));
		return scorecardScore ?? null;
	});

/** One failure for each bad row, with all its problems. */
export function badRows({ rows }: Sheet, problems: readonly RowProblem[]): Outcome[] {
	const byRow = new Map<number, string[]>();
	for (const { row, column, reason } of problems) byRow.set(row, [...(byRow.get(row) ?? []), `'${column}' ${reason}`]);
	return [...byRow].map(([row, reasons]) => ({
		items: [itemOf(row)],
		failure: new Failure(`Row ${numberOf(rows, row)}: ${few(reasons, '; ')}`, {
			row: numberOf(rows, row),
			parameter: 'columns',
			description:
				"The row was not sent. Import the corrected rows with another 'Batch Name', or correct them in the sheet if you sync with it.",
		}),
	}));
}

const blank = 'the row is blank';

export const blankRow = (sheet: Sheet, row: number, withDetails: boolean): Outcome => ({
	items: [itemOf(row)],
	output: rowOutput(sheet, row, { status: 'skipped', problem: blank }, withDetails ? { skipped: blank } : undefined),
});

/** One failure for each row of a batch that was refused or is not confirmed. */
export const failedRows = (
	{ places, batchName, failure: { message, details } }: Unsent,
	sheet: Sheet,
	rows: GoodRows,
): Outcome[] =>
	places.map((place) => {
		const row = rows.numbers[place];
		return {
			items: [itemOf(row)],
			failure: new Failure(`Row ${numberOf(sheet.rows, row)}, batch '${shortName(batchName)}': ${message}`, {
				...details,
				row: numberOf(sheet.rows, row),
			}),
		};
	});

export interface Wanted {
	perRow: boolean;
	withDetails: boolean;
	waits: boolean;
	waiting: WaitingOptions & { readScores: boolean };
}

/** Submitted rows, as one item for their batch or as one for each row. */
export async function sentRows(
	service: Service,
	sheet: Sheet,
	rows: GoodRows,
	sent: Sent,
	{ perRow, withDetails, waits, waiting }: Wanted,
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
	/** A warning, not a failure: the rows are submitted and billed even if their results cannot be read. */
	const orSaid = async <T>(asked: Promise<T>): Promise<T | undefined> => {
		const told = await tried(asked);
		if (!(told instanceof Failure)) return told;
		warnings.push(
			`Sent, but the results could not be read (${told.message}). Run the same import again to read them; nothing is sent twice.`,
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
	const doubts = [
		...(ended?.extra.timedOut === true ? ['The batch did not finish in time.'] : []),
		...(alsoSentAs.length > 0 ? [`Also submitted in ${few(alsoSentAs)}.`] : []),
		...warnings,
	];
	return numbers.map((row, index) => {
		const result = results?.[index];
		const first: RowResult = {
			...(result === undefined ? { status: reused ? 'already sent' : 'sent' } : statusOf(result)),
			...(waits && waiting.readScores && { score: scores?.[index] ?? null }),
			batchId,
		};
		const problem = [first.problem, ...doubts].filter(Boolean).join(' ');
		const found = result === undefined ? {} : { ...resultOf(result), ...ended?.extra };
		const details = withDetails ? { ...about(), ...found } : undefined;
		return { items: [itemOf(row)], output: rowOutput(sheet, row, { ...first, problem }, details) };
	});
}

const notMatched = "Some rows were sent, but their results could not be matched. Give every row an 'External ID'.";

/** With 'On Timeout' set to fail, rows that take too long fail, although they are submitted. */
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
			failure: new Failure(`Batch ${batchId} did not finish within ${maxWait} minutes`, {
				submission: 'accepted',
				description: `The rows were sent. Run the same import again to keep waiting without sending anything, or raise 'Max Wait'.`,
			}),
		},
		sheet,
		rows,
	);
