import { Raw } from './endpoint';
import { htmlPage } from './refusal';
import type { Switches } from './switches';

type Form = Switches['writeAnswer'] | Switches['readAnswer'];
type Printed = Record<string, unknown>;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** The keys that a client needs, and what else they are called. */
const otherNames: Record<string, string> = {
	id: 'uuid',
	batchId: 'batch_number',
	request_id: 'reference',
	verification_id: 'reference',
};

/** What is sent in place of the answer that the document prints. */
export function formed(answer: unknown, form: Form): unknown {
	if (answer instanceof Raw) return answer;
	const json = JSON.stringify(answer);
	switch (form) {
		case 'asPrinted':
			return answer;
		case 'errorNull':
			return each(answer, (record) => ({ ...record, error: null }));
		case 'errorAndId':
			return each(answer, (record) => ({ ...record, error: 'The phone number could not be read' }));
		case 'wrapped':
			return { data: answer };
		case 'inList':
			return [answer];
		case 'otherId':
			return each(answer, (record) => renamed(record, (name) => otherNames[name] ?? name));
		case 'withoutId':
			return each(answer, (record) => renamed(record, (name) => (name in otherNames ? undefined : name)));
		case 'emptyObject':
			return {};
		case 'null':
			return null;
		case 'nothing':
			return new Raw(JSON_TYPE, '');
		case 'cutAfterId':
			return new Raw(JSON_TYPE, json.slice(0, endOfId(json)));
		case 'html': {
			const { contentType, payload } = htmlPage('Please sign in', 'This is a page for people.');
			return new Raw(contentType, payload);
		}
		case 'asText':
			return new Raw(TEXT_TYPE, json);
		case 'jsonInJson':
			return json;
		case 'byteOrderMark':
			return new Raw(JSON_TYPE, `\uFEFF${json}`);
	}
}

const isRecord = (value: unknown): value is Printed => typeof value === 'object' && value !== null;

function each(answer: unknown, change: (record: Printed) => Printed): unknown {
	if (Array.isArray(answer)) return answer.map((one) => each(one, change));
	return isRecord(answer) ? change(answer) : answer;
}

function renamed(record: Printed, name: (key: string) => string | undefined): Printed {
	const entries = Object.entries(record).map(([key, value]) => [name(key), value] as const);
	return Object.fromEntries(entries.filter((entry): entry is [string, unknown] => entry[0] !== undefined));
}

/** Where the first id ends; the middle where there is none. */
function endOfId(json: string): number {
	const id = /"(id|batchId|request_id|verification_id)":"[^"]*"/.exec(json);
	return id === null ? Math.ceil(json.length / 2) : id.index + id[0].length;
}
