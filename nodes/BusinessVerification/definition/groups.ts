import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { alphabetically } from './alphabetical';
import { type Field, fieldOf, type Fields, type Help, type Input, optionals, type Property } from './field';
import { without } from './without';

/** n8n marks an empty text as wrong as soon as the field is shown: what is added begins as JSON with nothing in it. */
type JsonHelp = Help & { default?: string };

/** JSON typed as text, or the object itself from an expression. */
function json<T>(label: string, schema: z.ZodType<T, z.ZodTypeDef, unknown>, help: JsonHelp): Field<T> {
	const read = z.unknown().transform((value, context) => {
		if (typeof value !== 'string') return value;
		try {
			return JSON.parse(value) as unknown;
		} catch {
			context.addIssue({ code: 'custom', message: 'is not valid JSON' });
			return z.NEVER;
		}
	});
	return fieldOf('json', label, read.pipe(schema), help);
}

export const jsonObject = (label: string, help: JsonHelp = {}) =>
	json(label, z.record(z.unknown(), { invalid_type_error: 'must be a JSON object' }), help);

export const jsonObjects = (label: string, help: JsonHelp = {}) =>
	json(label, z.array(z.record(z.unknown()), { invalid_type_error: 'must be a JSON list of objects' }), help);

type Loose<F extends Fields> = Partial<Input<F>>;

/** A group of optional fields behind an "Add" button, in the order in which people tell them. What is not added is absent. */
export const collection = <F extends Fields>(label: string, fields: F, placeholder = 'Add Field'): Field<Loose<F>> =>
	added(label, fields, placeholder, looseShape(fields));

const added = <T>(label: string, fields: Fields, placeholder: string, members: z.ZodRawShape): Field<T> => {
	const options = Object.entries(fields).map(([name, { property }]) => named(name, without(property, 'required')));
	return fieldOf('collection', label, grouped<T>(members), { placeholder, default: {}, options });
};

const named = (name: string, property: Property) => ({ ...property, name }) as INodeProperties;

/** Settings behind an "Add" button, which nobody tells in an order: they are looked up. What is not added has its default. */
export const settings = <F extends Fields>(label: string, fields: F): Field<Input<F>> =>
	added(label, sorted(fields), 'Add Option', shape(fields));

/** A list of small forms. One with nothing in it is no row: a record without a principal fills a principal's form with nothing. */
export function rows<F extends Fields>(label: string, singular: string, fields: F, help: Help = {}) {
	const schema = rowList<Loose<F>>(looseShape(fields)).transform((list) => list.filter(isFilled));
	return rowsField(label, singular, fields, help, schema);
}

/** A list of small forms in which every field has to be filled: a blank one is refused, never left out. */
export const filledRows = <F extends Fields>(label: string, singular: string, fields: F, help: Help = {}) =>
	rowsField(label, singular, fields, help, rowList<Input<F>>(shape(fields)));

const rowsField = <T>(label: string, singular: string, fields: Fields, help: Help, schema: Field<T>['schema']) => {
	// A small form keeps its order and says what it needs.
	const values = Object.entries(fields).map(([name, { property }]) => named(name, property));
	return fieldOf('fixedCollection', label, schema, {
		typeOptions: { multipleValues: true },
		placeholder: `Add ${singular}`,
		default: {},
		options: [{ displayName: singular, name: 'row', values }],
		...help,
	});
};

const rowList = <R>(row: z.ZodRawShape) =>
	z.preprocess(
		(value) => (Array.isArray(value) ? value : ((value as { row?: unknown } | undefined | null)?.row ?? [])),
		z.array(z.object(row)),
	) as unknown as z.ZodType<R[], z.ZodTypeDef, unknown>;

/** A switch that nobody touched says false; that alone fills nothing. */
const isFilled = (row: object) => Object.values(row).some((value) => value !== undefined && value !== false);

const grouped = <T>(members: z.ZodRawShape) =>
	z.preprocess((value) => value ?? {}, z.object(members)) as unknown as Field<T>['schema'];

/** What a column mapper saves: an expression or a fixed value for each target. */
export interface Mapping {
	value: Record<string, unknown>;
}

/** Sheet columns to fields, one by one. */
export const mapper = (label: string, resourceMapperMethod: string, help: Help = {}): Field<Mapping> => ({
	...fieldOf('resourceMapper', label, mapping, {
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
	}),
	isRaw: true,
});

const mapping = z.object({ value: z.preprocess((value) => value ?? {}, z.record(z.unknown())) });

/** In alphabetical order; whole objects, which are for few, at the end. */
const sorted = (fields: Fields): Fields =>
	Object.fromEntries(
		Object.entries(fields).sort(([, { property: a }], [, { property: b }]) =>
			(a.type === 'json') === (b.type === 'json')
				? alphabetically(a.displayName, b.displayName)
				: Number(a.type === 'json') - Number(b.type === 'json'),
		),
	);

const shape = (fields: Fields) =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));

const looseShape = (fields: Fields) => shape(optionals(fields));
