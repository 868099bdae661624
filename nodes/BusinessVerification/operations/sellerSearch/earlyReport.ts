import { sellerIdIn } from '../../callback/reportIds';
import type { Json, Question, Service } from '../../definition';
import { isSearchComplete } from '../../document';
import { readResult, readStatus } from './progress';

/**
 * n8n refuses a callback while the execution is still going to sleep, so a search that ends that soon is looked up. Not
 * after a whole second: a service that takes one would call in the very moment between this look and the sleep.
 */
const settlingMs = 1500;

export async function earlyReport(
	service: Service,
	requestId: string | null,
	answer: Json,
	sellerIdPath: string,
): Promise<{ report: unknown } | undefined> {
	const { settings } = service;
	if (settings.sellerResultPath === '' || requestId === null) {
		if (isSearchComplete(answer)) {
			service.remark(
				"The search was complete at once. Set 'Seller Result Path' in the credential, and its report is fetched in such a case.",
			);
		}
		return undefined;
	}
	// The search was accepted: a look-up that fails leaves the report to the callback.
	const look = async (question: Question<Json>) => await service.send(question).catch(() => undefined);
	let isKnownToBeComplete = isSearchComplete(answer);
	if (!isKnownToBeComplete) {
		await service.pause(settlingMs);
		const status = settings.sellerStatusPath === '' ? undefined : await look(readStatus(requestId, settings));
		if (status !== undefined && !isSearchComplete(status)) return undefined;
		isKnownToBeComplete = status !== undefined;
	}
	const report = await look(readResult(requestId, settings));
	if (report === undefined || !holdsMore(report)) return undefined;
	// A report may have a status of its own, an active seller say.
	const isReport = isKnownToBeComplete || report.status === undefined || isSearchComplete(report);
	return isReport || sellerIdIn(report, sellerIdPath) !== undefined ? { report } : undefined;
}

/** Nothing but the status of a request is no report, whatever it says. */
const holdsMore = (answer: Json) =>
	Object.keys(answer).some((name) => !['status', 'request_id', 'requestId'].includes(name));
