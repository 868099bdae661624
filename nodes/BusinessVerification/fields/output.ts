import { choice, type Field, type Input, list, shown } from '../definition';

/** What of a record comes out, as n8n's guide for nodes has it. */
const simplified = {
	name: 'Simplified',
	value: 'simplified',
	description: 'The most used fields, in a flat form',
} as const;
const raw = { name: 'Raw', value: 'raw', description: 'Everything the service said' } as const;

const fieldNames = list('Output Fields', {
	description:
		"Comma-separated names; the ID is always among them. A point leads into a field, also where it is a list: 'businesses.name'.",
	placeholder: 'e.g. status, completedAt, businesses.name',
});

const filled: Field<string[]> = {
	property: { ...fieldNames.property, required: true },
	schema: fieldNames.schema.refine((names) => names.length > 0, 'is required'),
};

export const outputs = {
	output: choice(
		'Output',
		[
			simplified,
			raw,
			{ name: 'Selected Fields', value: 'selectedFields', description: 'The fields you name, in the form they have' },
		],
		{ default: 'simplified' },
	),
	outputFields: shown({ output: ['selectedFields'] }, filled),
};

export type Outputs = Partial<Input<typeof outputs>>;

/** Where nobody is there to correct a name. */
export const triggerOutput = choice('Output', [simplified, raw], { default: 'simplified' });
