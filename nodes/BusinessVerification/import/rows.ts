import type { Item } from '../document/vocabulary';
import type { InquiryItem } from '../document/inquiry';
import { readValue, type ReadingSettings } from '../values/value';
import type { Column, ColumnGroup, ColumnPlan, Row } from './columns';
import { licenseKey, type LicenseKeys, readEntries } from './entries';
import type { Findings } from './findings';

export type { InquiryItem };

export interface MappingSettings extends ReadingSettings {
	licenseKeys?: LicenseKeys;
}

/** One row as a create-inquiry item. What was changed, and what cannot be sent, goes to the findings. */
export function mapRow(row: Row, plan: ColumnPlan, settings: MappingSettings, findings: Findings): InquiryItem {
	const item: Item = {};
	const principals: Item[] = [];
	const licenses: Item[] = [];
	findings.principalSources = [];
	findings.licenseSources = [];

	for (const column of plan.inquiry) {
		const { kind, key } = column.field;
		const cell = cellOf(row, column);
		if (kind === 'principals' || kind === 'licenses') {
			const sources = kind === 'principals' ? findings.principalSources : findings.licenseSources;
			for (const entry of readEntries(cell, kind, column, settings, findings) ?? []) {
				(kind === 'principals' ? principals : licenses).push(entry);
				sources.push(column.header);
			}
			continue;
		}
		const value = readValue(cell, kind, column, settings, findings);
		if (value !== undefined) item[key] = value;
	}
	for (const group of plan.principals) readGroup(row, group, settings, findings, principals, findings.principalSources);
	for (const group of plan.licenses) readGroup(row, group, settings, findings, licenses, findings.licenseSources);

	if (principals.length > 0) item.principals = principals;
	if (licenses.length > 0) item.licenses = licenses;
	return item;
}

/** Reads the columns of one numbered principal or license; blank columns make none. */
function readGroup(
	row: Row,
	group: ColumnGroup,
	settings: MappingSettings,
	findings: Findings,
	entries: Item[],
	sources: string[],
): void {
	const entry: Item = {};
	let filled = false;
	for (const column of group.columns) {
		const value = readValue(cellOf(row, column), column.field.kind, column, settings, findings);
		if (value === undefined) continue;
		const { key } = column.field;
		entry[column.group === 'license' ? licenseKey(key, settings.licenseKeys) : key] = value;
		// An unticked checkbox column says "no" in every row; that alone is not a principal.
		if (value !== false) filled = true;
	}
	if (!filled) return;
	entries.push(entry);
	sources.push(group.name);
}

const cellOf = (row: Row, { header, isInherited }: Column): unknown =>
	isInherited && !Object.hasOwn(row, header) ? undefined : row[header];

/** The header behind a field of the item just mapped, or the target's name where no column is mapped to it. */
export function columnOfField(field: string, plan: ColumnPlan, findings: Findings): string {
	const [, list, place, key] = /^(principals|licenses)\[(\d+)\](?:\.(\w+))?$/.exec(field) ?? [];
	if (list === undefined) return headerOf(plan, field);
	const source = (list === 'principals' ? findings.principalSources : findings.licenseSources)[Number(place)];
	const grouped = plan.principals.concat(plan.licenses).some(({ name }) => name === source);
	return grouped ? headerOf(plan, `${source}_${key}`) : source;
}

function headerOf(plan: ColumnPlan, target: string): string {
	return plan.mapped.find(({ name }) => name === target)?.header ?? target;
}
