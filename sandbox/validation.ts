import { Refusal, type Problem } from './refusal';

/** Says what is wrong with a value, as one sentence or as problems deeper inside; nothing when it is right. */
export type Kind = (value: unknown) => string | Problem[] | undefined;

export interface Field {
	kind: Kind;
	required?: boolean;
	nullable?: boolean;
	/** The sentence of the document that demands the field. */
	rule?: string;
}
export type Shape = Record<string, Field>;

export const required = (kind: Kind, rule?: string): Field => ({ kind, required: true, rule });
export const optional = (kind: Kind): Field => ({ kind });
export const nullable = (kind: Kind): Field => ({ kind, nullable: true });

export const text: Kind = (value) => {
	if (typeof value !== 'string') return 'must be a string';
	return value.trim() === '' ? 'must not be blank: leave the field out' : undefined;
};
export const number: Kind = (value) => (Number.isFinite(value) ? undefined : 'must be a number');
export const boolean: Kind = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

const matching =
	(pattern: RegExp, message: string): Kind =>
	(value) =>
		typeof value === 'string' && pattern.test(value) ? undefined : message;

export const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a uuid');
/** What the name of zip5 says, which the seller search has beside a zip4. */
export const fiveDigits = matching(/^\d{5}$/, 'must be five digits');
const calendarDay = matching(/^\d{4}-\d{2}-\d{2}$/, 'must be a date (YYYY-MM-DD)');
const moment = matching(
	/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/,
	'must be an ISO 8601 date-time string with its zone',
);

export const date: Kind = (value) => {
	const day = calendarDay(value);
	if (day) return day;
	const parsed = new Date(`${value}T00:00:00Z`);
	const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(String(value));
	return exists ? undefined : 'must be a day that exists';
};
export const dateTime: Kind = (value) =>
	moment(value) ?? (Number.isNaN(Date.parse(String(value))) ? 'must be a time that exists' : undefined);

export const url: Kind = (value) => {
	const problem = text(value);
	if (problem) return problem;
	const parsed = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
	return parsed && /^https?:$/.test(parsed.protocol) ? undefined : 'must be an http or https URL';
};

export const oneOf =
	(values: readonly string[]): Kind =>
	(value) =>
		values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`;

/** Comma-separated text whose every part is of one kind. */
export const commaSeparated =
	(part: Kind): Kind =>
	(value) =>
		text(value) ??
		String(value)
			.split(',')
			.map(part)
			.find((problem) => problem !== undefined);

/** A whole number as it stands in a query. */
export const wholeNumber =
	(least = -Infinity, most = Infinity): Kind =>
	(value) => {
		if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return 'must be an integer';
		if (Number(value) < least) return `must be ${least} or more`;
		return Number(value) > most ? `must be ${most} or less` : undefined;
	};

export const listOf =
	(kind: Kind): Kind =>
	(value) => {
		if (!Array.isArray(value)) return 'must be an array';
		return value.flatMap((item, index) => located(kind(item), [index]));
	};

export const objectOf =
	(shape: Shape, alsoWrong?: (value: Record<string, unknown>) => Problem[]): Kind =>
	(value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
		const record = value as Record<string, unknown>;
		return [...shapeProblems(record, shape), ...(alsoWrong?.(record) ?? [])];
	};

function shapeProblems(record: Record<string, unknown>, shape: Shape): Problem[] {
	const unknown = Object.keys(record)
		.filter((name) => !Object.hasOwn(shape, name))
		.map((name) => ({ loc: [name], text: 'is not a field of the document' }));
	const wrong = Object.entries(shape).flatMap(([name, field]) => {
		const value = record[name];
		if (value === undefined) {
			return field.required ? [{ loc: [name], text: `is required${field.rule ? `: "${field.rule}"` : ''}` }] : [];
		}
		if (value === null) return field.nullable ? [] : [{ loc: [name], text: 'must not be null' }];
		return located(field.kind(value), [name]);
	});
	return [...unknown, ...wrong];
}

function located(problem: string | Problem[] | undefined, loc: (string | number)[]): Problem[] {
	if (problem === undefined) return [];
	if (typeof problem === 'string') return [{ loc, text: problem }];
	return problem.map((inner) => ({ loc: [...loc, ...inner.loc], text: inner.text }));
}

/** All that is wrong with a value, each problem with its place. */
export const problemsOf = (value: unknown, kind: Kind, place: string): Problem[] => located(kind(value), [place]);

/** Refuses with everything that is wrong at once. */
export function demand(value: unknown, kind: Kind, place: string): void {
	const problems = problemsOf(value, kind, place);
	if (problems.length > 0) throw new Refusal(422, problems);
}
