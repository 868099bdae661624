import { choice, type Field, type Input, list, shown } from '../kit/field';
import { Failure, type Json } from '../kit/service';
import { pathOf, selected, unknownIn } from '../kit/objects';

/** n8n's guidelines for nodes ask for these two choices. */
const wholeRecord = {
	simplified: ['Simplified', 'The most used fields'],
	raw: ['Raw', 'All fields that the service returned'],
} as const;

const fieldNames = list('Output Fields', {
	description:
		"Fields to return, separated by commas. Use dots for nested fields, as in 'businesses.name'. The ID is always included.",
	placeholder: 'e.g. status, completedAt, businesses.name',
});

const filled: Field<string[]> = {
	property: { ...fieldNames.property, required: true },
	schema: fieldNames.schema.refine((names) => names.length > 0, 'is required'),
};

export const outputs = {
	output: choice(
		'Output',
		{ ...wholeRecord, selectedFields: ['Selected Fields', 'Only the fields that you list'] },
		'Which fields to return',
		'asWritten',
	),
	outputFields: shown({ output: ['selectedFields'] }, filled),
};

export type Outputs = Partial<Input<typeof outputs>>;

/** Without selected fields, because in a trigger nobody would see the error of a mistyped name at once. */
export const triggerOutput = choice('Output', wholeRecord, 'Which fields to return', 'asWritten');

/** How a record is output, for each choice of `outputs`. */
export interface View {
	/** Always returned. */
	id: string;
	/** Fields that some records lack. */
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
	const paths = [view.id, ...outputFields].map(pathOf);
	for (const path of paths) refuseUnknown(whole, path, view);
	return whole.map((record) => selected(record, paths) as Json);
}

function refuseUnknown(records: readonly Json[], path: readonly string[], { known }: View): void {
	const unknown = unknownIn(records, path, known);
	if (unknown === undefined) return;
	const { within, names } = unknown;
	const place = within.length === 0 ? 'the response' : `'${within.join('.')}'`;
	throw new Failure(`'Output Fields' lists '${path.join('.')}', which is not in ${place}`, {
		parameter: 'outputFields',
		cause: 'configuration-invalid',
		description: names.length === 0 ? `There are no fields in ${place}.` : `Fields in ${place}: ${names.join(', ')}.`,
	});
}
