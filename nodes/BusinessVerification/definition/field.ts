import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { orMade } from './orMade';
import { without } from './without';

/**
 * One parameter of an operation: how it looks in the editor and how its value is read. Both come from one call, so the
 * form, the check and the TypeScript type cannot disagree.
 */
export interface Field<T = unknown> {
	readonly property: Property;
	/** How it looks under other conditions. */
	readonly elsewhere?: Property;
	readonly schema: z.ZodType<T, z.ZodTypeDef, unknown>;
	/** Read as it is saved, its expressions unevaluated, by an operation that knows a cheaper way. */
	readonly isRaw?: true;
}

export type Property = Omit<INodeProperties, 'name'>;

/** The key is the parameter's name, saved in users' workflows. */
export type Fields = Record<string, Field>;

export type Input<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export interface Help {
	description?: string;
	placeholder?: string;
}

/** A field of one of n8n's types, blank unless the rest says otherwise. */
export const fieldOf = <T>(
	type: Property['type'],
	displayName: string,
	schema: Field<T>['schema'],
	more: Partial<Property> = {},
): Field<T> => ({ property: { displayName, type, default: '', ...more }, schema });

export const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Spreadsheets and expressions hand over numbers and booleans where text is meant. */
export const asText = (value: unknown) =>
	['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : value;

export const textSchema = z.preprocess(
	(value) => (isBlank(value) ? undefined : asText(value)),
	z.string({ required_error: 'is required', invalid_type_error: 'must be text' }),
);

export const text = (label: string, help: Help & { default?: string } = {}): Field<string> =>
	fieldOf('string', label, textSchema, { required: true, ...help });

/** What zod makes is dear, and most fields share what reads them: one for each schema, and for itself. */
const optionalSchemas = new WeakMap<Field['schema'], Field['schema']>();

function orAbsent(schema: Field['schema']): Field['schema'] {
	const made = orMade(optionalSchemas, schema, () =>
		z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional()),
	);
	return orMade(optionalSchemas, made, () => made);
}

/** A field that may stay empty; empty means absent, never an empty string on the wire. */
export const optional = <T>({ property, schema }: Field<T>): Field<T | undefined> => ({
	property: without(property, 'required'),
	schema: orAbsent(schema) as Field<T | undefined>['schema'],
});

/** A text that may stay empty. */
export const optionalText = (label: string, help: Help = {}) => optional(text(label, help));

type Optionals<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? Field<T | undefined> : never };

export const optionals = <F extends Fields>(fields: F): Optionals<F> =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as Optionals<F>;

const looking = <T>(field: Field<T>, otherwise: Partial<Property>): Field<T> => ({
	...field,
	property: { ...field.property, ...otherwise },
});

/** The same field where it means something else. */
export const explained = <T>(field: Field<T>, description: string): Field<T> => looking(field, { description });

type Bounds = Help & { default: number; min?: number; max?: number };

const anyNumber = z.number({ invalid_type_error: 'must be a number' });

export const number = (label: string, help: Bounds): Field<number> => bounded(label, help, anyNumber);

/** A span of time, of an hour at most. */
export const seconds = (label: string, initial: number, description: string): Field<number> =>
	number(`${label} (Seconds)`, { default: initial, min: 0, max: 3600, description });

export const whole = (label: string, help: Bounds): Field<number> =>
	bounded(label, help, anyNumber.int('must be a whole number'), { numberPrecision: 0 });

function bounded(
	label: string,
	{ min = -Infinity, max = Infinity, default: initial, ...help }: Bounds,
	base: z.ZodNumber,
	typeOptions: object = {},
): Field<number> {
	const schema = base.min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);
	const read = (value: unknown) => (isBlank(value) ? initial : typeof value === 'string' ? Number(value) : value);
	const bounds = { ...(min > -Infinity && { minValue: min }), ...(max < Infinity && { maxValue: max }) };
	const more = { default: initial, typeOptions: { ...typeOptions, ...bounds }, ...help };
	return fieldOf('number', label, z.preprocess(read, schema), more);
}

const words: Record<string, boolean> = { true: true, false: false };

const flagSchema = z.preprocess(
	(value) => !isBlank(value) && (words[String(value)] ?? value),
	z.boolean({ invalid_type_error: 'must be true or false' }),
);

/** Off unless it is turned on. */
export const flag = (label: string, description?: string): Field<boolean> =>
	fieldOf('boolean', label, flagSchema, { default: false, description });

/** Shows a field only where other parameters have these values; elsewhere it has its default, if that is a value at all. */
export const shown = <T>(when: Record<string, Array<string | boolean>>, field: Field<T>): Field<T | undefined> =>
	looking(field, { displayOptions: { show: when } });

/** Hidden as long as another parameter is blank; what it says has no effect then. */
export const shownWith = <T>(name: string, field: Field<T>): Field<T> =>
	looking(field, { displayOptions: { hide: { [name]: [''] } } });

/** Marked as required only where other parameters have these values: n8n takes two properties of one name for that. */
export const requiredWhere = <T>(
	where: Record<string, string[]>,
	elsewhere: Record<string, string[]>,
	field: Field<T>,
): Field<T | undefined> => ({
	...optional(field),
	property: { ...field.property, required: true, displayOptions: { show: where } },
	elsewhere: { ...without(field.property, 'required'), displayOptions: { show: elsewhere } },
});

/** A sentence among the fields, for what an input of n8n's own leaves unsaid. It holds no value. */
export const notice = (sentence: string): Field<unknown> => fieldOf('notice', sentence, z.unknown());
