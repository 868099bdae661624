import type { z } from 'zod';
import { Failure, type Json, type Question, unknownOutcome } from '../definition';
import { rowsIn } from '../document';

/** What the caller needs of an answer. After a write, an answer without it proves nothing: its outcome is unknown. */
export function readAnswer<T>({ answer, kind, ifUnknown }: Question<T>, body: unknown): T {
	const read = answer.safeParse(body);
	if (read.success) return read.data;
	const message = `The answer of the service lacks ${missing(read.error)}`;
	if (kind === 'write') throw unknownOutcome(message, {}, ifUnknown);
	throw new Failure(message, {
		description: `${shapeOf(body)} Check 'Base URL' in the credential: another service, or another version of it, may answer there.`,
		cause: 'configuration-invalid',
	});
}

function missing({ issues }: z.ZodError): string {
	const [{ path, message, code }] = issues;
	if (path.length > 0) return [...new Set(issues.map((issue) => `'${issue.path.join('.')}'`))].join(' and ');
	return code === 'custom' ? message : 'a JSON object';
}

/** The rows of a list answer, found or named by the setting. */
export function readRows(body: unknown, itemsField: string): Json[] {
	const rows = rowsIn(body, itemsField);
	if (rows !== undefined) return rows;
	throw new Failure('The list answer holds no list that could be recognised', {
		description: `${shapeOf(body)} Name the right one in 'List Items Field' in the credential.`,
	});
}

/** Names of fields, never values. */
function shapeOf(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'It is empty.';
	if (Array.isArray(body)) return 'It is a list.';
	return typeof body === 'object'
		? `It has the fields ${Object.keys(body).join(', ') || '(none)'}.`
		: 'It is plain text.';
}
