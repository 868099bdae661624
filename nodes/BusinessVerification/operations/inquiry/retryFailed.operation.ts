import { operation, sendingOptions } from '../../definition';
import { processRecord, routes } from '../../document';
import { inquiryId } from '../../fields/identifiers';
import { restartWaitingOptions, waitForCompletion } from '../../fields/waitingOptions';
import { addAndWait } from './addition';
import { processExample } from '../examples';

export const retryFailed = operation({
	name: 'Retry Failed',
	action: 'Retry failed processes of inquiry',
	description: 'Retry all failed sources of an inquiry that the service can retry, which may be billed',
	endpoint: routes.retryFailed,
	bills: 'the processes that run again',
	fields: { inquiryId, waitForCompletion, options: sendingOptions(restartWaitingOptions) },
	run: async (input, service, own) =>
		await addAndWait(service, input, {
			...own({ inquiry_id: input.inquiryId }),
			answer: processRecord,
			ifUnknown: "Read the inquiry with 'Get' and look into 'processStatuses' before you retry again.",
		}),
	example: processExample,
});
