import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { type Field, type Help, jsonObjects } from '../kit/field';
import { orMade } from '../kit/objects';
import { type DocumentField, type Item, type Kind, snakeCased, type Values } from '../document/vocabulary';
import { type Listener, type Place, readObjects, readValue } from '../kit/value';

/** Principals and licenses are lists of forms: they are put together where they are shown. */
type Single = Exclude<Kind, 'principals' | 'licenses'>;

/** A field of the form for each field of the document's list. */
export type Form<L extends readonly DocumentField[]> = {
	[F in L[number] as F['kind'] extends Single ? F['name'] : never]: Field<Values[F['kind']]>;
};

/** What the list does not say: how a field explains itself to people. */
type Helps<L extends readonly DocumentField[]> = { [F in L[number] as F['name']]?: Help };

export function form<const L extends readonly DocumentField[]>(list: L, helps: Helps<L>): Form<L> {
	const singles = list.filter(({ kind }) => kind !== 'principals' && kind !== 'licenses');
	return Object.fromEntries(
		singles.map((one) => {
			const { name, kind, label } = one;
			const help = (helps as Record<string, Help | undefined>)[name];
			const field: Field = {
				property: {
					displayName: label,
					...(looks[kind] ?? line),
					...placeholder(label),
					...explained(one, list),
					...help,
				} as Field['property'],
				schema: reading(kind),
			};
			return [name, field];
		}),
	) as unknown as Form<L>;
}

type Look = Pick<INodeProperties, 'type' | 'default' | 'required' | 'typeOptions'>;

/** Of numbers too: n8n's number input cannot stay empty, in a row it hands on its default although nobody touched it. */
const line: Look = { type: 'string', default: '', required: true };

/** The editor's input for a kind, where a line of text is not the best. */
const looks: Partial<Record<Kind, Look>> = {
	time: { ...line, type: 'dateTime' },
	integer: { type: 'number', default: 0, typeOptions: { numberPrecision: 0 } },
	boolean: { type: 'boolean', default: false },
	tags: { type: 'string', default: '' },
};

/** What an empty input shows, the same wherever a field is called the same. */
const placeholders: Record<string, string> = {
	'Address Line 1': '1 Main Street',
	'Address Line 2': 'Suite 200',
	City: 'Springfield',
	Domain: 'example.com',
	EIN: '12-3456789',
	Email: 'nathan@example.com',
	Phone: '+1 555 010 0100',
	State: 'IL',
	'ZIP Code': '02139',
};

const placeholder = (label: string): Help =>
	label in placeholders ? { placeholder: `e.g. ${placeholders[label]}` } : {};

function explained({ name, unlocks }: DocumentField, list: readonly DocumentField[]): Help {
	if (unlocks === undefined) return {};
	const others = list.filter((other) => other.unlocks === unlocks && other.name !== name);
	const together = others.map(({ label }) => `Together with '${label}' it enables`);
	return { description: `${together[0] ?? 'Enables'} ${unlocks}, which may be billed` };
}

/** Objects of such fields as JSON, whose values are read as those of the form. A key may be spelled in camel or in snake case. */
export function jsonForm(
	label: string,
	list: readonly DocumentField[],
	help: Help & { default: string },
): Field<Item[]> {
	const field = jsonObjects(label, help);
	const known = new Map(
		list.flatMap(({ name, kind }) =>
			[name, snakeCased(name)].map((spelled) => [spelled, { kind, name: spelled }] as const),
		),
	);
	return {
		...field,
		schema: field.schema.transform((entries, context) =>
			heard(context, (listener, place) => readObjects(entries, known, place, listener)),
		) as Field<Item[]>['schema'],
	};
}

/** What is read with a form's listener, whose first problem is the field's. */
function heard<T>(context: z.RefinementCtx, read: (listener: Listener, place: Place) => T | undefined): T {
	let problem: string | undefined;
	const listener: Listener = {
		settings: {},
		change: () => undefined,
		problem: (_, reason) => void (problem ??= reason),
	};
	const value = read(listener, { header: '', index: 0 });
	if (problem === undefined && value !== undefined) return value;
	context.addIssue({ code: 'custom', message: problem ?? 'is required' });
	return z.NEVER;
}

/** What stands for nothing where a field has not been filled and need not be. */
const nothing: Partial<Record<Kind, unknown>> = { tags: [], boolean: false };

const readings = new Map<Kind, Field['schema']>();

/** A form's value is read as a sheet's. */
const reading = (kind: Kind): Field['schema'] => orMade(readings, kind, () => schemaOf(kind));

const schemaOf = (kind: Kind): Field['schema'] =>
	z
		.unknown()
		.transform((value, context) =>
			heard(context, (listener, place) => readValue(value, kind, place, listener) ?? nothing[kind]),
		);
