import { operation } from '../../kit/operation';
import { processRecord } from '../../document/answers';
import { routes } from '../../document/routes';
import { restartFields, taskId } from '../../fields/shared';
import { addAndWait } from '../../inquiry/addition';
import { retryFailed } from './retryFailed.operation';

export const retryProcess = operation({
	name: 'Retry Process',
	action: 'Retry process of inquiry',
	description: 'Run one failed check of an inquiry again',
	endpoint: routes.retryProcess,
	bills: 'the checks that run again',
	forModels:
		'Runs one failed process (task) of an inquiry again. Use Get inquiry with detail processes for its taskId.',
	fields: restartFields({ taskId }, {}),
	run: async (input, service, own) =>
		await addAndWait(service, input, (inquiry) => own({ ...inquiry, task_id: input.taskId }), {
			answer: processRecord,
		}),
	example: retryFailed.example,
});
