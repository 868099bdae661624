import type { Json, Request } from '../kit/service';
import { without } from '../kit/objects';
import { einDigits, stateCode } from '../kit/unitedStates';
import { isObject } from '../document/vocabulary';
import { createHash } from 'node:crypto';

/** Clients of MCP servers time out after 60 seconds, so waits and requests have to finish sooner, with their repeats. */
const waitSeconds = 45;
export const timeoutSeconds = 30;
export const patienceMs = 25_000;

/** Default of 'Maximum Rows' for models, because each row is billed. */
export const maxRows = 25;

/** The parameters of a tool with defaults for models. `onTimeout` and `returnAll` are set for every tool. */
export const toolParameters = (given: Json): Json => ({
	...given,
	// A model reads page by page, because its responses are limited.
	...(given.returnAll === true && { returnAll: false }),
	sheetOptions: { maxRows, ...(typeof given.sheetOptions === 'object' ? given.sheetOptions : {}) },
	waitingOptions: forModels(given.waitingOptions),
});

const forModels = (options: unknown): Json => ({
	maxWait: waitSeconds / 60,
	waitForBusinesses: 0,
	...(typeof options === 'object' ? options : {}),
	onTimeout: 'lastState',
});

/** Fields with a new value in every call, from the model or from this node, so they do not identify the data. */
const madeUp = ['externalId', 'callback'];

/** Identifies what a call submits. Undefined for a write without data: each retry of an inquiry is meant. */
export function intentionOf({ method, path, body, query }: Request): string | undefined {
	const data = body ?? query;
	if (data === undefined || Buffer.isBuffer(data)) return undefined;
	return `${method} ${path} ${fingerprint(data)}`;
}

/** The same for other spellings by a model: `Acme, L.L.C.` in `Illinois` and `ACME LLC` in `IL`. */
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
	// In an address or a number, a dot makes another one.
	const written = /(name|dba)$/i.test(key) ? value.replace(/[.,]/g, '') : value;
	const plain = written.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
	const alike = /state$/i.test(key) ? stateCode(plain) : /ein$/i.test(key) ? einDigits(plain) : undefined;
	return alike ?? plain;
}

/** With this external ID, the service itself matches a business that an agent submits again. */
export const externalIdFor = (business: Json): string => `agent-${fingerprint(business)}`;
