import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import { orMade, without } from './objects';
import { separator } from '../document/answers';
import { sayNothingAlone } from '../document/inquiries';
import { heldObject, objectInText } from './value';

/** Labels as a list shows them: in one order on every machine, whatever its language. */
export function alphabetically(a: string, b: string): number {
	const [first, second] = [a.toLowerCase(), b.toLowerCase()];
	return first < second ? -1 : Number(first > second);
}

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
	/** Whether the part at the path protects or filters: where its expression returns nothing, to leave it out would do the opposite. */
	readonly guards?: Guards;
}

type Guards = (path: ReadonlyArray<string | number>, values: Record<string, unknown>) => boolean;

export const guarding = <T>(field: Field<T>, guards: Guards = () => true): Field<T> => ({ ...field, guards });

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
export const plainText = (value: unknown) =>
	['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : value;

export const textSchema = z.preprocess(
	(value) => (isBlank(value) ? undefined : plainText(value)),
	z
		.string({ required_error: 'is required', invalid_type_error: 'must be text' })
		.refine((text) => !text.includes(objectInText), heldObject),
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
export const secondsField = (label: string, initial: number, description: string): Field<number> =>
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
	(value) => !isBlank(value) && (typeof value === 'string' ? (words[value] ?? value) : value),
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

/** What people read for a value: a name, and what it means where the name does not say it. */
type Words = string | readonly [name: string, description: string];

type Options<V extends string> = Readonly<Record<V, Words>>;

const optionsOf = (options: Options<string>): INodePropertyOptions[] =>
	Object.entries(options).map(([value, words]) => {
		const [name, description] = [words].flat();
		return { name, value, description };
	});

/** As n8n wants lists. */
const listed = (options: Options<string>) =>
	optionsOf(options).sort((one, other) => alphabetically(one.name, other.name));

/** Values of the document as a person reads them: `PARTIAL_SUCCESS` is "Partial Success". */
export const named = <const V extends string>(
	values: readonly V[],
	otherwise: Partial<Record<V, string>> = {},
): Options<V> => Object.fromEntries(values.map((value) => [value, otherwise[value] ?? wordsOf(value)])) as Options<V>;

const wordsOf = (value: string) =>
	value
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.replace(/_/g, ' ')
		.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());

/** One of several; the first is the usual one. */
export function choice<const V extends string>(
	label: string,
	words: Options<V>,
	description?: string,
	order: 'alphabetical' | 'asWritten' = 'alphabetical',
): Field<V> {
	const [usual] = Object.keys(words);
	const options = order === 'asWritten' ? optionsOf(words) : listed(words);
	const values = options.map(({ value }) => value) as [V, ...V[]];
	const known = z.enum(values, { errorMap: () => ({ message: `must be one of ${values.join(', ')}` }) });
	const schema = z.preprocess((value) => (isBlank(value) ? usual : value), known) as Field<V>['schema'];
	return fieldOf('options', label, schema, { options, default: usual, description });
}

/** A list that the node asks the service for; its labels and help are n8n's rule. */
export const loaded = (label: string, loadOptionsMethod: string): Field<string> =>
	fieldOf('options', `${label} Name or ID`, textSchema, {
		typeOptions: { loadOptionsMethod },
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	});

/** The service takes several values in one text. */
const joinable = z
	.string({ required_error: 'is required', invalid_type_error: 'must be text' })
	.refine((entry) => !entry.includes(separator), 'must not hold commas: the service separates entries by them');

const listSchema = z.preprocess((value) => {
	if (isBlank(value)) return [];
	const entries = typeof value === 'string' ? value.split(separator) : [value].flat();
	return entries.map(plainText).filter((entry) => !isBlank(entry));
}, z.array(joinable));

/** Comma-separated text or a list from an expression. */
export const list = (label: string, help: Help = {}): Field<string[]> => fieldOf('string', label, listSchema, help);

export const joinableText = (label: string, help: Help = {}): Field<string> => ({
	...text(label, help),
	schema: z.preprocess((value) => (isBlank(value) ? undefined : plainText(value)), joinable),
});

/** Several of a list; values the list does not know pass through, because the document does not close its lists. */
export const choices = (label: string, options: Options<string>, help: ChoicesHelp = {}) =>
	fieldOf<string[]>('multiOptions', label, listSchema, { options: listed(options), default: [], ...help });

type ChoicesHelp = Help & { default?: string[]; required?: true };

/** A locator read without extraction (in a tool, from an expression) arrives as its object. */
const located = z.preprocess(
	(value) => (typeof value === 'object' && value !== null && 'value' in value ? value.value : value),
	textSchema,
);

export const locator = (
	label: string,
	searchListMethod: string,
	{ placeholder, ...help }: Help & { placeholder: string },
): Field<string> =>
	fieldOf('resourceLocator', label, located, {
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
		...help,
	});

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

/** A single object stands for a list of it. */
export const jsonObjects = (label: string, help: JsonHelp = {}) => json(label, objectList, help);

const objectList = z.preprocess(
	(value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value),
	z.array(z.record(z.unknown()), { invalid_type_error: 'must be a JSON list of objects' }),
) as unknown as z.ZodType<Array<Record<string, unknown>>, z.ZodTypeDef, unknown>;

type Loose<F extends Fields> = Partial<Input<F>>;

/** A group of optional fields behind an "Add" button, in the order in which people tell them. What is not added is absent. */
export const collection = <F extends Fields>(label: string, fields: F, placeholder = 'Add Field'): Field<Loose<F>> =>
	added(label, fields, placeholder, looseShape(fields));

const added = <T>(label: string, fields: Fields, placeholder: string, members: z.ZodRawShape): Field<T> => {
	const options = Object.entries(fields).map(([name, { property }]) => parameter(name, without(property, 'required')));
	return fieldOf('collection', label, grouped<T>(members), { placeholder, default: {}, options });
};

const parameter = (name: string, property: Property) => ({ ...property, name }) as INodeProperties;

/** Settings behind an "Add" button, which nobody tells in an order: they are looked up. What is not added has its default. */
export const settings = <F extends Fields>(label: string, fields: F): Field<Input<F>> =>
	added(label, sorted(fields), 'Add Option', shape(fields));

export const filters = <F extends Fields>(fields: F): Field<Loose<F>> =>
	guarding(added('Filters', sorted(fields), 'Add Filter', looseShape(fields)));

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
	const values = Object.entries(fields).map(([name, { property }]) => parameter(name, property));
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

/** A switch that nobody touched says false; that alone fills nothing, nor does what is often fixed for all rows. */
const isFilled = (row: object) =>
	Object.entries(row).some(
		([name, value]) => value !== undefined && value !== false && !sayNothingAlone.includes(name),
	);

const grouped = <T>(members: z.ZodRawShape) =>
	z.preprocess((value) => value ?? {}, z.object(members)) as unknown as Field<T>['schema'];

/** What a column mapper saves: an expression or a fixed value for each target. */
export interface Mapping {
	value: Record<string, unknown>;
	/** The fields that the editor offered, and whether the user took them away. */
	schema: Array<{ id: string; removed?: boolean }>;
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

const offered = z.object({ id: z.string(), removed: z.boolean().optional() });

const mapping = z.object({
	value: z.preprocess((value) => value ?? {}, z.record(z.unknown())),
	schema: z
		.array(offered)
		.nullish()
		.transform((fields) => fields ?? []),
});

const sorted = (fields: Fields): Fields =>
	Object.fromEntries(
		Object.entries(fields).sort(([, one], [, other]) =>
			alphabetically(one.property.displayName, other.property.displayName),
		),
	);

const shape = (fields: Fields) =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));

const looseShape = (fields: Fields) => shape(optionals(fields));
