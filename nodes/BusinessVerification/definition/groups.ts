import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { type Field, type Fields, type Help, type Input, optional } from './field';

/** Fields that hold other fields, or whole objects. */

/** JSON typed as text, or the object itself from an expression. */
function jsonSchema<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>) {
	return z
		.unknown()
		.transform((value, context) => {
			if (typeof value !== 'string') return value;
			try {
				return JSON.parse(value) as unknown;
			} catch {
				context.addIssue({ code: 'custom', message: 'is not valid JSON' });
				return z.NEVER;
			}
		})
		.pipe(schema);
}

export function jsonObject(label: string, help: Help = {}): Field<Record<string, unknown>> {
	return {
		property: { displayName: label, type: 'json', default: '', ...help },
		schema: jsonSchema(z.record(z.unknown(), { invalid_type_error: 'must be a JSON object' })),
	};
}

export function jsonObjects(label: string, help: Help = {}): Field<Array<Record<string, unknown>>> {
	return {
		property: { displayName: label, type: 'json', default: '', ...help },
		schema: jsonSchema(z.array(z.record(z.unknown()), { invalid_type_error: 'must be a JSON list of objects' })),
	};
}

type Loose<F extends Fields> = Partial<Input<F>>;

/** A group of optional fields behind an "Add" button. */
export function collection<F extends Fields>(label: string, fields: F, placeholder = 'Add Field'): Field<Loose<F>> {
	return {
		property: {
			displayName: label,
			type: 'collection',
			placeholder,
			default: {},
			options: sorted(fields).map(([name, field]) => ({ ...optional(field).property, name }) as INodeProperties),
		},
		schema: z.preprocess((value) => value ?? {}, z.object(shape(fields))) as unknown as Field<Loose<F>>['schema'],
	};
}

/** A list of small forms. */
export function rows<F extends Fields>(
	label: string,
	singular: string,
	fields: F,
	help: Help = {},
): Field<Array<Loose<F>>> {
	const rowSchema = z.object(shape(fields));
	return {
		property: {
			displayName: label,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: `Add ${singular}`,
			default: {},
			options: [
				{
					displayName: singular,
					name: 'row',
					values: sorted(fields).map(([name, field]) => ({ ...optional(field).property, name }) as INodeProperties),
				},
			],
			...help,
		},
		schema: z.preprocess((value) => {
			if (Array.isArray(value)) return value;
			return (value as { row?: unknown } | undefined)?.row ?? [];
		}, z.array(rowSchema)) as unknown as Field<Array<Loose<F>>>['schema'],
	};
}

/** What a column mapper saves: nothing but its mode, or an expression or a fixed value for each target. */
export interface Mapping {
	mappingMode: 'autoMapInputData' | 'defineBelow';
	value: Record<string, unknown>;
}

/** Sheet columns to fields: by their headers, or one by one. */
export function mapper(label: string, resourceMapperMethod: string, help: Help = {}): Field<Mapping> {
	return {
		property: {
			displayName: label,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'autoMapInputData', value: null },
			required: true,
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod,
					mode: 'add',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					supportAutoMap: true,
				},
			},
			...help,
		},
		schema: z.object({
			mappingMode: z.enum(['autoMapInputData', 'defineBelow']).default('autoMapInputData'),
			value: z.preprocess((value) => value ?? {}, z.record(z.unknown())),
		}),
		isRaw: true,
	};
}

// n8n's lint wants long lists in alphabetical order; so do readers.
const sorted = (fields: Fields) =>
	Object.entries(fields).sort(([, a], [, b]) => a.property.displayName.localeCompare(b.property.displayName));

const shape = (fields: Fields) =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field).schema]));
