import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { Failure } from '../definition/failure';
import type { Fields } from '../definition/field';

/** Reads one item's parameters, checked and typed by the operation's own fields; throws a Failure that names them. */
export type ReadParameters = (item: number) => Record<string, unknown>;

/**
 * An expression costs half a millisecond in n8n, so a parameter is evaluated per item only when an expression hides
 * anywhere inside it; everything else is read, and the whole set checked, once for all items.
 */
export function parameterReader(context: IExecuteFunctions, fields: Fields): ReadParameters {
	const saved = context.getNode().parameters;
	const names = Object.keys(fields);
	const dynamic = names.filter((name) => !fields[name].isRaw && hasExpression(saved[name]));
	const schema = z.object(Object.fromEntries(names.map((name) => [name, fields[name].schema])));
	const fixed = Object.fromEntries(
		names.filter((name) => !dynamic.includes(name)).map((name) => [name, saved[name] ?? fields[name].property.default]),
	);

	if (dynamic.length === 0) {
		const checked = schema.safeParse(fixed);
		return () => orFailure(checked, fields);
	}
	return (item) => {
		const values: Record<string, unknown> = { ...fixed };
		for (const name of dynamic) {
			values[name] = context.getNodeParameter(name, item, fields[name].property.default as string);
		}
		return orFailure(schema.safeParse(values), fields);
	};
}

/** At any depth: an expression inside a collection makes the whole parameter differ from item to item. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasExpression);
	return false;
}

function orFailure(
	checked: z.SafeParseReturnType<unknown, Record<string, unknown>>,
	fields: Fields,
): Record<string, unknown> {
	if (checked.success) return checked.data;
	const problems = checked.error.issues.map((issue) => `'${label(issue.path, fields)}' ${issue.message}`);
	throw new Failure(problems[0], {
		parameter: checked.error.issues[0].path.filter((part) => typeof part === 'string').join('.'),
		description: problems.length > 1 ? `Also: ${problems.slice(1).join('; ')}` : undefined,
	});
}

/** The path of a problem in the words of the form: "Additional Fields > EIN", "Principals > 2 > Last Name". */
function label(path: Array<string | number>, fields: Fields): string {
	const words: string[] = [];
	let property: { displayName?: string; options?: unknown[] } | undefined = fields[String(path[0])]?.property;
	words.push(property?.displayName ?? String(path[0]));
	for (const part of path.slice(1)) {
		if (typeof part === 'number') {
			words.push(String(part + 1));
			continue;
		}
		property = inner(property, part);
		words.push(property?.displayName ?? part);
	}
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
