import {
	type Column,
	type ColumnGroup,
	type ColumnPlan,
	labelNamed,
	licenseTargets,
	ownNumber,
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

/** The number in messages: `row_number` of the row, else its line in a file whose first line is the header. */
export function numberOf(rows: readonly SheetRow[], row: number): number {
	const own = rows[row - 1]?.[ownNumber];
	return typeof own === 'number' && Number.isInteger(own) && own > 0 ? own : row + 1;
}

/** For rows from a list without a header line, where row 1 is the first line and not the second. */
export const numbered = (rows: readonly SheetRow[]): SheetRow[] =>
	rows.map((row, index) => ({ ...row, [ownNumber]: index + 1 }));

/** Why a row cannot be sent. Never contains a value of the row, because values identify people. */
export interface RowProblem {
	/** 1 for the first row below the headers. */
	row: number;
	/** The header, or the label of the field where no column is mapped to it. */
	column: string;
	reason: string;
}

export interface ChangeCount {
	column: string;
	change: Change;
	cells: number;
	firstRow: number;
}

/** The API documentation has the keys of a license in snake case for "create", in camel case for "add license". */
type LicenseKeys = 'snakeCase' | 'camelCase';

export interface MappingSettings extends ReadingSettings {
	licenseKeys?: LicenseKeys;
}

/** The findings of one pass over the rows. Changes are counted per column, so memory does not grow with the sheet. */
export class Findings implements Listener {
	/** The row being read. */
	row = 1;
	readonly problems: RowProblem[] = [];
	/** For each principal and license of this row: the name of its column group, or the header of its JSON. */
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

const camelCaseKey: Record<string, string> = Object.fromEntries(licenseNames.map((key) => [snakeCased(key), key]));

const knownPrincipalKeys: KnownKeys = new Map(principalTargets.map(({ key, kind }) => [key, { kind, name: key }]));

const knownLicenseKeys = (style: LicenseKeys | undefined): KnownKeys =>
	new Map(
		licenseTargets.flatMap(({ key, kind }) =>
			[key, camelCaseKey[key]].map((spelled) => [spelled, { kind, name: licenseKey(key, style) }] as const),
		),
	);

const licenseKey = (key: string, style: LicenseKeys | undefined): string =>
	style === 'camelCase' ? camelCaseKey[key] : key;

/** Principals or licenses in one cell, as JSON text or as a list. Unknown keys are sent unchanged. */
export function readEntries(value: unknown, kind: 'principals' | 'licenses', place: Place, findings: Findings): Item[] {
	if (value === undefined) return [];
	if (value === null || (typeof value === 'string' && value.trim() === ''))
		return findings.change(place, 'blankDropped') ?? [];
	const known = kind === 'principals' ? knownPrincipalKeys : knownLicenseKeys(findings.settings.licenseKeys);
	const entries = readObjects(value, known, place, findings);
	return entries ?? findings.problem(place, `is not a JSON list of ${kind}`) ?? [];
}

/** One row as a create-inquiry item. Changes and problems go to `findings`. */
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

/** One numbered principal or license; undefined if its columns are blank, so that no empty entry is sent. */
function readGroup(row: SheetRow, group: ColumnGroup, findings: Findings): Item | undefined {
	const entry: Item = {};
	let filled = false;
	for (const column of group.columns) {
		const value = readValue(cellOf(row, column), column.field.kind, column, findings);
		if (value === undefined) continue;
		const { key } = column.field;
		entry[column.group === 'license' ? licenseKey(key, findings.settings.licenseKeys) : key] = value;
		// Checkbox columns are false in every row, and a role may be fixed for all rows: neither makes a principal.
		if (value !== false && !sayNothingAlone.includes(key)) filled = true;
	}
	return filled ? entry : undefined;
}

const cellOf = (row: SheetRow, { header, isInherited }: Column): unknown =>
	isInherited && !Object.hasOwn(row, header) ? undefined : row[header];

/** The header behind a field of the item just mapped, or the label of the field where no column is mapped to it. */
export function columnOfField([field, place, key]: Problem['path'], plan: ColumnPlan, { sources }: Findings): string {
	const headerOf = (target: string) => plan.mapped.find(({ name }) => name === target)?.header ?? labelNamed(target);
	if (typeof place !== 'number') return headerOf(String(field));
	const list = field as keyof typeof sources;
	const source = sources[list][place];
	return plan[list].some(({ name }) => name === source) ? headerOf(`${source}_${key}`) : source;
}
