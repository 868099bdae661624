import { entriesIn, isObject, partsRead } from '../document/vocabulary';

/**
 * The API documentation does not define errors, so all usual forms are read: `detail` as text or as a list of fields
 * and messages, `message`, `error`, `errors`, `title`, plain text. HTML is ignored, and so is what lies deeper inside.
 * Parts that say nothing are visited more than once, so they count each time.
 */
export function reasonIn(value: unknown, levels = 10, left = { parts: partsRead }): string {
	if (typeof value === 'string') return looksLikeHtml(value) ? '' : value.trim();
	if (levels === 0 || left.parts-- <= 0) return '';
	const inside = (entry: unknown) => reasonIn(entry, levels - 1, left);
	if (Array.isArray(value)) return value.slice(0, partsRead).map(inside).filter(Boolean).join('; ');
	if (!isObject(value)) return '';
	const field = fieldPath(value.loc ?? value.field ?? value.path ?? []);
	for (const key of ['detail', 'message', 'msg', 'error', 'errors', 'error_description', 'title', 'reason']) {
		const said = inside(value[key]);
		if (said !== '') return field === '' ? said : `${field}: ${said}`;
	}
	// Finally, a map of field names to messages.
	return entriesIn(value)
		.map(([key, entry]) => [key, typeof entry === 'string' || Array.isArray(entry) ? inside(entry) : ''])
		.filter(([, said]) => said !== '')
		.map(([key, said]) => `${key}: ${said}`)
		.join('; ');
}

const fieldPath = (path: unknown) =>
	Array.isArray(path) ? path.filter((part) => part !== 'body' && part !== 'query').join('.') : String(path);

export const looksLikeHtml = (text: string) => /^\s*<(!doctype|html|head|body)/i.test(text);
