import {
	type Column,
	type ColumnGroup,
	type ColumnPlan,
	licenseTargets,
	principalTargets,
	type SheetRow,
} from './columns';
import {
	type Change,
	changes,
	type KnownKeys,
	type Listener,
	type Place,
	type ReadingSettings,
	readObjects,
	readValue,
} from '../kit/value';
import { type Item, snakeCased } from '../document/vocabulary';
import { type InquiryItem, licenseNames, sayNothingAlone } from '../document/inquiries';
import type { Problem } from '../kit/reading';

/** Where n8n reads a sheet row by row, it says by this which row of the sheet it is. */
const ownNumber = 'row_number';

/** The number by which people find a row: the sheet's own, else counted below the headers. */
export function numberOf(rows: readonly SheetRow[], row: number): number {
	const own = rows[row - 1]?.[ownNumber];
	return typeof own === 'number' && Number.isInteger(own) && own > 0 ? own : row;
}

/** For sentences; in a file that numbers no rows the headers are the first line. */
export function rowNamed(rows: readonly SheetRow[], row: number): string {
	return ownNumber in (rows[row - 1] ?? {})
		? `row ${numberOf(rows, row)}`
		: `row ${row} (line ${row + 1} with the header)`;
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Why a row cannot be sent. Never holds a value of the row. */
export interface RowProblem {
	/** 1 for the first row below the headers. */
	row: number;
	/** The header, or the name of the target where no column is mapped to it. */
	column: string;
	reason: string;
}

export interface ChangeCount {
	column: string;
	change: Change;
	cells: number;
	firstRow: number;
}

/** How the keys of a license are spelled inside a create request: as the document prints them, or as in "add license". */
export type LicenseKeys = 'snakeCase' | 'camelCase';

export interface MappingSettings extends ReadingSettings {
	licenseKeys?: LicenseKeys;
}

/** What one pass over the rows found. Counts changes per column, so its size does not grow with the sheet. */
export class Findings implements Listener {
	/** The row being read. */
	row = 1;
	readonly problems: RowProblem[] = [];
	/** Where each principal and license of the row being read came from: a group of columns, or a column of JSON. */
	sources: Record<'principals' | 'licenses', string[]> = { principals: [], licenses: [] };

	readonly settings: MappingSettings;
	private readonly cells: Uint32Array;
	private readonly firstRows: Uint32Array;

	constructor(
		private readonly plan: ColumnPlan,
		settings: MappingSettings,
	) {
		this.settings = { dateOrder: undefined, ...settings };
		this.cells = new Uint32Array(plan.mapped.length * changes.length);
		this.firstRows = new Uint32Array(plan.mapped.length * changes.length);
	}

	change({ index }: Place, change: Change): undefined {
		const slot = index * changes.length + changes.indexOf(change);
		if (this.cells[slot]++ === 0) this.firstRows[slot] = this.row;
	}

	problem({ header }: Pick<Place, 'header'>, reason: string): undefined {
		this.problems.push({ row: this.row, column: header, reason });
	}

	changeCounts(): ChangeCount[] {
		return this.plan.mapped.flatMap(({ header, index }) =>
			changes.flatMap((change, place) => {
				const slot = index * changes.length + place;
				return this.cells[slot] === 0
					? []
					: [{ column: header, change, cells: this.cells[slot], firstRow: this.firstRows[slot] }];
			}),
		);
	}
}

export const camelCaseKey: Record<string, string> = Object.fromEntries(
	licenseNames.map((key) => [snakeCased(key), key]),
);

const knownPrincipalKeys: KnownKeys = new Map(principalTargets.map(({ key, kind }) => [key, { kind, name: key }]));

const knownLicenseKeys = (style: LicenseKeys | undefined): KnownKeys =>
	new Map(
		licenseTargets.flatMap(({ key, kind }) =>
			[key, camelCaseKey[key]].map((spelled) => [spelled, { kind, name: licenseKey(key, style) }] as const),
		),
	);

export const licenseKey = (key: string, style: LicenseKeys | undefined): string =>
	style === 'camelCase' ? camelCaseKey[key] : key;

/** Principals or licenses that stand in one cell, as JSON text or as a list. Keys we do not know pass through unchanged. */
export function readEntries(value: unknown, kind: 'principals' | 'licenses', place: Place, findings: Findings): Item[] {
	if (value === undefined) return [];
	if (value === null || (typeof value === 'string' && value.trim() === ''))
		return findings.change(place, 'blankDropped') ?? [];
	const known = kind === 'principals' ? knownPrincipalKeys : knownLicenseKeys(findings.settings.licenseKeys);
	const entries = readObjects(value, known, place, findings);
	return entries ?? findings.problem(place, `is not JSON of ${kind}: a list of objects is expected`) ?? [];
}

/** One row as a create-inquiry item. What was changed, and what cannot be sent, goes to the findings. */
export function mapRow(row: SheetRow, plan: ColumnPlan, findings: Findings): InquiryItem {
	const item: Item = {};
	const lists = { principals: [] as Item[], licenses: [] as Item[] };
	findings.sources = { principals: [], licenses: [] };

	for (const column of plan.inquiry) {
		const { kind, key } = column.field;
		const cell = cellOf(row, column);
		if (kind === 'principals' || kind === 'licenses') {
			const entries = readEntries(cell, kind, column, findings);
			lists[kind].push(...entries);
			findings.sources[kind].push(...entries.map(() => column.header));
			continue;
		}
		const value = readValue(cell, kind, column, findings);
		if (value !== undefined) item[key] = value;
	}
	for (const list of ['principals', 'licenses'] as const) {
		for (const group of plan[list]) {
			const entry = readGroup(row, group, findings);
			if (entry === undefined) continue;
			lists[list].push(entry);
			findings.sources[list].push(group.name);
		}
		if (lists[list].length > 0) item[list] = lists[list];
	}
	return item;
}

/** Reads the columns of one numbered principal or license; blank columns make none. */
function readGroup(row: SheetRow, group: ColumnGroup, findings: Findings): Item | undefined {
	const entry: Item = {};
	let filled = false;
	for (const column of group.columns) {
		const value = readValue(cellOf(row, column), column.field.kind, column, findings);
		if (value === undefined) continue;
		const { key } = column.field;
		entry[column.group === 'license' ? licenseKey(key, findings.settings.licenseKeys) : key] = value;
		// An unticked checkbox column says "no" in every row, and a role may be fixed for all; neither is a principal.
		if (value !== false && !sayNothingAlone.includes(key)) filled = true;
	}
	return filled ? entry : undefined;
}

const cellOf = (row: SheetRow, { header, isInherited }: Column): unknown =>
	isInherited && !Object.hasOwn(row, header) ? undefined : row[header];

/** The header behind a field of the item just mapped, or the target's name where no column is mapped to it. */
export function columnOfField([field, place, key]: Problem['path'], plan: ColumnPlan, { sources }: Findings): string {
	const headerOf = (target: string) => plan.mapped.find(({ name }) => name === target)?.header ?? target;
	if (typeof place !== 'number') return headerOf(String(field));
	const list = field as keyof typeof sources;
	const source = sources[list][place];
	return plan[list].some(({ name }) => name === source) ? headerOf(`${source}_${key}`) : source;
}
