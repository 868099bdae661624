import { operation, sendingOptions } from '../../kit/operation';
import { processRecord } from '../../document/answers';
import { routes } from '../../document/routes';
import { inquiryId, restartWaitingOptions, spendingLimit, taskId, waitForCompletion } from '../../fields/shared';
import { addAndWait } from '../../inquiry/end';
import { processExample } from '../examples';

export const retryProcess = operation({
	name: 'Retry Process',
	action: 'Retry process of inquiry',
	description: 'Retry one failed process of an inquiry, which may be billed',
	endpoint: routes.retryProcess,
	bills: 'what runs again',
	forModels:
		'Runs one failed process (task) of an inquiry again. Use Get inquiry with detail processes for its taskId.',
	fields: {
		inquiryId,
		taskId,
		waitForCompletion,
		options: sendingOptions({ ...restartWaitingOptions, spendingLimit }),
	},
	run: async (input, service, own) =>
		await addAndWait(service, input, {
			...own({ inquiry_id: input.inquiryId, task_id: input.taskId }),
			answer: processRecord,
			ifUnknown: "Read the inquiry with 'Get' and look into 'processStatuses' before you retry again.",
		}),
	example: processExample,
});
