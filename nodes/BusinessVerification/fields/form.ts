import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, Help } from '../definition';
import type { DocumentField, Kind, Values } from '../document';
import type { Reader } from '../values/reader';
import { readValue } from '../values/value';

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
		singles.map(({ name, kind, label, unlocks }) => {
			const help = (helps as Record<string, Help | undefined>)[name];
			const field: Field = {
				property: { displayName: label, ...input(kind), ...explained(unlocks), ...help } as Field['property'],
				schema: reading(kind),
			};
			return [name, field];
		}),
	) as unknown as Form<L>;
}

/** The editor's input for a kind: a line of text unless there is a better one. */
function input(kind: Kind): Pick<INodeProperties, 'type' | 'default' | 'required' | 'typeOptions'> {
	switch (kind) {
		case 'time':
			return { type: 'dateTime', default: '', required: true };
		case 'integer':
			return { type: 'number', default: 0, typeOptions: { numberPrecision: 0 } };
		case 'boolean':
			return { type: 'boolean', default: false };
		case 'tags':
			return { type: 'string', default: '' };
		default:
			// Numbers too: n8n's number input cannot stay empty, in a row it hands on its default although nobody touched it.
			return { type: 'string', default: '', required: true };
	}
}

const explained = (unlocks: string | undefined): Help =>
	unlocks === undefined ? {} : { description: `Enables ${unlocks}, which may be billed` };

/** What stands for nothing where a field has not been filled and need not be. */
const nothing: Partial<Record<Kind, unknown>> = { tags: [], boolean: false };

/** A form's value is read as a sheet's. */
const reading = (kind: Kind): Field['schema'] =>
	z.unknown().transform((value, context) => {
		let problem: string | undefined;
		const reader: Reader = {
			settings: {},
			change: () => undefined,
			problem: (_, reason) => void (problem ??= reason),
		};
		const read = readValue(value, kind, { header: '', index: 0 }, reader) ?? nothing[kind];
		if (problem === undefined && read !== undefined) return read;
		context.addIssue({ code: 'custom', message: problem ?? 'is required' });
		return z.NEVER;
	});
