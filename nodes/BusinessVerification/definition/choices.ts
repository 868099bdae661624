import type { INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import { separator } from '../document';
import { alphabetically } from './alphabetical';
import { asText, type Field, fieldOf, type Help, isBlank, text, textSchema } from './field';

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
	const entries = Array.isArray(value) ? value : String(value).split(separator);
	return entries.map(asText).filter((entry) => !isBlank(entry));
}, z.array(joinable));

/** Comma-separated text or a list from an expression. */
export const list = (label: string, help: Help = {}): Field<string[]> => fieldOf('string', label, listSchema, help);

export const joinableText = (label: string, help: Help = {}): Field<string> => ({
	...text(label, help),
	schema: z.preprocess((value) => (isBlank(value) ? undefined : asText(value)), joinable),
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
