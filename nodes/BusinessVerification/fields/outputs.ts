import { choice, type Input, list, optional, shown } from '../kit/field';
import type { Json } from '../kit/service';
import { isObject } from '../document/vocabulary';

/** n8n's guidelines for nodes ask for these two choices. */
const wholeRecord = {
	simplified: ['Simplified', 'The most used fields'],
	raw: ['Raw', 'All fields that the service returned'],
} as const;

export const outputs = {
	output: choice(
		'Output',
		{ ...wholeRecord, selectedFields: ['Selected Fields', 'Only the fields that you list'] },
		'Which fields to return',
	),
	outputFields: shown(
		{ output: ['selectedFields'] },
		optional(
			list('Output Fields', {
				description:
					"Fields to return, separated by commas. Use dots for nested fields, as in 'businesses.name'. The ID is always included, and a field that the record lacks is null.",
				placeholder: 'e.g. status, completedAt, businesses.name',
			}),
		),
	),
};

export type Outputs = Partial<Input<typeof outputs>>;

export const triggerOutput = choice('Output', wholeRecord, 'Which fields to return');

/** Each kind of record has its own, so that `inView` can serve them all. */
export interface View {
	/** Returned even if it is not selected, because later nodes need it. */
	id: string;
	/** All fields of the service, with those that this node adds. */
	raw(record: Json): Json;
	/** The most used fields, without nesting. */
	simplified(record: Json): Json;
}

export function inView(record: Json, { output = 'simplified', outputFields = [] }: Outputs, view: View): Json {
	if (output !== 'selectedFields') return view[output](record);
	const paths = [view.id, ...outputFields].map((field) => field.split('.').map((name) => name.trim()));
	return selected({ ...view.simplified(record), ...view.raw(record) }, paths) as Json;
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
