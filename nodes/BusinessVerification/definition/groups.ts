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

/** A group of optional fields behind an "Add" button, in the order in which people tell them. What is not added is absent. */
export const collection = <F extends Fields>(label: string, fields: F, placeholder = 'Add Field'): Field<Loose<F>> => ({
	property: {
		displayName: label,
		type: 'collection',
		placeholder,
		default: {},
		options: Object.entries(fields).map(([name, field]) => ({ ...optional(field).property, name }) as INodeProperties),
	},
	schema: grouped(looseShape(fields)),
});

/** Settings behind an "Add" button, which nobody tells in an order: they are looked up. What is not added has its default. */
export const settings = <F extends Fields>(label: string, fields: F): Field<Input<F>> => ({
	...collection(label, sorted(fields), 'Add Option'),
	schema: grouped(shape(fields)),
});

/** A list of small forms. One with nothing in it is no row: a record without a principal fills a principal's form with nothing. */
export function rows<F extends Fields>(label: string, singular: string, fields: F, help: Help = {}) {
	const schema = rowList<Loose<F>>(looseShape(fields)).transform((list) => list.filter(isFilled));
	return rowsField(label, singular, fields, help, schema);
}

/** A list of small forms in which every field has to be filled: a blank one is refused, never left out. */
export const filledRows = <F extends Fields>(label: string, singular: string, fields: F, help: Help = {}) =>
	rowsField(label, singular, fields, help, rowList<Input<F>>(shape(fields)));

const rowsField = <T>(label: string, singular: string, fields: Fields, help: Help, schema: Field<T>['schema']) => ({
	property: {
		displayName: label,
		type: 'fixedCollection' as const,
		typeOptions: { multipleValues: true },
		placeholder: `Add ${singular}`,
		default: {},
		options: [{ displayName: singular, name: 'row', values: propertiesIn(fields) }],
		...help,
	},
	schema,
});

const rowList = <R>(row: z.ZodRawShape) =>
	z.preprocess(
		(value) => (Array.isArray(value) ? value : ((value as { row?: unknown } | undefined | null)?.row ?? [])),
		z.array(z.object(row)),
	) as unknown as z.ZodType<R[], z.ZodTypeDef, unknown>;

/** A switch that nobody touched says false; that alone fills nothing. */
const isFilled = (row: object) => Object.values(row).some((value) => value !== undefined && value !== false);

/** A small form keeps its order and says what it needs. */
const propertiesIn = (fields: Fields) =>
	Object.entries(fields).map(([name, { property }]) => ({ ...property, name }) as INodeProperties);

const grouped = <T>(members: z.ZodRawShape) =>
	z.preprocess((value) => value ?? {}, z.object(members)) as unknown as Field<T>['schema'];

/** What a column mapper saves: an expression or a fixed value for each target. */
export interface Mapping {
	value: Record<string, unknown>;
}

/** Sheet columns to fields, one by one. */
export function mapper(label: string, resourceMapperMethod: string, help: Help = {}): Field<Mapping> {
	return {
		property: {
			displayName: label,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			required: true,
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod,
					mode: 'add',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					supportAutoMap: false,
				},
			},
			...help,
		},
		schema: z.object({
			value: z.preprocess((value) => value ?? {}, z.record(z.unknown())),
		}),
		isRaw: true,
	};
}

/** In alphabetical order; whole objects, which are for few, at the end. */
const sorted = (fields: Fields): Fields =>
	Object.fromEntries(
		Object.entries(fields).sort(([, { property: a }], [, { property: b }]) =>
			(a.type === 'json') === (b.type === 'json')
				? a.displayName.localeCompare(b.displayName)
				: Number(a.type === 'json') - Number(b.type === 'json'),
		),
	);

const shape = (fields: Fields) =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));

const looseShape = (fields: Fields) =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field).schema]));
