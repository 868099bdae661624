import type { z } from 'zod';
import { mostRowsOfPage, rowsIn } from '../document/answers';
import { few } from '../kit/objects';
import { Failure, type Json, type Question, unknownOutcome } from '../kit/service';
import { withoutSecrets } from './redaction';

type Reading<T> = Pick<Question<T>, 'answer' | 'kind' | 'ifUnknown' | 'secrets'>;

/** Checks the response. An incomplete one leaves a write not confirmed, because it may have been processed. */
export function readAnswer<T>({ answer, kind, ifUnknown, secrets }: Reading<T>, body: unknown): T {
	const read = answer.safeParse(body);
	if (read.success) return withoutSecrets(secrets, read.data);
	const message = `The service's response has no ${missing(read.error)}`;
	if (kind === 'write') throw unknownOutcome(message, {}, ifUnknown);
	throw new Failure(message, {
		facts: shapeOf(body),
		description: "Check 'Base URL' in the credential: it may point at another service or another version.",
		cause: 'configuration-invalid',
	});
}

function missing({ issues }: z.ZodError): string {
	const [{ path, message }] = issues;
	return path.length > 0 ? [...new Set(issues.map((issue) => `'${issue.path.join('.')}'`))].join(' and ') : message;
}

export interface ListPage {
	rows: Json[];
	/** How many rows match in total, if the response says. */
	total?: number;
	/** The size of a page, if the response says: perhaps smaller than asked. */
	limit?: number;
}

export function pageIn(body: unknown, itemsField: string): ListPage {
	const rows = rowsIn(body, itemsField);
	const { total, limit } = Object(body) as Json;
	if (rows !== undefined && rows.length > mostRowsOfPage) {
		throw new Failure(`A page of the list has more than ${mostRowsOfPage} records`, {
			description: 'The service was asked for 500 at most. Ask your service provider.',
			cause: 'configuration-invalid',
		});
	}
	if (rows !== undefined)
		return { rows, ...(typeof total === 'number' && { total }), ...(typeof limit === 'number' && { limit }) };
	throw new Failure("No list of records was found in the service's response", {
		facts: shapeOf(body),
		description: "Set 'List Items Field' under 'Deployment Settings' in the credential to the field with the records.",
		cause: 'configuration-invalid',
	});
}

/** Names of fields only, because values may be personal, and only those that are names, not an EIN or a key. */
function shapeOf(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'It is empty.';
	if (Array.isArray(body)) return 'It is a list.';
	if (typeof body !== 'object')
		return /^\s*[[{]/.test(String(body)) ? 'It is no JSON, or has more than 250,000 values.' : 'It is plain text.';
	const names = Object.keys(body).filter((key) => /^(?!(.*\d){4})[a-z_][\w.-]{0,39}$/i.test(key));
	return names.length === 0 ? 'It has no fields.' : `It has the fields ${few(names)}.`;
}
