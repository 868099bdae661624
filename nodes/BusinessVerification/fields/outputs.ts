import { choice, type Field, type Input, list, shown } from '../kit/field';
import { Failure, type Json } from '../kit/service';
import { pathOf, selected, unknownIn } from '../kit/objects';

/** What of a record comes out, as n8n's guide for nodes has it. */
const wholeRecord = {
	simplified: ['Simplified', 'The most used fields'],
	raw: ['Raw', 'Everything the service sent'],
} as const;

const fieldNames = list('Output Fields', {
	description:
		"Names separated by commas. A point leads into a field or a list: 'businesses.name'. The ID is always included.",
	placeholder: 'e.g. status, completedAt, businesses.name',
});

const filled: Field<string[]> = {
	property: { ...fieldNames.property, required: true },
	schema: fieldNames.schema.refine((names) => names.length > 0, 'is required'),
};

export const outputs = {
	output: choice(
		'Output',
		{ ...wholeRecord, selectedFields: ['Selected Fields', 'Only the fields that you name'] },
		'Which fields come out',
		'asWritten',
	),
	outputFields: shown({ output: ['selectedFields'] }, filled),
};

export type Outputs = Partial<Input<typeof outputs>>;

/** Where nobody is there to correct a name. */
export const triggerOutput = choice('Output', wholeRecord, 'Which fields come out', 'asWritten');

/** A record of the service, and what is made of it for people. */
export interface View {
	/** Always put out. */
	id: string;
	/** Names that a record may have although the one at hand has not. */
	known: readonly string[];
	/** With what we say of it beside the service's own fields. */
	raw(record: Json): Json;
	/** The most used first, flat. */
	simplified(record: Json): Json;
}

/** Records of one answer in the form the user chose. Together, because one may have what another has not. */
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
	const place = within.length === 0 ? 'the answer' : `'${within.join('.')}'`;
	throw new Failure(`'Output Fields' names '${path.join('.')}', which is not in ${place}`, {
		parameter: 'outputFields',
		cause: 'configuration-invalid',
		description: names.length === 0 ? `${place} holds no fields.` : `Known in ${place}: ${names.join(', ')}.`,
	});
}
