import { operation } from '../../definition/operation';
import { inquiryId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { inquiryWaitingOptions, waitForCompletion } from '../../fields/waiting';
import { addAndWait, inquiryPath } from './addition';
import { processExample } from './process';

export const retryFailed = operation({
	name: 'Retry Failed',
	action: 'Retry failed processes of inquiry',
	description: 'Retry all failed source processes of an inquiry that the service finds retryable, which may be billed',
	endpoint: 'POST /v1/inquiries/{inquiry_id}/retry-failed',
	fields: { inquiryId, waitForCompletion, options: sendingOptions(inquiryWaitingOptions) },
	run: async (input, service) =>
		await addAndWait(service, input, {
			method: 'POST',
			path: inquiryPath(input.inquiryId, 'retry-failed'),
			kind: 'write',
			ifUnknown: "Read the inquiry with 'Get' and look into 'processStatuses' before you retry again.",
		}),
	example: { input: { inquiryId: processExample.inquiryId }, output: processExample },
});
