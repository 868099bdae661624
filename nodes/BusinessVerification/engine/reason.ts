import type { Json } from '../definition';

/**
 * The document does not show the shape of an error, so every usual one is understood: `detail` as text or as a list of
 * places and messages, `message`, `error`, `errors`, `title`, plain text. Only HTML says nothing worth repeating.
 */
export function reasonOf(body: unknown): string | undefined {
	const text = readable(body);
	return text === '' ? undefined : text;
}

function readable(value: unknown): string {
	if (typeof value === 'string') return looksLikeHtml(value) ? '' : value.trim();
	if (Array.isArray(value)) return value.map(readable).filter(Boolean).join('; ');
	if (typeof value !== 'object' || value === null) return '';
	const body = value as Json;
	const place = placeName(body.loc ?? body.field ?? body.path ?? []);
	for (const key of ['detail', 'message', 'msg', 'error', 'errors', 'error_description', 'title', 'reason']) {
		const said = readable(body[key]);
		if (said !== '') return place === '' ? said : `${place}: ${said}`;
	}
	// A map of field names to messages, the last usual form.
	return Object.entries(body)
		.map(([key, entry]) => [key, typeof entry === 'string' || Array.isArray(entry) ? readable(entry) : ''])
		.filter(([, said]) => said !== '')
		.map(([key, said]) => `${key}: ${said}`)
		.join('; ');
}

const placeName = (place: unknown) =>
	Array.isArray(place) ? place.filter((part) => part !== 'body' && part !== 'query').join('.') : String(place);

export const looksLikeHtml = (text: string) => /^\s*<(!doctype|html|head|body)/i.test(text);

/** Done last: a secret that the cut goes through would no longer be recognised. */
export const shortened = (text: string) => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text);
