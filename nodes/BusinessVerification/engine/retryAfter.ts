import type { Answer } from './attempt';

/** After how long the service wants the next request. */
export function retryAfterMs({ status, headers }: Pick<Answer, 'status' | 'headers'>): number | undefined {
	const asked = delayIn(headers, 'retry-after');
	// When the quota is renewed. Services say so in every response, so it means a delay only if the quota is used up.
	return status === 429
		? [asked, ...resets.map((name) => delayIn(headers, name))].find((delay) => delay !== undefined)
		: asked;
}

const resets = ['ratelimit-reset', 'x-ratelimit-retry-after', 'x-ratelimit-reset', 'x-rate-limit-reset'];

const seconds = /^\d{1,10}(\.\d{1,9})?$/;
/** The form that HTTP prescribes. `Date.parse` alone takes `2026-11-25` for a time that has passed. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
/** Some services write the time in seconds since 1970 instead of a delay. */
const sinceEpoch = 1_000_000_000;

function delayIn(headers: Answer['headers'], name: string): number | undefined {
	const text = String(headers[name] ?? '').trim();
	const isSeconds = seconds.test(text);
	if (!isSeconds && !httpDate.test(text)) return undefined;
	if (isSeconds && Number(text) < sinceEpoch) return Number(text) * 1000;
	const moment = isSeconds ? Number(text) * 1000 : Date.parse(text);
	// Compared with the Date header, because the clock of the service may differ from ours.
	return Math.max(0, moment - (Date.parse(String(headers.date)) || Date.now()));
}
