import type { Problem } from '../definition';
import type { InquiryItem, Item } from '../document';
import { readValue } from '../values/value';
import type { Column, ColumnGroup, ColumnPlan, Row } from './columns';
import { licenseKey, readEntries } from './entries';
import type { Findings } from './findings';

/** One row as a create-inquiry item. What was changed, and what cannot be sent, goes to the findings. */
export function mapRow(row: Row, plan: ColumnPlan, findings: Findings): InquiryItem {
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
function readGroup(row: Row, group: ColumnGroup, findings: Findings): Item | undefined {
	const entry: Item = {};
	let filled = false;
	for (const column of group.columns) {
		const value = readValue(cellOf(row, column), column.field.kind, column, findings);
		if (value === undefined) continue;
		const { key } = column.field;
		entry[column.group === 'license' ? licenseKey(key, findings.settings.licenseKeys) : key] = value;
		// An unticked checkbox column says "no" in every row; that alone is not a principal.
		if (value !== false) filled = true;
	}
	return filled ? entry : undefined;
}

const cellOf = (row: Row, { header, isInherited }: Column): unknown =>
	isInherited && !Object.hasOwn(row, header) ? undefined : row[header];

/** The header behind a field of the item just mapped, or the target's name where no column is mapped to it. */
export function columnOfField([field, place, key]: Problem['path'], plan: ColumnPlan, { sources }: Findings): string {
	const headerOf = (target: string) => plan.mapped.find(({ name }) => name === target)?.header ?? target;
	if (typeof place !== 'number') return headerOf(String(field));
	const list = field as keyof typeof sources;
	const source = sources[list][place];
	return plan[list].some(({ name }) => name === source) ? headerOf(`${source}_${key}`) : source;
}
