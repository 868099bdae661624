import { operation } from '../../definition/operation';
import { inquiryId, taskId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { inquiryWaitingOptions, waitForCompletion } from '../../fields/waiting';
import { addAndWait, inquiryPath } from './addition';
import { processExample } from './process';

export const retryProcess = operation({
	name: 'Retry Process',
	action: 'Retry process of inquiry',
	description: 'Retry one failed process of an inquiry, which may be billed',
	endpoint: 'POST /v1/inquiries/{inquiry_id}/processes/{task_id}/retry',
	fields: { inquiryId, taskId, waitForCompletion, options: sendingOptions(inquiryWaitingOptions) },
	run: async (input, service) =>
		await addAndWait(service, input, {
			method: 'POST',
			path: inquiryPath(input.inquiryId, `processes/${encodeURIComponent(input.taskId)}/retry`),
			kind: 'write',
			ifUnknown: "Read the inquiry with 'Get' and look into 'processStatuses' before you retry again.",
		}),
	example: { input: { inquiryId: processExample.inquiryId, taskId: processExample.taskId }, output: processExample },
});
