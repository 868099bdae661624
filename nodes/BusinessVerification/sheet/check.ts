import { Failure, type Json, type Service } from '../kit/service';
import { few } from '../kit/objects';
import { isExpression, referenceIn } from '../kit/reading';
import type { Mapping } from './fields';
import { collectHeaders, type Column, type ColumnPlan, planColumns, type SheetRow } from './columns';
import type { InquiryItem } from '../document/inquiries';
import { type CheckCount, CheckCounter, validateInquiry } from '../inquiry/newInquiry';
import {
	type ChangeCount,
	columnOfField,
	Findings,
	type MappingSettings,
	mapRow,
	numberOf,
	type RowProblem,
} from './rows';
import { GoodRows } from './goodRows';

export interface Sheet {
	/** As they are in the input, and in the output. */
	rows: readonly Json[];
	/** With a further column for each fixed value and each expression of the mapping. */
	cells: readonly Json[];
	plan: ColumnPlan;
}

export function sheetOf(rows: readonly Json[], given: Mapping | undefined, service: Service): Sheet {
	const headers = collectHeaders(rows);
	if (given === undefined) return planned({ rows, cells: rows, plan: planColumns(headers) });
	const { value: mapped } = given;
	const mapping: Record<string, string> = {};
	const made: Array<{ target: string; header: string; isExpression: boolean }> = [];
	for (const [target, saved] of Object.entries(mapped)) {
		if (saved === null || saved === undefined || saved === '') continue;
		// A reference to the item, as in {{ $json.City }}, names a column; any other value is added as a column.
		const [named, ...deeper] = referenceIn(saved) ?? [];
		const isColumn = named !== undefined && deeper.length === 0;
		const header = isColumn ? named : freeHeader(target, headers);
		mapping[target] = header;
		if (!isColumn) made.push({ target, header, isExpression: isExpression(saved) });
	}
	Object.assign(mapping, understood(headers, mapping, given));
	if (made.length === 0) return planned({ rows, cells: rows, plan: planColumns(headers, mapping) });

	const cells = rows.map((row, index) => {
		const filled: Json = { ...row };
		for (const { target, header, isExpression } of made) {
			filled[header] = isExpression ? service.evaluate(`columns.value.${target}`, index) : mapped[target];
		}
		return filled;
	});
	return planned({ rows, cells, plan: planColumns([...headers, ...made.map(({ header }) => header)], mapping) });
}

/** Matches the empty fields by headers, without the columns that the user has mapped, which would be sent twice. */
function understood(headers: string[], mapping: Record<string, string>, { schema }: Mapping): Record<string, string> {
	const taken = new Set(Object.values(mapping));
	const left = planColumns(headers.filter((header) => !taken.has(header))).mapped;
	const isOffered = ({ name, group }: Column): boolean => {
		const field = schema.find(({ id }) => id === name);
		return field === undefined ? group === 'inquiry' : field.removed !== true;
	};
	return Object.fromEntries(
		left.filter((column) => !(column.name in mapping) && isOffered(column)).map(({ name, header }) => [name, header]),
	);
}

/** Not always the target's name, because the sheet may have a column of that name which is mapped elsewhere. */
const freeHeader = (target: string, headers: readonly string[]): string =>
	headers.includes(target) ? freeHeader(`${target} (mapped)`, headers) : target;

function planned(sheet: Sheet): Sheet {
	const { missing, ignored } = sheet.plan;
	if (missing.length === 0) return sheet;
	const unread = ignored.length === 0 ? '' : ` Columns that were not recognized: ${few(ignored)}.`;
	const dba = missing.some(({ key }) => key === 'businessName') ? " A 'Business DBA' column also works." : '';
	throw new Failure(`The sheet has no column for ${missing.map(({ label }) => `'${label}'`).join(' and ')}`, {
		parameter: 'columns',
		description: `Nothing was sent. Rename a column, or set 'Columns' to 'Map Manually'.${dba}${unread}`,
		cause: 'configuration-invalid',
	});
}

type Field = 'externalId' | 'businessEin' | 'businessName' | 'businessDba';

interface Repeated {
	row: number;
	field: Field;
}

/** Finds rows with the same business: the same external ID, else the same EIN, else the same name and full address. */
export class Duplicates {
	private readonly byId = new Map<string, number>();
	private readonly byEin = new Map<string, number>();
	private readonly byName = new Map<string, number>();

	/** Returns the earlier row that this one repeats, and the field they share. */
	see(item: InquiryItem, row: number): Repeated | undefined {
		const { externalId, businessEin, businessName, businessDba } = item;
		// Exactly as written: the short IDs of some CRMs differ by case only.
		if (externalId !== undefined) return seen(this.byId, externalId, row, 'externalId');
		const ein = businessEin?.replace(/\D/g, '') ?? '';
		// An EIN without digits, such as N/A, does not identify a business.
		if (ein !== '') return seen(this.byEin, ein, row, 'businessEin');
		const parts = [businessName ?? businessDba, item.businessAddressLine1, item.businessAddressLine2];
		parts.push(item.businessCity, item.businessState, item.businessZip);
		const field = businessName === undefined ? 'businessDba' : 'businessName';
		return seen(this.byName, parts.join('\n').toLowerCase(), row, field);
	}
}

function seen(rows: Map<string, number>, key: string, row: number, field: Field): Repeated | undefined {
	const earlier = rows.get(key);
	if (earlier !== undefined) return { row: earlier, field };
	rows.set(key, row);
	return undefined;
}

export function repetition(field: Field, row: number): string {
	if (field === 'externalId') return `is the same as in row ${row}`;
	return field === 'businessEin' ? `is the same as in row ${row}` : `and address are the same as in row ${row}`;
}

export interface ImportSettings extends MappingSettings {
	/** 'Batch Name', with which the name of every batch begins. */
	name: string;
	allowsDuplicates?: boolean;
	dryRun?: boolean;
}

/** The result of one pass over a sheet. Holds row numbers and no items, to keep memory small. */
export interface SheetReport {
	good: GoodRows;
	/** All problems of all bad rows, in the order of the sheet. */
	problems: RowProblem[];
	/** Rows with nothing in any mapped column. */
	blankRows: number[];
	/** Good rows without an external ID although the sheet has a column for it. Their results may not be matched. */
	rowsWithoutId: number[];
	changes: ChangeCount[];
	/** The checks that the good rows would turn on; counted in a dry run only, because nothing else reports them. */
	checks: CheckCount[];
}

/** Rows per step. A step takes as long as reading a fifth of a row, so one step per row would be slow. */
const rowsOfStep = 16;

/** Reads the whole sheet once, in steps. Every row is in `good`, in `problems`, or in `blankRows`. */
export function* checkSheet(
	rows: readonly SheetRow[],
	plan: ColumnPlan,
	settings: ImportSettings,
): Generator<void, SheetReport> {
	const findings = new Findings(plan, settings);
	const duplicates = new Duplicates();
	const checks = new CheckCounter();
	const good: number[] = [];
	const blankRows: number[] = [];
	const rowsWithoutId: number[] = [];
	const hasIds = plan.mapped.some(({ name }) => name === 'externalId');

	for (let index = 0; index < rows.length; index++) {
		if (index % rowsOfStep === 0) yield;
		const row = index + 1;
		const before = findings.problems.length;
		findings.row = row;
		const item = mapRow(rows[index], plan, findings);
		// If a required column is missing, every row is blank or bad, and reporting blank rows would hide the cause.
		if (plan.missing.length === 0 && findings.problems.length === before && isEmpty(item)) {
			blankRows.push(row);
			continue;
		}
		addBrokenRules(item, plan, findings, before);
		if (findings.problems.length > before) continue;
		const repeated = settings.allowsDuplicates ? undefined : duplicates.see(item, row);
		if (repeated) {
			const header = columnOfField([repeated.field], plan, findings);
			findings.problem({ header }, repetition(repeated.field, numberOf(rows, repeated.row)));
			continue;
		}
		if (hasIds && item.externalId === undefined) rowsWithoutId.push(row);
		if (settings.dryRun) checks.add(item);
		good.push(row);
	}
	// `itemOf` reads rows a second time, and its findings are in the report already.
	const unheard = new Findings(plan, settings);
	const itemOf = (row: number) => mapRow(rows[row - 1], plan, unheard);
	return {
		good: new GoodRows(settings.name, good, itemOf),
		problems: findings.problems,
		blankRows,
		rowsWithoutId,
		changes: findings.changeCounts(),
		checks: checks.counts(),
	};
}

function isEmpty(item: InquiryItem): boolean {
	for (const _ in item) return false;
	return true;
}

/** A cell that could not be read is not reported a second time as missing. */
function addBrokenRules(item: InquiryItem, plan: ColumnPlan, findings: Findings, before: number): void {
	const broken = validateInquiry(item);
	if (broken.length === 0) return;
	const unreadable = findings.problems.slice(before).map(({ column }) => column);
	for (const { path, reason } of broken) {
		const column = columnOfField(path, plan, findings);
		if (!unreadable.includes(column)) findings.problem({ header: column }, reason);
	}
}
