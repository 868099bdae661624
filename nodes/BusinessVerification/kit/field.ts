import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { without } from './objects';
import { isObject, type Item } from '../document/vocabulary';
import { hasBraces, isBlank, jsonIn, objectsIn, type Path, type Reader, reading, unevaluated } from './value';

/** Not by `localeCompare`, whose order depends on the language of the machine. */
export function alphabetical<T>(list: readonly T[], labelOf: (one: T) => string): T[] {
	const key = (one: T) => labelOf(one).toLowerCase();
	return [...list].sort((one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other))));
}

/**
 * One parameter of an operation. One call makes both the `property` for the editor and the function that reads its
 * value, so that the form, the check and the TypeScript type cannot differ.
 */
export interface Field<T = unknown> {
	readonly property: Property;
	readonly read: Reader<T>;
	/** The saved value, without evaluating its expressions, because the operation evaluates only what it needs. */
	readonly isRaw?: true;
	/**
	 * Whether the part at the path protects or filters. If its expression returns nothing, the item fails: without the
	 * filter, the request would do more than the user asked for.
	 */
	readonly guards?: Guards;
	/** The parameter that may be filled in instead, and what to report if neither is. Without both, n8n does not run the node. */
	readonly substitute?: { path: string; else: string };
}

type Guards = (path: Path, values: Record<string, unknown>) => boolean;

export const guarding = <T>(field: Field<T>, guards: Guards = () => true): Field<T> => ({ ...field, guards });

export type Property = Omit<INodeProperties, 'name'>;

/** The key is the parameter's name, saved in users' workflows. */
export type Fields = Record<string, Field>;

export type Input<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** What the editor shows of a field besides its label. A `hint` is always visible, a `description` only on hover. */
export type Help = Partial<Property>;

export const fieldOf = <T>(
	type: Property['type'],
	displayName: string,
	read: Reader<T>,
	help: Help = {},
): Field<T> => ({ property: { displayName, type, default: '', ...help }, read });

const readText = reading('text');

export const text = (label: string, help: Help = {}): Field<string> =>
	fieldOf('string', label, readText, { required: true, ...help });

/** A field that may stay empty. Then it is left out of the request, not sent as an empty string. */
export const optional = <T>({ property, read }: Field<T>): Field<T | undefined> => ({
	property: without(property, 'required'),
	read: (value, report) => (isBlank(value) ? undefined : read(value, report)),
});

export const optionalText = (label: string, help: Help = {}) => optional(text(label, help));

export const withHelp = <T>(field: Field<T>, otherwise: Help): Field<T> => ({
	...field,
	property: { ...field.property, ...otherwise },
});

export const explained = <T>(field: Field<T>, description: string): Field<T> => withHelp(field, { description });

type NumberHelp = Help & { default: number; min?: number; max?: number };

export const number = (label: string, help: NumberHelp): Field<number> => bounded('number', label, help);

export const secondsField = (label: string, initial: number, description: string): Field<number> =>
	number(`${label} (Seconds)`, { default: initial, min: 0, max: 3600, description });

export const whole = (label: string, help: NumberHelp): Field<number> => bounded('integer', label, help);

function bounded(
	kind: 'number' | 'integer',
	label: string,
	{ min = -Infinity, max = Infinity, ...help }: NumberHelp,
): Field<number> {
	const typeOptions = {
		...(kind === 'integer' && { numberPrecision: 0 }),
		...(min > -Infinity && { minValue: min }),
		...(max < Infinity && { maxValue: max }),
	};
	const readKind = reading(kind);
	const read: Reader<number> = (value, report) => {
		const amount = readKind(isBlank(value) ? help.default : value, report);
		if (amount === undefined) return undefined;
		if (amount < min) return report(`must be at least ${min}`);
		return amount > max ? report(`must be at most ${max}`) : amount;
	};
	return fieldOf('number', label, read, { typeOptions, ...help });
}

export const flag = (label: string, description?: string): Field<boolean> =>
	fieldOf('boolean', label, reading('boolean'), { default: false, description });

/** Shows a field only if other parameters have these values. While hidden, it has its default, if there is one. */
export const shown = <T>(when: Record<string, Array<string | boolean>>, field: Field<T>): Field<T | undefined> =>
	withHelp(field, { displayOptions: { show: when } });

/** A sentence among the fields. It has no value. */
export const notice = (sentence: string): Field<unknown> => fieldOf('notice', sentence, () => undefined);

/** `action` is the name of the option in n8n's picker of nodes. */
type OptionText = string | readonly [name: string, description: string, action?: string];

type Options<V extends string> = Readonly<Record<V, OptionText>>;

/** n8n's rules want five or more in alphabetical order. Fewer are as written, with the default first. */
function optionList(options: Options<string>): INodePropertyOptions[] {
	const list = Object.entries(options).map(([value, words]) => {
		const [name, description, action]: readonly [string, string?, string?] =
			typeof words === 'string' ? [words] : words;
		return { name, value, description, ...(action && { action }) };
	});
	return list.length < 5 ? list : alphabetical(list, ({ name }) => name);
}

/** Labels for values of the API documentation: `PARTIAL_SUCCESS` is "Partial Success". */
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

/** The first option is the default. */
export function choice<const V extends string>(label: string, words: Options<V>, description?: string): Field<V> {
	const [usual] = Object.keys(words);
	const options = optionList(words);
	const values = options.map(({ value }) => value) as V[];
	const read: Reader<V> = (value, report) => {
		const picked = typeof value === 'string' ? value.trim() || usual : (value ?? usual);
		return values.find((known) => known === picked) ?? report(`must be one of ${values.join(', ')}`);
	};
	return fieldOf('options', label, read, { options, default: usual, description });
}

const readTexts = reading('tags');

/** Comma-separated text or a list from an expression. */
export const list = (label: string, help: Help = {}): Field<string[]> => fieldOf('string', label, readTexts, help);

/** Accepts values that are not in the list, because the API documentation does not say that its lists are complete. */
export const choices = (label: string, options: Options<string>, help: Help = {}): Field<string[]> =>
	fieldOf('multiOptions', label, readTexts, { options: optionList(options), default: [], ...help });

/** In a tool, or from an expression, n8n returns a locator as an object and not as its value. */
const readLocator: Reader<string> = (value, report) =>
	readText(isObject(value) && 'value' in value ? value.value : value, report);

export const locator = (label: string, searchListMethod: string, { placeholder, ...help }: Help): Field<string> =>
	fieldOf('resourceLocator', label, readLocator, {
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
		...help,
	});

/** A record as the user chose it: by its ID in the service or, in the mode `M`, by what the user calls it. */
export type Chosen<M extends string> = { id: string } | Record<M, string>;

/** A locator with one more mode, in which users enter what they call the record. */
export const orBy = <M extends string>(
	mode: M,
	[displayName, placeholder]: [label: string, placeholder: string],
	{ property, read }: Field<string>,
): Field<Chosen<M>> => ({
	property: { ...property, modes: [...property.modes!, { displayName, name: mode, type: 'string', placeholder }] },
	read: (value, report) => {
		const entered = read(value, report);
		if (entered === undefined) return undefined;
		return (isObject(value) && value.mode === mode ? { [mode]: entered } : { id: entered }) as Chosen<M>;
	},
});

/**
 * JSON typed as text, or the object itself from an expression. In a collection, the default has to be empty JSON such
 * as `[]`, because n8n marks an added field with an empty text as an error.
 */
const json = <T>(label: string, read: Reader<T>, help: Help): Field<T> =>
	fieldOf<T>(
		'json',
		label,
		(value, report) => {
			if (typeof value === 'string' && hasBraces(value)) return report(unevaluated);
			const parsed = typeof value === 'string' ? jsonIn(value) : value;
			return parsed === undefined ? report('is not valid JSON') : read(parsed, report);
		},
		help,
	);

export const jsonObject = (label: string, help: Help = {}) =>
	json<Item>(label, (value, report) => (isObject(value) ? value : report('must be a JSON object')), help);

/** A single object counts as a list of one. */
export const jsonObjects = (label: string, help: Help = {}) =>
	json<Item[]>(label, (value, report) => objectsIn(value) ?? report('must be a JSON list of objects'), help);

/** The parameters as n8n takes them: in a list, with their names. n8n requires one always or never, so one may be there twice. */
export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, { property, substitute }]): INodeProperties[] => {
		if (substitute === undefined) return [{ ...property, name }];
		const isFilledIn = { [`/${substitute.path}`]: [{ _cnd: { exists: true as const } }] };
		return [
			{ ...property, name, required: true, displayOptions: { hide: isFilledIn } },
			{ ...property, name, displayOptions: { show: isFilledIn } },
		];
	});
