import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { without } from './without';

/**
 * One parameter of an operation: how it looks in the editor and how its value is read. Both come from one call, so the
 * form, the check and the TypeScript type cannot disagree.
 */
export interface Field<T = unknown> {
	readonly property: Omit<INodeProperties, 'name'>;
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

/** A code of a fixed number of digits. A number, as spreadsheets hand it over, gets its leading zeros back. */
export function digits(label: string, width: number, help: Help = {}): Field<string> {
	return {
		property: { displayName: label, type: 'string', default: '', required: true, ...help },
		schema: z.preprocess(
			(value) => (typeof value === 'number' ? String(value).padStart(width, '0') : value),
			textSchema,
		),
	};
}

/** A field that may stay empty; empty means absent, never an empty string on the wire. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
	return {
		property: without(field.property, 'required'),
		schema: z.preprocess((value) => (isBlank(value) ? undefined : value), field.schema.optional()),
	};
}

export function number(label: string, help: Help & { default: number; min?: number; max?: number }): Field<number> {
	const { min, max, default: initial, ...rest } = help;
	let schema = z.number({ invalid_type_error: 'must be a number' });
	if (min !== undefined) schema = schema.min(min, `must be at least ${min}`);
	if (max !== undefined) schema = schema.max(max, `must be at most ${max}`);
	return {
		property: {
			displayName: label,
			type: 'number',
			default: initial,
			...(min !== undefined || max !== undefined ? { typeOptions: { minValue: min, maxValue: max } } : {}),
			...rest,
		},
		schema: z.preprocess((value) => {
			if (isBlank(value)) return initial;
			return typeof value === 'string' ? Number(value) : value;
		}, schema),
	};
}

/** A number that may stay empty. n8n's number input cannot: in a row it hands on its default although nobody touched it. */
export function decimal(label: string, help: Help = {}): Field<number> {
	return {
		property: { displayName: label, type: 'string', default: '', required: true, ...help },
		schema: z.preprocess(
			(value) => (isBlank(value) ? undefined : typeof value === 'string' ? Number(value) : value),
			z.number({ required_error: 'is required', invalid_type_error: 'must be a number' }),
		),
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

export const listSchema = z.preprocess(
	(value) => {
		if (isBlank(value)) return [];
		const entries = Array.isArray(value) ? value : String(value).split(',');
		return entries.map(asText).filter((entry) => !isBlank(entry));
	},
	z.array(
		z.string().refine((entry) => !entry.includes(','), 'must not hold commas: the service separates entries by them'),
	),
);

/** Comma-separated text or a list from an expression. */
export function list(label: string, help: Help = {}): Field<string[]> {
	return { property: { displayName: label, type: 'string', default: '', ...help }, schema: listSchema };
}

/** Shows a field only where other parameters have these values. */
export function shown<T>(when: Record<string, Array<string | boolean>>, field: Field<T>): Field<T> {
	return { ...field, property: { ...field.property, displayOptions: { show: when } } };
}

/** A sentence among the fields, for what an input of n8n's own leaves unsaid. It holds no value. */
export function notice(sentence: string): Field<unknown> {
	return { property: { displayName: sentence, type: 'notice', default: '' }, schema: z.unknown() };
}
