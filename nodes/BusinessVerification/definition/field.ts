import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { separator } from '../document';
import { without } from './without';

/**
 * One parameter of an operation: how it looks in the editor and how its value is read. Both come from one call, so the
 * form, the check and the TypeScript type cannot disagree.
 */
export interface Field<T = unknown> {
	readonly property: Omit<INodeProperties, 'name'>;
	/** How it looks under other conditions. */
	readonly elsewhere?: Omit<INodeProperties, 'name'>;
	readonly schema: z.ZodType<T, z.ZodTypeDef, unknown>;
	/** Read as it is saved, its expressions unevaluated, by an operation that knows a cheaper way. */
	readonly isRaw?: true;
}

/** The key is the parameter's name, saved in users' workflows. */
export type Fields = Record<string, Field>;

export type Input<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export interface Help {
	description?: string;
	placeholder?: string;
	hint?: string;
}

export const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Spreadsheets and expressions hand over numbers and booleans where text is meant. */
const asText = (value: unknown) =>
	typeof value === 'number' || typeof value === 'boolean'
		? String(value)
		: typeof value === 'string'
			? value.trim()
			: value;

export const textSchema = z.preprocess(
	(value) => (isBlank(value) ? undefined : asText(value)),
	z.string({ required_error: 'is required', invalid_type_error: 'must be text' }),
);

export function text(label: string, help: Help & { default?: string } = {}): Field<string> {
	return { property: { displayName: label, type: 'string', default: '', required: true, ...help }, schema: textSchema };
}

/** A field that may stay empty; empty means absent, never an empty string on the wire. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
	return {
		property: without(field.property, 'required'),
		schema: z.preprocess((value) => (isBlank(value) ? undefined : value), field.schema.optional()),
	};
}

type Optionals<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? Field<T | undefined> : never };

export const optionals = <F extends Fields>(fields: F): Optionals<F> =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as Optionals<F>;

/** The same field where it means something else. */
export const explained = <T>(field: Field<T>, description: string): Field<T> => ({
	...field,
	property: { ...field.property, description },
});

type Bounds = Help & { default: number; min?: number; max?: number };

export const number = (label: string, help: Bounds): Field<number> =>
	bounded(label, help, z.number({ invalid_type_error: 'must be a number' }));

export function whole(label: string, help: Bounds): Field<number> {
	const schema = z.number({ invalid_type_error: 'must be a number' }).int('must be a whole number');
	return bounded(label, help, schema, { numberPrecision: 0 });
}

function bounded(
	label: string,
	{ min, max, default: initial, ...rest }: Bounds,
	base: z.ZodNumber,
	typeOptions: object = {},
): Field<number> {
	let schema = base;
	if (min !== undefined) schema = schema.min(min, `must be at least ${min}`);
	if (max !== undefined) schema = schema.max(max, `must be at most ${max}`);
	return {
		property: {
			displayName: label,
			type: 'number',
			default: initial,
			typeOptions: { ...typeOptions, minValue: min, maxValue: max },
			...rest,
		},
		schema: z.preprocess((value) => {
			if (isBlank(value)) return initial;
			return typeof value === 'string' ? Number(value) : value;
		}, schema),
	};
}

export function flag(label: string, help: Help & { default?: boolean }): Field<boolean> {
	const { default: initial = false, ...rest } = help;
	return {
		property: { displayName: label, type: 'boolean', default: initial, ...rest },
		schema: z.preprocess(
			(value) => {
				if (isBlank(value)) return initial;
				return value === 'true' ? true : value === 'false' ? false : value;
			},
			z.boolean({ invalid_type_error: 'must be true or false' }),
		),
	};
}

/** The service takes several values in one text. */
const joinable = z
	.string({ required_error: 'is required', invalid_type_error: 'must be text' })
	.refine((entry) => !entry.includes(separator), 'must not hold commas: the service separates entries by them');

export const listSchema = z.preprocess((value) => {
	if (isBlank(value)) return [];
	const entries = Array.isArray(value) ? value : String(value).split(separator);
	return entries.map(asText).filter((entry) => !isBlank(entry));
}, z.array(joinable));

/** Comma-separated text or a list from an expression. */
export function list(label: string, help: Help = {}): Field<string[]> {
	return { property: { displayName: label, type: 'string', default: '', ...help }, schema: listSchema };
}

/** One text of those that are joined by commas. */
export const joinableText = (label: string, help: Help = {}): Field<string> => ({
	...text(label, help),
	schema: z.preprocess((value) => (isBlank(value) ? undefined : asText(value)), joinable),
});

/** Shows a field only where other parameters have these values; elsewhere it has its default, if that is a value at all. */
export function shown<T>(when: Record<string, Array<string | boolean>>, field: Field<T>): Field<T | undefined> {
	return { ...field, property: { ...field.property, displayOptions: { show: when } } };
}

/** Hidden as long as another parameter is blank; what it says has no effect then. */
export const shownWith = <T>(name: string, field: Field<T>): Field<T> => ({
	...field,
	property: { ...field.property, displayOptions: { hide: { [name]: [''] } } },
});

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
export function notice(sentence: string): Field<unknown> {
	return { property: { displayName: sentence, type: 'notice', default: '' }, schema: z.unknown() };
}
