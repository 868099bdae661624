import type { Input, Json, Question, Service } from '../../definition';
import type { restartWaitingOptions } from '../../fields/waitingOptions';
import { shaped } from './inquiryRecord';
import { readInquiry, untilEnded } from './inquiryEnd';

interface Addition {
	inquiryId: string;
	waitForCompletion: boolean;
	options: Input<typeof restartWaitingOptions>;
}

/** Sends what makes an inquiry run again; on request waits for its new end, not taking the old one for it. */
export async function addAndWait(
	service: Service,
	{ inquiryId, waitForCompletion, options }: Addition,
	write: Omit<Question<Json>, 'kind'>,
): Promise<Json> {
	const before = waitForCompletion ? await service.send(readInquiry(inquiryId)) : undefined;
	const answer = { ...(await service.send({ ...write, kind: 'write' })), inquiryId };
	if (before === undefined) return answer;
	service.accepted(answer);
	const { inquiry, extra } = await untilEnded(service, inquiryId, options, before, options.restartGrace);
	return { ...answer, inquiry: shaped(inquiry, {}, { extra }) };
}
