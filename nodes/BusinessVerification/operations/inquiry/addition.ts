import type { Json, Request, Service } from '../../definition/service';
import { shaped } from './record';
import { readInquiry, untilEnded, type WaitingOptions } from './watching';

export interface Addition {
	inquiryId: string;
	waitForCompletion: boolean;
	options: WaitingOptions;
}

/** Sends what makes an inquiry run again; on request waits for its new end, not taking the old one for it. */
export async function addAndWait(
	service: Service,
	{ inquiryId, waitForCompletion, options }: Addition,
	request: Request,
): Promise<Json> {
	const before = waitForCompletion ? ((await service.send(readInquiry(inquiryId))) as Json) : undefined;
	const answer = { ...((await service.send(request)) as Json), inquiryId };
	if (before === undefined) return answer;
	service.accepted(answer);
	const { inquiry, extra } = await untilEnded(service, inquiryId, options, { before, createdAt: before.createdAt });
	return { ...answer, inquiry: shaped(inquiry, { simple: true }, extra) };
}

export const inquiryPath = (inquiryId: string, rest: string) =>
	`/v1/inquiries/${encodeURIComponent(inquiryId)}/${rest}`;
