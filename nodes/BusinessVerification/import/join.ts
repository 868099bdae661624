import { businessNames, type InquiryItem } from '../document';

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
	const byExternalId = new Map<string, ListedInquiry[]>();
	const anonymous: ListedInquiry[] = [];
	for (const inquiry of inquiries) {
		const { externalId } = inquiry;
		if (typeof externalId === 'string' && externalId !== '') collect(byExternalId, externalId, inquiry);
		else anonymous.push(inquiry);
	}
	const unnamed = rows.filter(({ item }) => item.externalId === undefined || !byExternalId.has(item.externalId));
	const byBusiness = joinByBusiness(unnamed, anonymous);
	const taken = new Set<ListedInquiry>();

	const joined = rows.map(({ row, item }): JoinedRow => {
		const named = item.externalId === undefined ? undefined : byExternalId.get(item.externalId);
		if (named && named.length > 1)
			return { row, notJoinable: `${named.length} inquiries of the batch carry its external ID` };
		const inquiry = named?.[0] ?? byBusiness.get(row);
		if (!inquiry) return { row, notJoinable: whyNot(item, inquiries, anonymous) };
		taken.add(inquiry);
		return { row, inquiry, joinedBy: named ? 'externalId' : 'business' };
	});
	return { rows: joined, unmatched: inquiries.filter((inquiry) => !taken.has(inquiry)) };
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
const agrees = (item: InquiryItem, inquiry: ListedInquiry): boolean =>
	typeof inquiry.externalId !== 'string' || item.externalId === undefined || inquiry.externalId === item.externalId;

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
