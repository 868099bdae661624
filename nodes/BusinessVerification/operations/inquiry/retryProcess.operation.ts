import { operation, sendingOptions } from '../../definition';
import { processRecord, routes } from '../../document';
import { inquiryId, taskId } from '../../fields/identifiers';
import { restartWaitingOptions, waitForCompletion } from '../../fields/waitingOptions';
import { addAndWait } from './addition';
import { processExample } from '../examples';

export const retryProcess = operation({
	name: 'Retry Process',
	action: 'Retry process of inquiry',
	description: 'Retry one failed process of an inquiry, which may be billed',
	endpoint: routes.retryProcess,
	bills: 'the process that runs again',
	fields: { inquiryId, taskId, waitForCompletion, options: sendingOptions(restartWaitingOptions) },
	run: async (input, service, own) =>
		await addAndWait(service, input, {
			...own({ inquiry_id: input.inquiryId, task_id: input.taskId }),
			answer: processRecord,
			ifUnknown: "Read the inquiry with 'Get' and look into 'processStatuses' before you retry again.",
		}),
	example: processExample,
});
