import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

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

const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Spreadsheets and expressions hand over numbers and booleans where text is meant. */
const asText = (value: unknown) =>
	typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value === 'string' ? value.trim() : value;

const textSchema = z.preprocess(
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
		schema: z.preprocess((value) => (typeof value === 'number' ? String(value).padStart(width, '0') : value), textSchema),
	};
}

/** A field that may stay empty; empty means absent, never an empty string on the wire. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
	const { required: _, ...property } = field.property;
	return {
		property,
		schema: z.preprocess((value) => (isBlank(value) ? undefined : value), field.schema.optional()),
	};
}

export function number(
	label: string,
	help: Help & { default: number; min?: number; max?: number },
): Field<number> {
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
		schema: z.preprocess((value) => {
			if (isBlank(value)) return initial;
			return value === 'true' ? true : value === 'false' ? false : value;
		}, z.boolean({ invalid_type_error: 'must be true or false' })),
	};
}

export interface Option<V extends string> {
	name: string;
	value: V;
	description?: string;
}

export function choice<const V extends string>(
	label: string,
	options: ReadonlyArray<Option<V>>,
	help: Help & { default: V },
): Field<V> {
	const values = options.map((option) => option.value) as [V, ...V[]];
	const { default: initial, ...rest } = help;
	return {
		property: { displayName: label, type: 'options', options: [...options], default: initial, ...rest },
		schema: z.preprocess(
			(value) => (isBlank(value) ? initial : value),
			z.enum(values, { errorMap: () => ({ message: `must be one of ${values.join(', ')}` }) }),
		) as Field<V>['schema'],
	};
}

/** A list that the node asks the service for; its labels and help are n8n's rule. */
export function loaded(label: string, loadOptionsMethod: string): Field<string> {
	return {
		property: {
			displayName: `${label} Name or ID`,
			type: 'options',
			typeOptions: { loadOptionsMethod },
			default: '',
			description:
				'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		},
		schema: textSchema,
	};
}

/** Several of a list; values the list does not know pass through, because the document does not close its lists. */
export function choices(label: string, options: ReadonlyArray<Option<string>>, help: Help = {}): Field<string[]> {
	return {
		property: { displayName: label, type: 'multiOptions', options: [...options], default: [], ...help },
		schema: listSchema,
	};
}

const listSchema = z.preprocess((value) => {
	if (isBlank(value)) return [];
	const entries = Array.isArray(value) ? value : String(value).split(',');
	return entries.map(asText).filter((entry) => !isBlank(entry));
}, z.array(z.string().refine((entry) => !entry.includes(','), 'must not hold commas: the service separates entries by them')));

/** Comma-separated text or a list from an expression. */
export function list(label: string, help: Help = {}): Field<string[]> {
	return { property: { displayName: label, type: 'string', default: '', ...help }, schema: listSchema };
}

/** ISO texts, n8n's own dates and Luxon values, all to an ISO text in UTC. */
export function dateTime(label: string, help: Help = {}): Field<string> {
	return {
		property: { displayName: label, type: 'dateTime', default: '', required: true, ...help },
		schema: z.unknown().transform((value, context) => {
			const moment = toDate(value);
			if (moment && !Number.isNaN(moment.getTime())) return moment.toISOString();
			context.addIssue({ code: 'custom', message: 'must be a date, for example 2026-01-31T09:00:00Z' });
			return z.NEVER;
		}),
	};
}

function toDate(value: unknown): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value === 'string' || typeof value === 'number') return new Date(value);
	if (typeof value === 'object' && value !== null && 'toJSDate' in value && typeof value.toJSDate === 'function') {
		return value.toJSDate() as Date;
	}
	return undefined;
}

/** A calendar day. A date and time keeps its own day: no time zone moves a date of birth. */
export function day(label: string, help: Help = {}): Field<string> {
	return {
		property: { displayName: label, type: 'string', default: '', required: true, placeholder: 'e.g. 1980-12-31', ...help },
		schema: z.unknown().transform((value, context) => {
			const iso = value instanceof Date ? value.toISOString() : typeof value === 'object' ? toIso(value) : String(value).trim();
			const match = /^(\d{4}-\d{2}-\d{2})(?:$|T)/.exec(iso);
			if (match && isDay(match[1])) return match[1];
			context.addIssue({ code: 'custom', message: 'must be a date written YYYY-MM-DD' });
			return z.NEVER;
		}),
	};
}

/** JavaScript takes 31 February for a day in March. */
const isDay = (text: string) => {
	const time = Date.parse(text);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

const toIso = (value: unknown) =>
	typeof value === 'object' && value !== null && 'toISO' in value && typeof value.toISO === 'function'
		? String(value.toISO())
		: '';

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

/** Choose from a searched list, or give an ID. */
export function locator(label: string, searchListMethod: string, help: Help = {}): Field<string> {
	return {
		property: {
			displayName: label,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			modes: [
				{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
				{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d' },
			],
			...help,
		},
		// A locator read without extraction (in a tool, from an expression) arrives as its object.
		schema: z.preprocess(
			(value) => (typeof value === 'object' && value !== null && 'value' in value ? value.value : value),
			textSchema,
		),
	};
}

/** Shows a field only where other parameters have these values. */
export function shown<T>(when: Record<string, Array<string | boolean>>, field: Field<T>): Field<T> {
	return { ...field, property: { ...field.property, displayOptions: { show: when } } };
}

/** Keeps a field from AI agents, who then get its default. */
export function notForTools<T>(field: Field<T>): Field<T> {
	const { displayOptions, ...property } = field.property;
	return { ...field, property: { ...property, displayOptions: { ...displayOptions, hide: { '@tool': [true] } } } };
}

/** A sentence among the fields, for what an input of n8n's own leaves unsaid. It holds no value. */
export function notice(sentence: string): Field<unknown> {
	return { property: { displayName: sentence, type: 'notice', default: '' }, schema: z.unknown() };
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
