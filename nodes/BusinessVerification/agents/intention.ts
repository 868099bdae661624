import { createHash } from 'node:crypto';
import type { Json, Request } from '../definition';

/** Made up anew with every call, by a model or by us. */
const madeUp = ['externalId', 'callback'];

/**
 * What a model wants by a call: where it submits and what. The same wish twice is one intention, however it spells the
 * name. Nothing for a write without data: to retry once more is meant each time.
 */
export function intentionOf({ method, path, body, query, place }: Request): string | undefined {
	const data = body ?? query;
	if (place !== undefined || data === undefined || Buffer.isBuffer(data)) return undefined;
	return `${method} ${path} ${fingerprint(data)}`;
}

/** The same for the same business, whatever the order, the spaces and the capitals. */
export function fingerprint(data: Json): string {
	const entries = Object.entries(data).filter(([name]) => !madeUp.includes(name));
	const text = JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
	return createHash('sha256').update(text.toLowerCase().replace(/\s+/g, ' ')).digest('hex').slice(0, 32);
}

/** By this the service itself knows the same business again. */
export const externalIdFor = (business: Json): string => `agent-${fingerprint(business)}`;
