import { licenseNames, businessNames } from '../document/inquiries';
import { snakeCased } from '../document/vocabulary';
import { few, orMade } from '../kit/objects';
import { filledIn, hasNothingOf, isExpression, referenceIn, unclear } from '../kit/reading';
import { Failure, type Json, type Service } from '../kit/service';
import { isBlank } from '../kit/value';
import { inquiryTargets, isList, labelNamed, type Target, targetNamed, targetOfHeader } from './targets';
import type { Mapping } from './importFields';
import { ownNumber, type Row } from './row';

/** The plan of a sheet: which column fills in which field, from the headers or from a mapping by hand. */

/** Where the value of a field comes from. */
interface Source {
	/** Of a column of the sheet, else the label of the field. */
	header: string;
	cellOf: (row: Row) => unknown;
	/** By an expression or a fixed value of the mapping. */
	isMade?: boolean;
	/** The same for all rows, so that it says nothing about one. */
	isFixed?: boolean;
}

export interface Column extends Target, Source {}

/** The principals or licenses of a row: those in a column with JSON, then the numbered ones. */
export interface EntryColumns {
	key: 'principals' | 'licenses';
	json: Column | undefined;
	groups: Column[][];
}

export interface ColumnPlan {
	/** Every column used. */
	mapped: Column[];
	/** Headers that match no target. */
	ignored: string[];
	/** Targets that several headers match; only `used` is read. */
	ambiguous: Array<{ target: string; used: string; unused: string[] }>;
	/** Entries of a manual mapping without such a column. */
	refused: Array<{ target: string; header: string }>;
	/** Required targets without a column. If there is one, no row can be valid. */
	missing: Target[];
	/** What an inquiry is made of, in the order of its keys. So moving a column changes neither the request nor a hash. */
	parts: Array<Column | EntryColumns>;
}

/** Throws if the sheet has no column for a required field. */
export function planOf(rows: readonly Json[], mapping: Mapping | undefined, service: Service): ColumnPlan {
	const headers = collectHeaders(rows);
	const isModel = service.intentions !== undefined;
	if (mapping === undefined) return complete(planColumns(headers), isModel ? 'rows' : 'headers');
	const given = new Map<string, Source>();
	for (const [target, saved] of Object.entries(mapping.value)) {
		const fixed = filledIn(saved, undefined);
		if (isBlank(fixed)) continue;
		// A reference to the item, as in {{ $json.City }}, names a column, and so does a text that is its header, typed instead
		// of dragged. Any other value makes a further column.
		const names = referenceIn(saved) ?? headers.filter((header) => header === fixed);
		const evaluated = ({ index }: Row) => {
			const value = service.evaluate(`columns.value.${target}`, index);
			// 'crm-' alone would be the ID of every row without one.
			return target === 'externalId' && hasNothingOf(String(saved), value) ? undefined : value;
		};
		const isFixed = fixed !== unclear;
		const made = { header: labelNamed(target), cellOf: isFixed ? () => fixed : evaluated, isMade: true, isFixed };
		given.set(target, names.length === 1 ? columnUnder(names[0]) : made);
	}
	// An empty field is matched by its header, unless the user removed it.
	const isOffered = ({ name, group }: Target) => {
		const field = mapping.schema.find(({ id }) => id === name);
		return field === undefined ? group === 'inquiry' : field.removed !== true;
	};
	const plan = planColumns(headers, given, isOffered);
	const expressions = Object.values(mapping.value).filter(isExpression).join();
	return complete(
		{ ...plan, ignored: plan.ignored.filter((header) => !expressions.includes(header)) },
		isModel ? 'rows' : 'mapping',
	);
}

/** How a required field is filled in, by where it comes from. A model gives rows, and cannot choose another way. */
const howToFill = {
	rows: "Give every row these fields in 'rowsJson', then call again.",
	headers: "Rename a column, or set 'Columns' to 'Map Manually' and fill in these fields.",
	mapping: "Fill in these fields under 'Values to Send'.",
};

function complete(plan: ColumnPlan, from: keyof typeof howToFill): ColumnPlan {
	const { missing, ignored, ambiguous, refused } = plan;
	const ids = ambiguous.find(({ target }) => target === 'externalId');
	// With the other one, all rows would be new, and billed.
	if (ids !== undefined)
		throw new Failure(`Two columns can be the External ID: ${few([ids.used, ...ids.unused])}`, {
			parameter: 'columns',
			description: "Nothing was sent. Rename the one that is not, or set 'Columns' to 'Map Manually' and choose.",
			cause: 'configuration-invalid',
		});
	if (missing.length === 0) return plan;
	const isModel = from === 'rows';
	const hasFields = isModel || plan.mapped.length + ignored.length > 0;
	const next = hasFields ? howToFill[from] : "The items have no fields. Read a file with 'Extract from File' first.";
	const advice = refused.length === 0 ? next : `${refused.map(refusalOf).join(' ')} Map it again.`;
	throw new Failure(`No column was found for ${missing.map(({ label }) => `'${label}'`).join(' and ')}`, {
		parameter: 'columns',
		facts: ignored.length === 0 ? undefined : `Columns not used: ${few(ignored)}.`,
		description: `Nothing was sent. ${advice}`,
		cause: isModel ? undefined : 'configuration-invalid',
	});
}

export const refusalOf = ({ target, header }: ColumnPlan['refused'][number]): string =>
	`'${header}' was not mapped to '${labelNamed(target)}': the sheet has no column of this name.`;

/** Headers of all rows, because the first row may lack a column that a later one has. */
export function collectHeaders(rows: Iterable<Json>): string[] {
	const headers = new Set<string>();
	for (const row of rows) for (const header of Object.keys(row)) headers.add(header);
	// Each header takes time to match, during which n8n can do nothing else.
	if (headers.size <= 2_000) return [...headers];
	throw new Failure(`The sheet has ${headers.size.toLocaleString('en-US')} columns, and at most 2,000 can be read`, {
		description:
			"Nothing was submitted. Keep only the columns of the businesses, for example with n8n's 'Edit Fields' node.",
		cause: 'configuration-invalid',
	});
}

/**
 * `given` leads from targets to their sources. Of the other targets, those that `isOpen` admits are matched by the headers
 * that were not given, because their columns would be sent twice.
 */
export function planColumns(
	headers: string[],
	given: ReadonlyMap<string, Source> = new Map(),
	isOpen: (target: Target) => boolean = () => true,
): ColumnPlan {
	const inSheet = new Set(headers);
	const taken = new Set([...given.values()].map(({ header }) => header));
	const isFree = (target: Target) => !given.has(target.name) && isOpen(target);
	const free = headers.filter((header) => !taken.has(header));
	const { sources, ambiguous } = matchHeaders(free, given, isFree);
	const refused: ColumnPlan['refused'] = [];
	const mapped: Column[] = [];
	for (const [name, source] of sources) {
		const target = targetNamed(name);
		const isThere = source.isMade === true || inSheet.has(source.header);
		if (target && isThere) mapped.push({ ...target, ...source });
		else refused.push({ target: name, header: source.header });
	}
	const known = new Set([
		ownNumber,
		...mapped.flatMap(({ isMade, header }) => (isMade ? [] : header)),
		...ambiguous.flatMap(({ unused }) => unused),
	]);
	const has = (name: string) => mapped.some((column) => column.name === name);
	const missing = inquiryTargets.filter(({ name, required }) => required && !has(name));
	if (!businessNames.some(has)) missing.unshift(inquiryTargets[0]);
	const lists = [entriesOf(mapped, 'principal'), entriesOf(mapped, 'license')];
	return {
		mapped,
		ignored: headers.filter((header) => !known.has(header)),
		ambiguous,
		refused,
		missing,
		parts: byKey([
			...mapped.filter((column) => column.group === 'inquiry' && !isList(column)),
			...lists.filter(({ json, groups }) => json !== undefined || groups.length > 0),
		]),
	};
}

/** Every object inherits properties such as `constructor`, which may be headers too. */
export const columnUnder = (header: string): Source => ({
	header,
	cellOf: ({ cells }) => (Object.hasOwn(cells, header) ? cells[header] : undefined),
});

const byKey = <T extends { key: string }>(parts: T[]): T[] => parts.sort((a, b) => (a.key < b.key ? -1 : 1));

function entriesOf(mapped: Column[], group: 'principal' | 'license'): EntryColumns {
	const key = `${group}s` as const;
	const columns = mapped.filter((column) => column.group === group);
	const numbers = [...new Set(columns.map(({ number }) => number))].sort((a, b) => a - b);
	const groups = numbers.map((number) => byKey(columns.filter((column) => column.number === number)));
	return { key, json: mapped.find(({ name }) => name === key), groups };
}

/** What a person or a license cannot be sent without. */
const needed: Record<string, readonly string[]> = { principal: ['lastName'], license: licenseNames.map(snakeCased) };

/** The source of each target, also of those given. Of several headers for one, the others are named in `ambiguous`. */
function matchHeaders(headers: string[], given: ReadonlyMap<string, Source>, isFree: (target: Target) => boolean) {
	const found = new Map<string, Array<{ header: string; rank: number }>>();
	for (const header of headers) {
		const match = targetOfHeader(header);
		if (match && isFree(match.target)) orMade(found, match.target.name, () => []).push({ header, rank: match.rank });
	}
	const sources = new Map(given);
	const ambiguous: ColumnPlan['ambiguous'] = [];
	for (const [target, rivals] of found) {
		// Not by their place, which changes where n8n leaves empty cells out and rows are sorted.
		rivals.sort((one, other) => one.rank - other.rank || (one.header < other.header ? -1 : 1));
		const strong = rivals.filter(({ rank }) => rank < 4 || rivals[0].rank === 4);
		const [used, ...unused] = strong.map(({ header }) => header);
		sources.set(target, columnUnder(used));
		if (unused.length > 0) ambiguous.push({ target, used, unused });
	}
	// "Owner Email" or "License Number" alone would make every row wrong: it is not sent.
	for (const target of found.keys()) {
		const [, entry, group] = /^((principal|license)\d+)_/.exec(target) ?? [];
		if (needed[group]?.some((name) => !sources.has(`${entry}_${name}`))) sources.delete(target);
	}
	return { sources, ambiguous: ambiguous.filter(({ target }) => sources.has(target)) };
}
