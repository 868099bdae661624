import { operation } from '../../kit/operation';
import { processRecord } from '../../document/answers';
import { routes } from '../../document/routes';
import { restartFields } from '../../fields/shared';
import { addAndWait } from '../../inquiry/addition';
import { processExample } from '../examples';

export const retryFailed = operation({
	name: 'Retry Failed',
	action: 'Retry failed processes of inquiry',
	description: 'Run the failed checks of an inquiry again, as far as the service can retry them',
	endpoint: routes.retryFailed,
	bills: 'the checks that run again',
	forModels: 'Runs everything that failed in an inquiry again. For one task, use Retry process of inquiry.',
	fields: restartFields({}, {}),
	run: async (input, service, own) =>
		await addAndWait(service, input, (inquiry) => ({
			...own(inquiry),
			answer: processRecord,
			ifUnknown: "Check 'processStatuses' of the inquiry with 'Get' before you retry again.",
		})),
	example: processExample,
});
