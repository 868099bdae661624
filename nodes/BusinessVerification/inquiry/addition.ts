import type { InquiryChoice, WaitingOptions } from '../fields/shared';
import { without } from '../kit/objects';
import type { Address, Json, Question, Service } from '../kit/service';
import { readInquiry, untilFinished } from './completion';
import { chosenId } from './found';
import { inquiryOutput, sayNext } from './record';

interface Addition {
	inquiryId: InquiryChoice;
	waitForCompletion: boolean;
	waitingOptions: WaitingOptions;
	options: { advanced: { reRunWait: number } };
}

/**
 * Sends an addition or a retry. Reads the inquiry before it, so that the wait can tell the new completion from the old.
 */
export async function addAndWait(
	service: Service,
	{ inquiryId: chosen, waitForCompletion, waitingOptions, options }: Addition,
	own: (inquiry: { inquiry_id: string }) => Address,
	write: Omit<Question<Json>, 'kind' | keyof Address>,
): Promise<Json> {
	const inquiryId = await chosenId(service, chosen, true);
	const before = waitForCompletion ? await service.send(readInquiry(inquiryId)) : undefined;
	const question = { ...own({ inquiry_id: inquiryId }), kind: 'write', ifUnknown: checkFirst, ...write } as const;
	const answer: Json = { ...(await service.send(question)), inquiryId };
	if (before === undefined) {
		service.remark(
			"The inquiry may run again. For a minute, 'Inquiry: Wait' can return the result from before. 'Wait for Completion' waits for the new one: check 'restartSeen'.",
		);
		service.advise(
			'Accepted, and the inquiry may run again: do not send this again.',
			"'Wait for inquiry' waits for it. For a minute, the result may be the one from before: compare 'completedAt'.",
		);
		return answer;
	}
	const waits = { ...waitingOptions, reRunWait: options.advanced.reRunWait };
	const { inquiry, extra } = await untilFinished(service, inquiryId, waits, before);
	// A final status may still be the one from before.
	sayNext(service, extra.timedOut ? without(inquiry, 'status') : inquiry);
	return { ...answer, inquiry: inquiryOutput(inquiry, {}, { extra }) };
}

const checkFirst = "Check 'processStatuses' of the inquiry with 'Get' before you send this again.";
