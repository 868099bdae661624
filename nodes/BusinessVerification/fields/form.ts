import { type Field, fieldOf, type Help, jsonObjects, type Property } from '../kit/field';
import type { DocumentField, Item, Kind, Values } from '../document/vocabulary';
import { bothSpellings, readObjects, reading, reported } from '../kit/value';

/** Principals and licenses are lists of forms, which `inquiry/inquiryForm.ts` builds. */
type Form<L extends readonly DocumentField[]> = {
	[F in L[number] as F['kind'] extends 'principals' | 'licenses' ? never : F['name']]: Field<Values[F['kind']]>;
};

/** Descriptions, placeholders and hints, which the API documentation does not have. */
type Helps<L extends readonly DocumentField[]> = { [F in L[number] as F['name']]?: Help };

export function form<const L extends readonly DocumentField[]>(list: L, helps: Helps<L>): Form<L> {
	const singles = list.filter(({ kind }) => kind !== 'principals' && kind !== 'licenses');
	const fields = singles.map(({ name, kind, label }) => {
		const { type, ...shape } = shapes[kind] ?? line;
		const help = { ...placeholder(label), ...(helps as Record<string, Help>)[name] };
		return [name, fieldOf(type, label, reading(kind), { ...shape, ...help })];
	});
	return Object.fromEntries(fields) as Form<L>;
}

type Shape = Help & Pick<Property, 'type'>;

/** For numbers too: n8n's number input cannot stay empty. In a row, it returns its default. */
const line: Shape = { type: 'string', required: true };

/** Kinds that do not use a line of text. */
const shapes: Partial<Record<Kind, Shape>> = {
	time: { type: 'dateTime', required: true },
	boolean: { type: 'boolean', default: false },
	tags: { type: 'string' },
};

/** By label, so that fields with the same label have the same placeholder. */
const placeholders: Record<string, string> = {
	'Address Line 1': '1 Main Street',
	'Address Line 2': 'Suite 200',
	City: 'Springfield',
	Domain: 'example.com',
	EIN: '12-3456789',
	Email: 'nathan@example.com',
	Phone: '+1 555 010 0100',
	State: 'IL',
	'ZIP Code': '62701',
};

const placeholder = (label: string): Help =>
	label in placeholders ? { placeholder: `e.g. ${placeholders[label]}` } : {};

/** A JSON list of objects, with values read as in the form, and keys in camel or snake case. */
export function jsonForm(label: string, list: readonly DocumentField[], help: Help): Field<Item[]> {
	const known = bothSpellings(list);
	const { property, read } = jsonObjects(label, help);
	return {
		property,
		read: (value, report) => {
			const objects = read(value, report);
			return objects && reported(() => readObjects(objects, known), report);
		},
	};
}
