import { Failure } from './failure';
import type { Json } from './service';

/** The document does not name the field that holds the items, so it is looked for; a setting overrides the search. */
export function rowsIn(answer: unknown, itemsField: string): Json[] {
	if (Array.isArray(answer)) return answer as Json[];
	const fields = typeof answer === 'object' && answer !== null ? (answer as Json) : {};
	if (itemsField !== '') {
		if (Array.isArray(fields[itemsField])) return fields[itemsField] as Json[];
	} else {
		const known = ['items', 'results', 'data', 'inquiries', 'batches'].find((name) => Array.isArray(fields[name]));
		if (known !== undefined) return fields[known] as Json[];
		const lists = Object.values(fields).filter(Array.isArray);
		if (lists.length === 1) return lists[0] as Json[];
	}
	throw new Failure('The list answer holds no list that could be recognised', {
		description: `It has the fields ${Object.keys(fields).join(', ') || '(none)'}. Name the right one in 'List Items Field' in the credential.`,
	});
}
