import { choice, type Field, type Input, list, shown } from '../definition';

/** What of a record comes out, as n8n's guide for nodes has it. */
const whole = {
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
		{ ...whole, selectedFields: ['Selected Fields', 'Only the fields that you name'] },
		'Which fields come out',
		'asWritten',
	),
	outputFields: shown({ output: ['selectedFields'] }, filled),
};

export type Outputs = Partial<Input<typeof outputs>>;

/** Where nobody is there to correct a name. */
export const triggerOutput = choice('Output', whole, 'Which fields come out', 'asWritten');
