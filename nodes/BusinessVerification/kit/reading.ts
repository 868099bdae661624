import { type INodeProperties, isSafeObjectProperty } from 'n8n-workflow';
import { Failure, type Json } from './service';
import { type Field, type Fields, type Input, propertiesOf } from './field';
import { few, partAt } from './objects';
import { hasBraces, isBlank, type Path, type Report } from './value';

/**
 * Nearly every expression is a reference: `{{ $json.City }}`, `{{ $json["Postal Code"] }}`, `{{ $json.address.city }}`.
 * n8n takes half a millisecond to evaluate one. Reading the item directly is fast and returns the same value.
 */
const reference = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\["[^"\\{}\r\n]+"\]|\['[^'\\{}\r\n]+'\])+)\s*\}\}$/;
const step = /\.([A-Za-z_]\w*)|\["([^"]+)"\]|\['([^']+)'\]/g;

/** The value has to be evaluated by n8n. */
export const unclear = Symbol('unclear');

export const isExpression = (saved: unknown): saved is string => typeof saved === 'string' && saved.startsWith('=');

/** The names in a reference; undefined for any other expression. */
export function referenceIn(saved: unknown): string[] | undefined {
	const [, steps] = (typeof saved === 'string' && reference.exec(saved)) || [];
	return steps === undefined ? undefined : [...steps.matchAll(step)].map(([, ...names]) => names.find(Boolean)!);
}

/** A saved value with its references filled in; `unclear` if it holds another expression or an unusual value. */
export function filledIn(saved: unknown, json: unknown): unknown {
	if (isExpression(saved)) {
		// The editor writes `=March leads` when a person switches a text to 'Expression'.
		if (!hasBraces(saved)) return saved.slice(1);
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
	for (const [depth, name] of names.entries()) {
		if (!isPlainObject(value) || !isPlainName(name)) return unclear;
		if (!Object.hasOwn(value, name)) return depth === names.length - 1 ? undefined : unclear;
		value = value[name];
	}
	return isPlain(value) ? value : unclear;
}

/** A value that JSON can hold. Dates and instances of classes are converted by n8n in its own way. */
function isPlain(value: unknown): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
	if (Array.isArray(value)) return Array.from(value).every(isPlain);
	return isPlainObject(value) && Object.entries(value).every(([name, part]) => isPlainName(name) && isPlain(part));
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** n8n refuses names that lead to a constructor, and reserves those that begin with two underscores. */
const isPlainName = (name: string) =>
	isSafeObjectProperty(name) && !(name in Object.prototype) && !/^(__|constructor)/.test(name);

export interface Problem {
	path: Path;
	reason: string;
}

/** Throws the first problem, whose parameter n8n marks, with the others in the description. */
export function refuse([first, ...others]: readonly Problem[], parameterOf: (path: Path) => string): void {
	if (first === undefined) return;
	const also = others.map(({ reason }) => reason);
	throw new Failure(first.reason, {
		parameter: parameterOf(first.path),
		description: also.length > 0 ? `Also: ${few(also, '; ')}` : undefined,
	});
}

/** What cannot be read is missing in `input` and listed in `problems`. */
interface InputReading<F extends Fields> {
	input: Partial<Input<F>>;
	problems: Problem[];
}

export function readInput<F extends Fields>(fields: F, values: Json): InputReading<F> {
	const input: Json = {};
	const problems: Problem[] = [];
	for (const [name, field] of Object.entries(fields)) {
		const isVisible = isShown(field, fields, values);
		const report: Report = (reason, inside = []) => {
			const path = [name, ...inside];
			if (isVisible) problems.push({ path, reason: `'${labelAt(path, fields)}' ${reason}` });
		};
		input[name] = field.read(isVisible ? values[name] : field.property.default, report);
		const { substitute } = field;
		if (substitute && isBlank(values[name]) && isBlank(partAt(values, substitute.path))) report(substitute.else);
	}
	return { input: input as Partial<Input<F>>, problems };
}

/** The input of an item, or else a failure that names what cannot be read, and the parameter. */
export function inputOf<F extends Fields>({ input, problems }: InputReading<F>, blanks: Problem[] = []): Input<F> {
	refuse([...problems, ...blanks], (path) => path.filter((part) => typeof part === 'string').join('.'));
	return input as Input<F>;
}

/** Guarding parameters whose expression returned nothing. One that `isExempt` may be left out as a whole. */
export function blanksIn(
	fields: Fields,
	saved: Json,
	values: Json,
	isExempt: (expression: string) => boolean,
): Problem[] {
	const guarding = Object.entries(fields).filter(([, field]) => field.guards && isShown(field, fields, values));
	return guarding.flatMap(([name, { guards }]) =>
		expressionsIn(saved[name], [name])
			.filter(({ path }) => guards!(path.slice(1), values))
			.filter(({ path, expression }) => hasNothingOf(expression, partAt(values, path), isExempt(expression)))
			.map(({ path }) => ({
				path,
				reason: `'${labelAt(path, fields)}' is empty because its expression returned nothing`,
			})),
	);
}

/** Also 'crm-' of `=crm-{{ $json.id }}` and `={{ 'crm-' + $json.id }}`: what is left if nothing in it returned anything. */
export function hasNothingOf(expression: string, value: unknown, mayBeBlank = false): boolean {
	if ([value].flat().every(isBlank)) return !mayBeBlank;
	const text = String(value).trim();
	const isLeft =
		text ===
		expression
			.slice(1)
			.replace(/\{\{[^{}]*\}\}/g, '')
			.trim();
	return hasBraces(expression) && (isLeft || (isPart.test(text) && expression.includes(text)));
}

const isPart = /^[-_:/#|]|[-_:/#|]$/;

/** Each expression of a saved parameter, with its path. */
function expressionsIn(part: unknown, path: Path): Array<{ path: Path; expression: string }> {
	if (isExpression(part)) return [{ path, expression: part }];
	if (typeof part !== 'object' || part === null) return [];
	const inList = Array.isArray(part);
	return Object.entries(part).flatMap(([key, inner]) => expressionsIn(inner, [...path, inList ? Number(key) : key]));
}

/** Whether the editor shows the field with these values. Conditions on other than `fields` are ignored. */
function isShown({ property: { displayOptions } }: Field, fields: Fields, values: Json): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => {
		if (!(name in fields)) return true;
		const { read, property } = fields[name];
		return wanted!.includes(read(values[name] ?? property.default, () => undefined) as never);
	});
}

/** A path in labels: "Additional Fields > EIN", "Principals > 2 > Last Name". */
export function labelAt(path: Path, fields: Fields): string {
	let inside = propertiesOf(fields);
	const words = path.flatMap((part) => {
		if (typeof part === 'number') return part + 1;
		// Under this name n8n saves the forms of a list.
		if (part === 'row') return [];
		const property = inside.find(({ name }) => name === part);
		// A list holds the form that it repeats, with fields as its `values`.
		inside = (property?.options ?? []).flatMap((option) =>
			'values' in option ? option.values : [option as INodeProperties],
		);
		return property?.displayName ?? part;
	});
	return words.join(' > ');
}
