import { checked, choice, type Input, list, optional, shown } from '../kit/field';
import { Failure, type Json } from '../kit/service';
import { isObject } from '../document/vocabulary';

/** n8n's guidelines for nodes ask for these two choices. */
const wholeRecord = {
	simplified: ['Simplified', 'The most used fields'],
	raw: ['Raw', 'All fields that the service returned'],
} as const;

const fieldNames = list('Output Fields', {
	description:
		"Fields to return, separated by commas. Use dots for nested fields, as in 'businesses.name'. The ID is always included.",
	placeholder: 'e.g. status, completedAt, businesses.name',
	required: true,
});

const readNames = checked(fieldNames.read, (names) => names.length > 0, 'is required');

export const outputs = {
	output: choice(
		'Output',
		{ ...wholeRecord, selectedFields: ['Selected Fields', 'Only the fields that you list'] },
		'Which fields to return',
		'asWritten',
	),
	outputFields: shown({ output: ['selectedFields'] }, { ...fieldNames, read: readNames }),
};

/** The same among the options, where n8n reads a hidden field, too: `refuseNothingSelected` requires it. */
export const outputOptions = {
	output: outputs.output,
	outputFields: shown({ output: ['selectedFields'] }, optional(fieldNames)),
};

/** Before anything is submitted, because an error after that would hide what was. */
export function refuseNothingSelected({ output, outputFields = [] }: Outputs): void {
	if (output !== 'selectedFields' || outputFields.length > 0) return;
	throw new Failure("'Output Fields' is required", { parameter: 'options.outputFields' });
}

export type Outputs = Partial<Input<typeof outputs>>;

/** Without selected fields, because in a trigger nobody would see the error of a mistyped name at once. */
export const triggerOutput = choice('Output', wholeRecord, 'Which fields to return', 'asWritten');

/** Each kind of record has its own, so that `inView` can serve them all. */
export interface View {
	/** Returned even if it is not selected, because later nodes need it. */
	id: string;
	/** May be selected even if none of the records has them. */
	known: readonly string[];
	/** All fields of the service, with those that this node adds. */
	raw(record: Json): Json;
	/** The most used fields, without nesting. */
	simplified(record: Json): Json;
}

/** All records of a response together, because a selected field may exist in some of them only. */
export function inView(
	records: readonly Json[],
	{ output = 'simplified', outputFields = [] }: Outputs,
	view: View,
): Json[] {
	if (output === 'simplified') return records.map((record) => view.simplified(record));
	if (output === 'raw') return records.map((record) => view.raw(record));
	const whole = records.map((record) => ({ ...view.simplified(record), ...view.raw(record) }));
	const paths = [view.id, ...outputFields].map((field) => field.split('.').map((name) => name.trim()));
	for (const path of paths) refuseUnknown(whole, path, view.known);
	return whole.map((record) => selected(record, paths) as Json);
}

/** Leads to a part of a record, also through lists: `businesses.name` is the name of each business. */
type FieldPath = readonly string[];

/** The parts at the paths, nested as in the record; null for a part that is missing. */
function selected(value: unknown, paths: readonly FieldPath[]): unknown {
	if (paths.some((path) => path.length === 0)) return value ?? null;
	if (Array.isArray(value)) return value.map((entry) => selected(entry, paths));
	if (!isObject(value)) return null;
	const names = [...new Set(paths.map(([name]) => name))];
	return Object.fromEntries(
		names.map((name) => {
			const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
			return [name, selected(Object.hasOwn(value, name) ? value[name] : undefined, inside)];
		}),
	);
}

/** Throws if a name of the path is in none of the records. Where they have nothing, any name may be right. */
function refuseUnknown(records: readonly Json[], path: FieldPath, known: readonly string[]): void {
	let reached: readonly unknown[] = records;
	for (const [depth, name] of path.entries()) {
		const entries = reached.flat(Infinity).filter((entry) => entry !== null && entry !== undefined);
		if (entries.length === 0) return;
		const objects = entries.filter(isObject);
		const names = new Set([...(depth === 0 ? known : []), ...objects.flatMap((entry) => Object.keys(entry))]);
		// An empty object does not show which names it can have.
		if (names.size === 0 && objects.length > 0) return;
		if (!names.has(name)) throw unknownField(path, depth, [...names].sort());
		reached = objects.map((entry) => entry[name]);
	}
}

function unknownField(path: FieldPath, depth: number, names: string[]): Failure {
	const where = depth === 0 ? 'the response' : `'${path.slice(0, depth).join('.')}'`;
	return new Failure(`'Output Fields' lists '${path.join('.')}', which is not in ${where}`, {
		parameter: 'outputFields',
		cause: 'configuration-invalid',
		description: names.length === 0 ? `There are no fields in ${where}.` : `Fields in ${where}: ${names.join(', ')}.`,
	});
}
