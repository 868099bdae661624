import { isSafeObjectProperty } from 'n8n-workflow';
import { z } from 'zod';
import { Failure } from './service';
import type { Field, Fields, Input } from './field';
import { without } from './objects';

/**
 * `{{ $json.City }}`, `{{ $json["Postal Code"] }}`, `{{ $json.address.city }}`: what nearly every expression is. n8n needs
 * half a millisecond to evaluate one; read from the item it costs nothing, and comes to the same.
 */
const reference = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\["[^"\\{}\r\n]+"\]|\['[^'\\{}\r\n]+'\])+)\s*\}\}$/;
const step = /\.([A-Za-z_]\w*)|\["([^"]+)"\]|\['([^']+)'\]/g;

/** Only n8n can say what the value is. */
export const unclear = Symbol('unclear');

export const isExpression = (saved: unknown): saved is string => typeof saved === 'string' && saved.startsWith('=');

/** The names that lead to the value; nothing where the expression is more than a reference. */
export function referenceIn(saved: unknown): string[] | undefined {
	const [, steps] = (typeof saved === 'string' && reference.exec(saved)) || [];
	return steps === undefined ? undefined : [...steps.matchAll(step)].map(([, ...names]) => names.find(Boolean)!);
}

/** A saved value, its references filled in from an item; `unclear` where it holds another expression or an unusual value. */
export function filledIn(saved: unknown, json: unknown): unknown {
	if (isExpression(saved)) {
		const names = referenceIn(saved);
		return names === undefined ? unclear : valueAt(names, json);
	}
	if (typeof saved !== 'object' || saved === null) return saved;
	const parts = Object.entries(saved).map(([name, part]): [string, unknown] => [name, filledIn(part, json)]);
	if (parts.some(([, part]) => part === unclear)) return unclear;
	return Array.isArray(saved) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

function valueAt(names: readonly string[], json: unknown): unknown {
	let value = json;
	for (const [place, name] of names.entries()) {
		if (!isPlainObject(value) || !isPlainName(name)) return unclear;
		if (!Object.hasOwn(value, name)) return place === names.length - 1 ? undefined : unclear;
		value = value[name];
	}
	return isPlain(value) ? value : unclear;
}

/** What JSON can say. Dates, and all that has a class, are n8n's to convert. */
function isPlain(value: unknown): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
	if (Array.isArray(value)) return Array.from(value).every(isPlain);
	return isPlainObject(value) && Object.entries(value).every(([name, part]) => isPlainName(name) && isPlain(part));
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** n8n refuses names that lead to a constructor, and has a use of its own for those with two underscores. */
const isPlainName = (name: string) =>
	isSafeObjectProperty(name) &&
	!(name in Object.prototype) &&
	!name.startsWith('__') &&
	!name.startsWith('constructor');

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

/** What guards, is an expression, and returns nothing. `isExempt` tells of an expression whether that may be meant. */
export function blanksIn(
	fields: Fields,
	saved: Values,
	values: Values,
	isExempt: (expression: string) => boolean,
): Problem[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const { guards } = field;
		if (guards === undefined || !isShown(field, fields, values)) return [];
		const blanks = (part: unknown, value: unknown, path: Problem['path']): Problem[] => {
			if (isExpression(part)) {
				if (!isBlank(value) || isExempt(part) || !guards(path.slice(1), values)) return [];
				return [{ path, reason: `'${label(path, fields)}' is empty: its expression returned nothing` }];
			}
			if (typeof part !== 'object' || part === null) return [];
			return Object.entries(part).flatMap(([key, inside]) =>
				blanks(inside, (value as Values | undefined)?.[key], [...path, Array.isArray(part) ? Number(key) : key]),
			);
		};
		return blanks(saved[name], values[name], [name]);
	});
}

const isBlank = (value: unknown): boolean =>
	Array.isArray(value) ? value.every(isBlank) : String(value ?? '').trim() === '';

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
