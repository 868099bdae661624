import { sayNothingAlone } from '../document/inquiries';
import { isObject, type Item } from '../document/vocabulary';
import {
	alphabetical,
	type Field,
	fieldOf,
	type Fields,
	guarding,
	type Help,
	type Input,
	optional,
	propertiesOf,
} from './field';
import type { Reader } from './value';

/** Fields that hold other fields: collections behind an "Add" button, and lists of small forms. */

type Optionals<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? Field<T | undefined> : never };

export const optionals = <F extends Fields>(fields: F): Optionals<F> =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as Optionals<F>;

type Loose<F extends Fields> = Partial<Input<F>>;

/** Optional fields behind an "Add" button. A field that is not added is left out of the request. */
export const collection = <F extends Fields>(label: string, fields: F): Field<Loose<F>> =>
	collectionInOrder(label, byLabel(fields) as F);

/** Not sorted: a person's name comes before the address. */
export const collectionInOrder = <F extends Fields>(label: string, fields: F) =>
	collectionOf<Loose<F>>(label, optionals(fields));

const collectionOf = <T>(label: string, fields: Fields): Field<T> =>
	fieldOf('collection', label, formReader<T>(fields), {
		placeholder: `Add ${oneOf(label)}`,
		default: {},
		options: propertiesOf(fields),
	});

/** An "Add" button has the name of its list, because one list may be inside another. */
const oneOf = (label: string) => label.replace(/^Additional |s$/g, '');

/** Reads the fields of a form. Other keys are left out. */
function formReader<T>(fields: Fields): Reader<T> {
	const entries = Object.entries(fields);
	return (value, report) => {
		const form = value ?? {};
		if (!isObject(form)) return report('must be an object');
		const input: Item = {};
		for (const [name, { read }] of entries) {
			const part = read(form[name], (reason, path = []) => report(reason, [name, ...path]));
			if (part !== undefined) input[name] = part;
		}
		return input as T;
	};
}

/** Settings behind an "Add" button, sorted so that they can be found. A setting that is not added has its default. */
export const settings = <F extends Fields>(label: string, fields: F): Field<Input<F>> =>
	collectionOf(label, byLabel(fields));

export const filters = <F extends Fields>(fields: F) => guarding(collection('Filters', fields));

/** A list of small forms. Empty ones are dropped: an expression fills in a form also for a missing principal. */
export const rows = <F extends Fields>(label: string, fields: F, help: Help = {}) =>
	repeated<Loose<F>>(label, fields, help, formReader(optionals(fields)));

/** A list of small forms in which every field is required. */
export const filledRows = <F extends Fields>(label: string, fields: F) =>
	repeated<Input<F>>(label, fields, {}, formReader(fields));

function repeated<R extends object>(label: string, fields: Fields, help: Help, readRow: Reader<R>): Field<R[]> {
	const read: Reader<R[]> = (value, report) => {
		const given: unknown = Array.isArray(value) ? value : ((value as { row?: unknown } | undefined | null)?.row ?? []);
		if (!Array.isArray(given)) return report('must be a list');
		const all = given.map((row, index) => readRow(row, (reason, path = []) => report(reason, [index, ...path])));
		return all.filter((row) => row !== undefined && saysSomething(row)) as R[];
	};
	return fieldOf('fixedCollection', label, read, {
		typeOptions: { multipleValues: true },
		placeholder: `Add ${oneOf(label)}`,
		default: {},
		// Unlike in a collection, fields stay marked as required.
		options: [{ displayName: oneOf(label), name: 'row', values: propertiesOf(fields) }],
		...help,
	});
}

/** An untouched switch is false, an absent share often 0, and some fields are fixed for all rows: none makes a form filled. */
export const saysSomething = (row: object): boolean =>
	Object.entries(row).some(([name, value]) =>
		isObject(value) ? saysSomething(value) : Boolean(value) && !sayNothingAlone.includes(name),
	);

const byLabel = (fields: Fields): Fields =>
	Object.fromEntries(alphabetical(Object.entries(fields), ([, { property }]) => property.displayName));
