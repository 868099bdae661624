import type { Failure, Json, Request } from '../kit/service';
import { FileOutput } from '../kit/operation';
import { present, without } from '../kit/objects';
import { stateCode } from '../kit/value';
import { isObject } from '../document/vocabulary';
import { createHash } from 'node:crypto';

/** What a model reads of a call: text within bounds, with the next call in it. */

/**
 * A failure is an answer too. As an error some agents see nothing of it, others only its first words, the client of an
 * MCP server neither, and n8n may try the tool again.
 */
export const failed = ({ message, details }: Failure): Json =>
	present({
		problem: message,
		submission: details.submission ?? 'none',
		nextStep: details.description ?? 'Correct what is named, then call this tool again.',
		httpCode: details.httpCode,
		parameter: details.parameter,
	});

/** What an operation returned. One record says how to go on with it; a list ends where it becomes too long to read. */
export function answered(result: unknown, limit: unknown): unknown {
	if (Array.isArray(result)) return bounded(result as Json[], typeof limit === 'number' ? limit : Infinity);
	if (result instanceof FileOutput)
		return new FileOutput({ ...result.json, nextStep: whereFileIs(result) }, result.file);
	return isObject(result) ? withNextStep(result) : result;
}

/** Characters of JSON: some thousand tokens. */
const mostCharacters = 14_000;

export function bounded(rows: Json[], limit: number): Json[] {
	let characters = 0;
	const fit = rows.findIndex((row) => (characters += JSON.stringify(row).length + 1) > mostCharacters);
	const shown = fit < 0 ? rows : rows.slice(0, Math.max(1, fit));
	if (shown.length === rows.length && rows.length < limit) return rows;
	const nextStep =
		shown.length < rows.length
			? 'The list is longer than an answer may be. Narrow it by its filters, or get one record by its ID.'
			: 'The list may go on. Narrow it by its filters to see others.';
	return [...shown, { shown: shown.length, nextStep }];
}

function withNextStep(record: Json): Json {
	const state = isObject(record.inquiry) ? record.inquiry : record;
	const id = state.id ?? state.batchId;
	if (state.isFinal !== false || id === undefined || record.nextStep !== undefined) return record;
	const nextStep = `Not finished yet, and already submitted: do not submit it again. Ask for ${String(id)} later, by a tool that gets it or waits for it.`;
	return { ...record, nextStep };
}

const whereFileIs = ({ json, file }: FileOutput) =>
	`A model is not given files. Where the execution keeps the output of this tool, the file is there in the field '${file.field}'; elsewhere a workflow downloads it with 'Download PDF' and the inquiry ID ${String(json.inquiryId)}.`;

/** The client of an MCP server gives up after 60 seconds: waiting ends before, and so does a request without an answer. */
const waitSeconds = 45;
export const timeoutSeconds = 30;
/** Jobs of a few seconds are seen to end before the service's own interval has passed. */
const earlyLook = 5;

/** The parameters of a tool: what its author left open is set for models, and some of it is not left to him. */
export const toolParameters = (given: Json): Json => ({
	...given,
	// A model cannot read everything; what it is shown is bounded by the limit.
	...(given.returnAll === true && { returnAll: false }),
	options: forModels(given.options),
	waitingOptions: forModels(given.waitingOptions),
});

const forModels = (options: unknown): Json => ({
	maxWait: waitSeconds / 60,
	earlyLook,
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
