import { pollingSeconds } from '../document/vocabulary';
import type { Json } from '../kit/service';
import { failedIn, isFinal } from './record';

/** What of an inquiry a model reads. */
export type Detail = 'summary' | 'processes' | 'businesses';

/** The document does not say how long after the end the businesses come. */
const fillingMs = 300_000;

/** What an agent may do next about an inquiry as it is now. Holds nothing that others wrote. */
export function afterInquiry(inquiry: Json, now: number, shown: Detail = 'summary'): string[] {
	if (!isFinal(inquiry)) {
		return [
			'Submitted and not finished yet: do not submit it again.',
			'{inquiry.wait} waits for it.',
			'{inquiry.get} reads it later.',
		];
	}
	const { businesses, completedAt, status } = inquiry;
	const isFresh = typeof completedAt === 'string' && now - Date.parse(completedAt) < fillingMs;
	const isFilling = status !== 'FAILED' && !Array.isArray(businesses) && isFresh;
	const hasBusinesses = Array.isArray(businesses) && businesses.length > 0;
	return [
		...(status === 'FAILED' ? ['The checks could not run. This says nothing about the business.'] : []),
		...(isFilling ? [`Results are still being filled in: read it again in ${pollingSeconds} seconds.`] : []),
		...(hasBusinesses && shown === 'summary' ? ['{inquiry.get} with detail businesses shows what was found.'] : []),
		...(failedIn(inquiry).length > 0 ? retries[shown] : []),
		'Status and score are facts, not a verdict: the user decides.',
	];
}

const retryAll = '{inquiry.retryFailed} runs what failed again, which costs money: ask the user first.';
const retryOne = '{inquiry.retryProcess} with a task ID runs one again, which costs money: ask the user first.';

const retries: Record<Detail, string[]> = {
	summary: ['{inquiry.get} with detail processes shows what failed.', retryAll],
	processes: [retryAll, retryOne],
	businesses: [],
};
