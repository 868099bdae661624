import type { Json, Request } from '../kit/service';
import { without } from '../kit/objects';
import { stateCode } from '../kit/value';
import { isObject } from '../document/vocabulary';
import { createHash } from 'node:crypto';

/** What is different about a call by a model: what its parameters are, and what it means by it. */

/** The client of an MCP server gives up after 60 seconds: waiting ends before, and so does a request without an answer. */
const waitSeconds = 45;
export const timeoutSeconds = 30;

/** Rows that a model may submit at once, each of them billed. */
export const maxRows = 25;

/** The parameters of a tool: what its author left open is set for models, and some of it is not left to him. */
export const toolParameters = (given: Json): Json => ({
	...given,
	// A model turns pages.
	...(given.returnAll === true && { returnAll: false }),
	sheetOptions: { maxRows, ...(typeof given.sheetOptions === 'object' ? given.sheetOptions : {}) },
	options: forModels(given.options),
	waitingOptions: forModels(given.waitingOptions),
});

const forModels = (options: unknown): Json => ({
	maxWait: waitSeconds / 60,
	...(typeof options === 'object' ? options : {}),
	onTimeout: 'lastState',
});

/** Made up anew with every call, by a model or by us. */
const madeUp = ['externalId', 'callback'];

/** What a model wants by a call: where it submits and what. Nothing for a write without data: to retry once more is meant each time. */
export function intentionOf({ method, path, body, query }: Request): string | undefined {
	const data = body ?? query;
	if (data === undefined || Buffer.isBuffer(data)) return undefined;
	return `${method} ${path} ${fingerprint(data)}`;
}

/** The same for the same business, however a model spells it: `Acme, L.L.C.` in `Illinois` and `ACME LLC` in `IL`. */
export function fingerprint(data: Json): string {
	const text = JSON.stringify(spelledAlike(without(data, ...madeUp)));
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function spelledAlike(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.map((entry) => spelledAlike(entry));
	if (isObject(value)) {
		const names = Object.keys(value).sort();
		return names.map((name) => [name, spelledAlike(value[name], name)]);
	}
	if (typeof value !== 'string') return value;
	const plain = value.normalize('NFKC').toLowerCase().replace(/[.,]/g, '').replace(/\s+/g, ' ').trim();
	return /state$/i.test(key) ? (stateCode(plain) ?? plain) : plain;
}

/** By this the service itself knows the same business again. */
export const externalIdFor = (business: Json): string => `agent-${fingerprint(business)}`;
