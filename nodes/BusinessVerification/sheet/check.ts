import { Failure, type Json, type Settings } from '../kit/service';
import { saysSomething } from '../kit/collections';
import type { DateOrder } from '../kit/dates';
import { orMade } from '../kit/objects';
import { bothSpellings, isBlank, objectsIn, readObjects, readValue, reported, whyUnreadable } from '../kit/value';
import { einDigits, stateCode } from '../kit/unitedStates';
import { type Item } from '../document/vocabulary';
import { type InquiryItem, licenseFields, principalFields } from '../document/inquiries';
import { isRequired, lackingIn, missingIn, noValue, spelledLicense } from '../inquiry/newInquiry';
import type { Column, ColumnPlan, EntryColumns } from './columns';
import { headerKey, labelNamed } from './targets';
import { hasNumber, madeKey, placesOf, Row } from './row';

/** Reads the rows of a sheet: makes an inquiry of each, or says why it cannot be sent. */

export interface ImportSettings {
	dateOrder: DateOrder;
	licenseKeys?: Settings['licenseKeys'];
	/** 'Batch Name', with which the name of every batch begins. */
	name: string;
	/** As a row gives it. The first one decides. */
	nameIn?(index: number): string;
}

/** The result of one pass over a sheet. */
export interface SheetReport {
	plan: ColumnPlan;
	/** In the order of the sheet. */
	rows: Row[];
	/** Those that can be sent. */
	good: Row[];
	/** These, and those with IDs of their own that cannot be sent now: an earlier run may have sent them. */
	perhapsSent: Row[];
}

/** Rows per step. A step takes as long as reading a fifth of a row, so one step per row would be slow. */
const rowsOfStep = 16;

/** Reads the whole sheet, in steps. */
export function* checkSheet(
	rows: readonly Json[],
	plan: ColumnPlan,
	settings: ImportSettings,
): Generator<void, SheetReport> {
	const all: Row[] = [];
	const areNumbered = rows.every(hasNumber);
	for (let index = 0; index < rows.length; index++) {
		if (index % rowsOfStep === 0) yield;
		const row = new Row(index, rows[index], areNumbered);
		all.push(row);
		row.item = mapRow(plan, row, settings);
		reportMissing(plan, row);
		if (!row.isBlank) refuseOtherName(row, settings);
		row.hasOwnId = row.item.externalId !== undefined;
	}
	yield* refuseRepeated(all, plan, settings.name);
	const good = all.filter(({ standing }) => standing === 'new');
	const isPerhapsSent = (row: Row) => row.standing === 'bad' && row.hasOwnId;
	return { plan, rows: all, good, perhapsSent: [...good, ...all.filter(isPerhapsSent)] };
}

function refuseOtherName({ index, place }: Row, { name, nameIn = () => name }: ImportSettings): void {
	const given = nameIn(index);
	// The name may contain the time: then the first row gives another one now, too.
	const differs = given !== name && nameIn(0) === name;
	if (!differs && !noValue.test(name)) return;
	throw new Failure(`The Batch Name of ${place} is missing, or not that of the first row: '${given}'`, {
		parameter: 'name',
		description: 'Nothing was sent. Give all rows one name: under another one, they are submitted and billed again.',
		cause: 'configuration-invalid',
	});
}

function reportMissing(plan: ColumnPlan, row: Row): void {
	const { item, cells } = row;
	// What a principal or license lacks is reported where it is read.
	const missing = missingIn(item).filter(({ path }) => path.length === 1);
	// Sheets that were put together repeat their header, perhaps in other letters.
	const isHeader = ({ header }: { header: string }) =>
		typeof cells[header] === 'string' && headerKey(cells[header]) === headerKey(header);
	const first = plan.mapped.find(({ header, isFixed }) => !isFixed && !isBlank(cells[header]));
	if (missing.length === 0 && !(first && isHeader(first))) return;
	// A result of an earlier run is in no mapped column.
	row.isBlank = plan.mapped.every((column) => column.isFixed || isHeader(column) || isBlank(column.cellOf(row)));
	if (row.isBlank) return;
	for (const { path, reason } of missing) row.missing(headerOf(String(path[0]), plan), reason);
}

/** A total, a unit, or a note, as people write them below a header or a list. */
const isNoPlace = (text: string): boolean => /[\d()[\]{}<>?!:;=@]/.test(text) || text.split(/\s+/).length > 6;

/** Cells that pivot tables, lookups, statistics programs, and people have where there is no ID. */
const noId = /^(\(blank\)|nan|tb[acd]|unknown|pending|\?+|0+)$/i;

/** An ID in one form, however its accents and blanks are written. */
const idIn = (written: string): string | undefined =>
	noId.test(written) ? undefined : written.normalize().replace(/\s+/g, ' ');

/**
 * Of rows with the same business, only the first is sent: the same external ID, else the same EIN, else name and address.
 * Of rows with one ID that are different businesses, one would get the result of another, so none is sent, or matched by it.
 */
function* refuseRepeated(rows: readonly Row[], plan: ColumnPlan, importName: string): Generator<void> {
	const byBusiness = new Map<string, Row[]>();
	for (const row of rows) {
		if (row.index % rowsOfStep === 0) yield;
		if (!row.isBlank) orMade(byBusiness, businessIn(row.item)[1], () => []).push(row);
	}
	for (const those of byBusiness.values()) {
		if (those[0].index % rowsOfStep === 0) yield;
		if (those.length > 1 && those[0].hasOwnId && areDifferent(those)) {
			const reason = `is the same in ${placesOf(those)}, but the businesses differ, so none is sent or gets an earlier result`;
			for (const row of those) {
				row.hasOwnId = false;
				row.problem(headerOf('externalId', plan), reason);
			}
		}
		const [first, ...others] = those.filter(({ standing }) => standing === 'new');
		if (first === undefined) continue;
		for (const row of others) {
			const [field, , same = 'is the same'] = businessIn(row.item);
			row.problem(headerOf(field, plan), `${same} as in ${first.place}`);
			first.twins.push(row);
		}
		first.item.externalId ??= madeKey(first.item, importName);
	}
}

/** Whether another name, city, or state is in one of the rows. A row may lack one. */
const areDifferent = (rows: readonly Row[]): boolean =>
	[
		({ item: { businessName, businessDba } }: Row) => businessName ?? businessDba,
		({ item }: Row) => item.businessCity,
		({ item }: Row) => stateIn(item),
	].some((of) => new Set(rows.map((row) => headerKey(of(row) ?? '')).filter(Boolean)).size > 1);

/** `OR` and `Oregon` are one. */
const stateIn = ({ businessState = '' }: InquiryItem): string => stateCode(businessState) ?? businessState;

/** What identifies a business, and the field to name if another row has the same. */
function businessIn(item: InquiryItem): [field: string, business: string, same?: string] {
	const { externalId, businessEin, businessName, businessDba } = item;
	// Exactly as written: the short IDs of some CRMs differ by case only.
	if (externalId !== undefined) return ['externalId', `ID ${externalId}`];
	const ein = einDigits(businessEin ?? '');
	if (ein !== undefined) return ['businessEin', `EIN ${ein}`];
	const parts = ['name', businessName ?? businessDba, item.businessAddressLine1, item.businessAddressLine2];
	parts.push(item.businessCity, stateIn(item), item.businessZip);
	const field = businessName === undefined ? 'businessDba' : 'businessName';
	return [field, parts.join('\n').toLowerCase(), 'and address are the same'];
}

/** How the cells of a row are read. */
type CellSettings = Omit<ImportSettings, 'name'>;

/** Not by `reported`, for which each cell would need two functions of its own. */
function readColumn(column: Column, row: Row, { dateOrder }: CellSettings): unknown {
	try {
		return readValue(column.cellOf(row), column.kind, dateOrder);
	} catch (error) {
		return row.problem(column.header, whyUnreadable(error));
	}
}

/** The row as a create-inquiry item. What cannot be read is a problem of the row. */
export function mapRow(plan: ColumnPlan, row: Row, settings: CellSettings): InquiryItem {
	const item: Item = {};
	for (const part of plan.parts) {
		const value = 'groups' in part ? readEntryColumns(part, row, settings) : readCell(part, row, settings);
		if (value !== undefined) item[part.key] = value;
	}
	return item;
}

function readCell(column: Column, row: Row, settings: CellSettings): unknown {
	const value = readColumn(column, row, settings) as string | undefined;
	if (value === undefined) return undefined;
	if (column.key === 'externalId') return idIn(value);
	if (column.key === 'businessState' && isNoPlace(value))
		return row.problem(column.header, 'is not a state such as IL or Illinois');
	return value;
}

function readEntryColumns({ key, json, groups }: EntryColumns, row: Row, settings: CellSettings): Item[] | undefined {
	const entries = (json && readJson(key, json, row, settings)) ?? [];
	const reportLacking = (entry: Item, number: number, columns: readonly Column[] = []) => {
		for (const name of lackingIn(entry, key)) {
			const column = columns.find((one) => one.key === name);
			row.missing(column?.header ?? labelNamed(`${key.slice(0, -1)}${number}_${name}`), isRequired);
		}
	};
	// An entry of a JSON list is counted from 1.
	entries.forEach((entry, index) => reportLacking(entry, index + 1));
	for (const columns of groups) {
		const entry = readGroup(columns, row, settings);
		if (entry === undefined) continue;
		entries.push(entry);
		reportLacking(entry, columns[0].number, columns);
	}
	if (entries.length === 0) return undefined;
	return key === 'licenses' ? entries.map((entry) => spelledLicense(entry, settings.licenseKeys)) : entries;
}

/** One numbered principal or license; undefined if its columns say nothing, so that no empty entry is sent. */
function readGroup(columns: readonly Column[], row: Row, settings: CellSettings): Item | undefined {
	const entry: Item = {};
	for (const column of columns) {
		const value = readColumn(column, row, settings);
		if (value !== undefined) entry[column.key] = value;
	}
	return saysSomething(entry) ? entry : undefined;
}

/** Principals or licenses in one cell, as JSON text or as a list. Unknown keys are sent unchanged. */
function readJson(key: EntryColumns['key'], column: Column, row: Row, settings: CellSettings): Item[] | undefined {
	const value = column.cellOf(row);
	if (isBlank(value)) return undefined;
	const entries = objectsIn(value);
	if (entries === undefined) return row.problem(column.header, `is not a JSON list of ${key}`);
	return reported(
		() => readObjects(entries, knownKeys[key], settings.dateOrder),
		(reason) => row.problem(column.header, reason),
	);
}

const knownKeys = { principals: bothSpellings(principalFields), licenses: bothSpellings(licenseFields) };

/** The header of a field, or its label where no column is mapped to it. */
const headerOf = (field: string, { mapped }: ColumnPlan): string =>
	mapped.find(({ name }) => name === field)?.header ?? labelNamed(field);
