import type { Switches } from './switches';

/** One thing that is wrong with a request; `loc` says where, as in ["body", "principals", 0, "lastName"]. */
export interface Problem {
	loc: (string | number)[];
	text: string;
}

/** A request that the service does not serve. Whoever throws it says which sentence of the document was broken. */
export class Refusal extends Error {
	readonly problems: Problem[];

	constructor(
		readonly status: number,
		problems: string | Problem[],
		readonly headers: Record<string, string> = {},
		/** A body of its own, for answers whose form is not an open point. */
		readonly body?: Record<string, unknown>,
	) {
		const list = typeof problems === 'string' ? [{ loc: [], text: problems }] : problems;
		super(list.map(describe).join('; '));
		this.problems = list;
	}
}

const describe = ({ loc, text }: Problem) => (loc.length > 0 ? `${loc.join('.')}: ${text}` : text);

export interface ErrorBody {
	contentType: string;
	payload: string;
}

const json = (value: unknown): ErrorBody => ({
	contentType: 'application/json; charset=utf-8',
	payload: JSON.stringify(value),
});

/** The document does not show the shape of an error body ("Errors"); these are the forms a client must cope with. */
export function renderRefusal(refusal: Refusal, form: Switches['errorForm']): ErrorBody {
	const { message, problems, status, body } = refusal;
	if (body) return json(body);
	switch (form) {
		case 'detailText':
			return json({ detail: message });
		case 'detailList':
			return json({ detail: problems.map(({ loc, text }) => ({ loc, msg: text, type: 'value_error' })) });
		case 'message':
			return json({ message });
		case 'error':
			return json({ error: message });
		case 'errors':
			return json({ errors: problems.map(({ loc, text }) => ({ field: loc.join('.'), message: text })) });
		case 'text':
			return { contentType: 'text/plain; charset=utf-8', payload: message };
		case 'html':
			return htmlPage(`Error ${status}`, message);
	}
}

export function htmlPage(title: string, message: string): ErrorBody {
	const safe = message.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const body = `<h1>${title}</h1><p>${safe}</p>`;
	return {
		contentType: 'text/html; charset=utf-8',
		payload: `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`,
	};
}
