import { z } from 'zod';
import { Failure } from './failure';
import type { Field, Fields, Input } from './field';
import { without } from './without';

/** What is wrong with a parameter, in the words of the form. */
export interface Problem {
	/** Names, and places in lists from 0: `['principals', 0, 'lastName']`. */
	path: Array<string | number>;
	reason: string;
}

/** The first problem is what fails; the others are told along with it. */
export function refuse([first, ...others]: readonly Problem[], parameterOf: (path: Problem['path']) => string): void {
	if (first === undefined) return;
	throw new Failure(first.reason, {
		parameter: parameterOf(first.path),
		description: others.length > 0 ? `Also: ${others.map(({ reason }) => reason).join('; ')}` : undefined,
	});
}

type Values = Record<string, unknown>;

/** What cannot be read is absent from the input and among the problems. */
export interface Reading<F extends Fields> {
	input: Partial<Input<F>>;
	problems: Problem[];
}

export const readInput = <F extends Fields>(fields: F, values: Values): Reading<F> => inputReader(fields)(values);

/** Reads the values of item after item by their fields. What has not changed since the item before is not read again. */
export function inputReader<F extends Fields>(fields: F): (values: Values) => Reading<F> {
	const before: Record<string, { value: unknown; read: z.SafeParseReturnType<unknown, unknown> }> = {};
	return (values) => {
		const input: Values = {};
		const problems: Problem[] = [];
		for (const [name, field] of Object.entries(fields)) {
			const isVisible = isShown(field, fields, values);
			const value = isVisible ? values[name] : field.property.default;
			if (!(name in before) || before[name].value !== value) {
				before[name] = { value, read: field.schema.safeParse(value) };
			}
			const { read } = before[name];
			if (read.success) input[name] = read.data;
			else if (isVisible) {
				for (const { path, message } of read.error.issues) {
					problems.push({ path: [name, ...path], reason: `'${label([name, ...path], fields)}' ${message}` });
				}
			}
		}
		return { input: input as Partial<Input<F>>, problems };
	};
}

/**
 * The fields as they look, their values as they came: for an operation that reads them itself and tells of what is wrong.
 * None is required, or n8n would not run the node with a blank one.
 */
export const unread = <F extends Fields>(fields: F): { [K in keyof F]: Field<unknown> } =>
	Object.fromEntries(
		Object.entries(fields).map(([name, { property }]) => [
			name,
			{ property: without(property, 'required'), schema: z.unknown() },
		]),
	) as unknown as { [K in keyof F]: Field<unknown> };

/** Whether the editor shows the field beside these values; only conditions on its neighbours count. */
function isShown({ property, elsewhere = property }: Field, fields: Fields, values: Values): boolean {
	return [property, elsewhere].some(({ displayOptions }) =>
		Object.entries(displayOptions?.show ?? {}).every(
			([name, wanted]) =>
				!(name in fields) || wanted!.includes((values[name] ?? fields[name].property.default) as string),
		),
	);
}

/** The path of a problem as the form names it: "Additional Fields > EIN", "Principals > 2 > Last Name". */
function label(path: Problem['path'], fields: Fields): string {
	let property: Nested | undefined = {
		options: Object.entries(fields).map(([name, field]): Nested => ({ ...field.property, name })),
	};
	const words = path.map((part) => {
		if (typeof part === 'number') return part + 1;
		property = inner(property, part);
		return property?.displayName ?? part;
	});
	return words.join(' > ');
}

interface Nested {
	name?: string;
	displayName?: string;
	options?: unknown[];
	values?: Nested[];
}

function inner(property: Nested | undefined, name: string): Nested | undefined {
	const options = (property?.options ?? []) as Nested[];
	return options.flatMap((option) => option.values ?? [option]).find((option) => option.name === name);
}
