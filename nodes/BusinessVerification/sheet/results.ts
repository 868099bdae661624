import { businessNames, type InquiryItem } from '../document/inquiries';
import { Failure, type Json, type Service, tried } from '../kit/service';
import { few, orMade } from '../kit/objects';
import type { RowProblem } from './check';
import { externalIdOf, failedChecks, inquiryIdOf, inquiryIn, withFinality } from '../inquiry/record';
import { at, type Outcome } from '../kit/operation';
import { routes } from '../document/routes';
import { quoted } from './recognition';
import { readInquiry } from '../inquiry/end';
import type { ImportInput } from './fields';
import { counted, untilDone } from './batches';
import type { Row, Sent, Unsent } from './rows';

/** The result first, then the row, as a flat table. `details` nests everything else. */
function rowOutcome({ index, number, cells }: Row, result: Json, details?: Json): Outcome {
	// Starts with one key: V8 makes a hash table of an object made of two spreads, which takes ten times as long.
	const output: Json = { verificationStatus: undefined, ...result, ...cells };
	// The result once more at the end, because the sheet may have columns of these names from an earlier run.
	Object.assign(output, result, details && { verification: { row: number, ...details } });
	return { items: [index], output };
}

const rowFailure = ({ index, number }: Row, about: string, { message, details }: Failure): Outcome => ({
	items: [index],
	failure: new Failure(`Row ${number}${about}: ${message}`, { ...details, row: number }),
});

/** One failure for each bad row, with all its problems. */
export function badRows(problems: readonly RowProblem[]): Outcome[] {
	const reasons = grouped(problems, ({ row }) => row);
	return [...reasons].map(([row, those]) => {
		const message = few(
			those.map(({ column, reason }) => `'${column}' ${reason}`),
			'; ',
		);
		const description =
			"The row was not sent. Import the corrected rows with another 'Batch Name', or correct them in the sheet if you sync with it.";
		return rowFailure(row, '', new Failure(message, { parameter: 'columns', description }));
	});
}

const blank = 'the row is blank';

export const blankRow = (row: Row, withDetails: boolean): Outcome =>
	rowOutcome(
		row,
		{ verificationStatus: 'skipped', inquiryId: null, verificationProblem: blank },
		withDetails ? { skipped: blank } : undefined,
	);

/** One failure for each row of a batch that was refused or is not confirmed. */
export const failedRows = ({ rows, batchName, failure }: Unsent): Outcome[] =>
	rows.map((row) => rowFailure(row, `, batch ${quoted(batchName)}`, failure));

/** Submitted rows, as one item for their batch or as one for each row. */
export async function sentRows(
	service: Service,
	sent: Sent,
	{ outputPer, waitForCompletion: waits, waitingOptions, options }: ImportInput,
): Promise<Outcome[]> {
	const waiting = waitingOptions!;
	const { rows, batchId, batchName, total, reused, alsoSentAs } = sent;
	const warnings = [...sent.warnings];
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
	if (outputPer === 'batch') {
		const state = ended === undefined ? { total } : counted(ended.batch, ended.extra);
		const span = { rows: rows.length, firstRow: rows[0].number, lastRow: rows.at(-1)!.number };
		return [{ items: rows.map(({ index }) => index), output: { ...state, ...about(), ...span } }];
	}
	const results = ended && (await orSaid(joined(service, sent)));
	if (results?.some((result) => 'notJoinable' in result)) service.remark(notMatched);
	const scored = results && waiting.readScores ? await orSaid(scoresOf(service, results)) : undefined;
	const doubts = [
		...(ended?.extra.timedOut === true
			? ['Not finished: run the same import again to wait longer. Nothing is submitted twice.']
			: []),
		...(alsoSentAs.length > 0 ? [`Also submitted in ${few(alsoSentAs)}.`] : []),
		...warnings,
	];
	return rows.map((row, index) => {
		const result = results?.[index];
		const { status, id = null, problem } = statusOf(result, reused);
		const first = {
			verificationStatus: status,
			...(waits && waiting.readScores && { verificationScore: scored?.[index].score ?? null }),
			inquiryId: id,
			verificationProblem: [problem, scored?.[index].failed, ...doubts].filter(Boolean).join(' ') || null,
			batchId,
		};
		const found = result === undefined ? {} : { ...resultOf(result), ...ended?.extra };
		return rowOutcome(row, first, options.includeDetails ? { ...about(), ...found } : undefined);
	});
}

const notMatched = "Some rows were sent, but their results could not be matched. Give every row an 'External ID'.";

/** The status of the inquiry, or one of this node's in lower case. */
function statusOf(row: Joined | undefined, reused: boolean): { status: unknown; id?: string; problem?: string } {
	if (row === undefined) return { status: reused ? 'already sent' : 'sent' };
	if ('notJoinable' in row) return { status: 'sent, not matched', problem: row.notJoinable };
	return { status: row.inquiry.status, id: inquiryIdOf(row.inquiry) };
}

const resultOf = (row: Joined): Json =>
	'notJoinable' in row ? { ...row } : { ...row.inquiry, ...withFinality(row.inquiry), joinedBy: row.joinedBy };

/**
 * The score, and which checks failed if the record shows it. Reads each inquiry whose row lacks either. A null counts as
 * lacking, because a row may be a summary.
 */
const scoresOf = (service: Service, rows: readonly Joined[]) =>
	service.forEach(rows, async (row): Promise<{ score?: unknown; failed?: string }> => {
		if ('notJoinable' in row) return {};
		const id = inquiryIdOf(row.inquiry);
		const { scorecardScore = null, processStatuses = null } = row.inquiry;
		const lacks = id !== undefined && (scorecardScore === null || processStatuses === null);
		const inquiry = lacks ? { ...row.inquiry, ...(await service.send(readInquiry(id))) } : row.inquiry;
		const failed = failedChecks(inquiry);
		return { score: inquiry.scorecardScore, failed: failed && `${failed}.` };
	});

/**
 * The inquiry of each row. The API documentation promises only status, progress and a count for the inquiries in a
 * batch. So those that match no row are read by their IDs, where they have their external IDs.
 */
async function joined(service: Service, { rows, batchId }: Sent): Promise<Joined[]> {
	const items = rows.map(({ item }) => item);
	const list = { ...at(routes.batchInquiries, { batch_id: batchId }), idOf: inquiryIdOf };
	const listed = (await service.list(list)).map(inquiryIn);
	const first = joinItems(items, listed);
	if (first.joined.every((one) => 'inquiry' in one)) return first.joined;
	const unmatched = new Set(first.unmatched);
	const read = await service.forEach(listed, async (inquiry) => {
		const id = inquiryIdOf(inquiry);
		if (id === undefined || !unmatched.has(inquiry)) return inquiry;
		return inquiryIn({ ...inquiry, ...(await service.send(readInquiry(id))) });
	});
	return joinItems(items, read).joined;
}

/** The inquiry of an item, or why it is not known. */
type Joined = { inquiry: Json; joinedBy: 'externalId' | 'business' | 'onlyRow' } | { notJoinable: string };

interface JoinedItems {
	/** One entry for each item, in the order given. */
	joined: Joined[];
	/** Inquiries of the batch that match no item. */
	unmatched: Json[];
}

/**
 * Matches the items of a batch to its inquiries by external ID, else by the business where the service returns it.
 * Never by position, because the API documentation promises no order.
 */
export function joinItems(items: readonly InquiryItem[], inquiries: readonly Json[]): JoinedItems {
	if (items.length === 1 && inquiries.length === 1 && agrees(items[0], inquiries[0])) {
		return { joined: [{ inquiry: inquiries[0], joinedBy: 'onlyRow' }], unmatched: [] };
	}
	const anonymous = inquiries.filter((inquiry) => externalIdOf(inquiry) === undefined);
	const namedAs = byExternalId(items, inquiries);
	const unnamed = items.filter((item) => namedAs(item).length === 0);
	const alike = byBusiness(unnamed, anonymous);

	const results = items.map((item): Joined => {
		const [inquiry = alike.get(item), ...others] = namedAs(item);
		if (others.length > 0) return { notJoinable: `${others.length + 1} inquiries of the batch have its external ID` };
		if (inquiry === undefined) return { notJoinable: whyNot(item, inquiries, anonymous) };
		return { inquiry, joinedBy: alike.has(item) ? 'business' : 'externalId' };
	});
	const taken = new Set(results.map((result) => 'inquiry' in result && result.inquiry));
	return { joined: results, unmatched: inquiries.filter((inquiry) => !taken.has(inquiry)) };
}

/** A service may store `A-7` as `a-7`, and `007` as the number 7. */
const loosely = (externalId: string) => {
	const id = externalId.trim().toLowerCase();
	return /^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, '') : id;
};

/** The inquiries with an item's external ID: those with the same spelling, else those with another one. */
function byExternalId(items: readonly InquiryItem[], inquiries: readonly Json[]) {
	const exactly = grouped(inquiries, externalIdOf);
	const ids = new Set<unknown>(items.map(({ externalId }) => externalId));
	const respelled = (id: string | undefined, known: { has(id: string): boolean }) =>
		id === undefined || known.has(id) ? undefined : loosely(id);
	const rivals = grouped(items, ({ externalId }) => respelled(externalId, exactly));
	const left = grouped(inquiries, (inquiry) => respelled(externalIdOf(inquiry), ids));
	return ({ externalId: id }: InquiryItem): Json[] => {
		if (id === undefined) return [];
		const isAlone = rivals.get(loosely(id))?.length === 1;
		return exactly.get(id) ?? (isAlone ? left.get(loosely(id)) : undefined) ?? [];
	};
}

const businessFields = [...businessNames, 'businessCity', 'businessState'] as const;

/** Matches where exactly one item and one inquiry agree in every business field that the service returned. */
function byBusiness(items: readonly InquiryItem[], inquiries: readonly Json[]): Map<InquiryItem, Json> {
	const shapeOf = (inquiry: Json) => businessFields.filter((field) => typeof inquiry[field] === 'string').join();
	const pairs: Array<[item: InquiryItem, inquiry: Json]> = [];
	for (const [shape, alike] of grouped(inquiries, shapeOf)) {
		const returned = shape.split(',');
		if (!businessNames.some((name) => returned.includes(name))) continue;
		const itemsOf = grouped(items, (item) => businessKey(item, returned));
		for (const inquiry of alike)
			for (const item of itemsOf.get(businessKey(inquiry, returned)) ?? []) pairs.push([item, inquiry]);
	}
	const ofItem = grouped(pairs, ([item]) => item);
	const ofInquiry = grouped(pairs, ([, inquiry]) => inquiry);
	return new Map(
		pairs.filter(([item, inquiry]) => ofItem.get(item)!.length === 1 && ofInquiry.get(inquiry)!.length === 1),
	);
}

function businessKey(holder: Json, fields: readonly string[]): string {
	const texts = fields.map((field) => String(holder[field] ?? ''));
	return JSON.stringify(texts.map((text) => text.trim().toLowerCase()));
}

/** One row and one inquiry match unless both have an external ID and these differ. */
function agrees(item: InquiryItem, inquiry: Json): boolean {
	const externalId = externalIdOf(inquiry);
	return externalId === undefined || item.externalId === undefined || loosely(externalId) === loosely(item.externalId);
}

function whyNot(item: InquiryItem, inquiries: readonly Json[], anonymous: Json[]): string {
	if (inquiries.length === 0) return 'the batch lists no inquiries';
	if (item.externalId !== undefined && anonymous.length === 0) return 'no inquiry of the batch has its external ID';
	return item.externalId === undefined
		? 'nothing in the response distinguishes this row; give every row an external ID'
		: 'nothing in the response distinguishes this row, not even its external ID';
}

/** Without those that have no key. */
function grouped<T, K>(list: Iterable<T>, keyOf: (one: T) => K | undefined): Map<K, T[]> {
	const groups = new Map<K, T[]>();
	for (const one of list) {
		const key = keyOf(one);
		if (key !== undefined) orMade(groups, key, () => []).push(one);
	}
	return groups;
}
