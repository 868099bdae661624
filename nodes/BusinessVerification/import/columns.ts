import { businessNames } from '../document';
import { inquiryTargets, type Target, targetNamed, targetOfHeader } from './targets';

/** One row of a sheet: its cells by header. */
export type Row = Record<string, unknown>;

export interface Column extends Target {
	header: string;
	/** Its place in the plan, where its changes are counted. */
	index: number;
	/** A name that every object inherits: a row without this column still answers to it. */
	isInherited: boolean;
}

/** The columns of one numbered principal or license. */
export interface ColumnGroup {
	name: string;
	columns: Column[];
}

export interface ColumnPlan {
	/** Every column used, in the order of the sheet. */
	mapped: Column[];
	/** Headers that no target was found for. */
	ignored: string[];
	/** Targets that several headers were found for; only `used` is read. */
	ambiguous: Array<{ target: string; used: string; unused: string[] }>;
	/** Entries of an explicit mapping that cannot be followed. */
	refused: Array<{ target: string; header: string; reason: string }>;
	/** Required targets without a column: with any of these no row can be valid. */
	missing: string[];
	inquiry: Column[];
	principals: ColumnGroup[];
	licenses: ColumnGroup[];
}

/** The headers of all rows in order of appearance: a row may lack a column, and a later one bring a new one. */
export function collectHeaders(rows: Iterable<Row>): string[] {
	const headers = new Set<string>();
	for (const row of rows) for (const header of Object.keys(row)) headers.add(header);
	return [...headers];
}

/** Decides once what each column means: by its header, or as the mapping (target to header) says. */
export function planColumns(headers: string[], mapping?: Record<string, string>): ColumnPlan {
	return mapping ? planByMapping(headers, mapping) : planByHeader(headers);
}

interface Choice {
	header: string;
	target: Target;
}

function planByHeader(headers: string[]): ColumnPlan {
	const ignored: string[] = [];
	const found = new Map<string, Array<Choice & { outright: boolean }>>();
	for (const header of headers) {
		const match = targetOfHeader(header);
		if (match === undefined) ignored.push(header);
		else found.set(match.target.name, [...(found.get(match.target.name) ?? []), { header, ...match }]);
	}

	const chosen: Choice[] = [];
	const ambiguous: ColumnPlan['ambiguous'] = [];
	for (const [target, rivals] of found) {
		// "Name" may be a contact's: it yields to "Business Name", wherever that stands.
		const used = rivals.find(({ outright }) => outright) ?? rivals[0];
		chosen.push(used);
		const unused = rivals.filter((rival) => rival !== used).map(({ header }) => header);
		if (unused.length > 0) ambiguous.push({ target, used: used.header, unused });
	}
	return compile(headers, chosen, { ignored, ambiguous, refused: [] });
}

function planByMapping(headers: string[], mapping: Record<string, string>): ColumnPlan {
	const chosen: Choice[] = [];
	const refused: ColumnPlan['refused'] = [];
	for (const [name, header] of Object.entries(mapping)) {
		if (header === '') continue;
		const target = targetNamed(name);
		const reason = target ? 'the sheet has no column of this name' : 'is not a field that can be filled';
		if (target && headers.includes(header)) chosen.push({ header, target });
		else refused.push({ target: name, header, reason });
	}
	const ignored = headers.filter((header) => !chosen.some((choice) => choice.header === header));
	return compile(headers, chosen, { ignored, ambiguous: [], refused });
}

type Leftovers = Pick<ColumnPlan, 'ignored' | 'ambiguous' | 'refused'>;

function compile(headers: string[], chosen: Choice[], leftovers: Leftovers): ColumnPlan {
	const mapped = chosen
		.sort((a, b) => headers.indexOf(a.header) - headers.indexOf(b.header))
		.map(({ header, target }, index) => ({ ...target, header, index, isInherited: header in Object.prototype }));
	const has = (name: string) => mapped.some((column) => column.name === name);
	const missing = inquiryTargets.filter(({ key, required }) => required && !has(key)).map(({ key }) => key);
	if (!businessNames.some(has)) missing.unshift(businessNames[0]);
	return {
		mapped,
		...leftovers,
		missing,
		// In one order, so that moving a column changes neither what is sent nor its hash: the one in which rows are hashed.
		inquiry: byKey(mapped.filter(({ group }) => group === 'inquiry')),
		principals: groups(mapped, 'principal'),
		licenses: groups(mapped, 'license'),
	};
}

const byKey = (columns: Column[]): Column[] => [...columns].sort((a, b) => (a.field.key < b.field.key ? -1 : 1));

function groups(mapped: Column[], group: 'principal' | 'license'): ColumnGroup[] {
	const columns = mapped.filter((column) => column.group === group);
	const numbers = [...new Set(columns.map(({ number }) => number))].sort((a, b) => a - b);
	return numbers.map((number) => ({
		name: `${group}${number}`,
		columns: byKey(columns.filter((column) => column.number === number)),
	}));
}
