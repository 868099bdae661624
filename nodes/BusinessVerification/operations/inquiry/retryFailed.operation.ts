import { operation } from '../../kit/operation';
import { processRecord } from '../../document/answers';
import { routes } from '../../document/routes';
import { restartFields, sampleIds } from '../../fields/shared';
import { addAndWait } from '../../inquiry/addition';

export const retryFailed = operation({
	name: 'Retry Failed',
	action: 'Retry failed processes of inquiry',
	description: 'Run the failed checks of an inquiry again, as far as the service can retry them',
	endpoint: routes.retryFailed,
	bills: 'the checks that run again',
	forModels: 'Runs everything that failed in an inquiry again. For one task, use Retry process of inquiry.',
	fields: restartFields({}, {}),
	run: async (input, service, own) => await addAndWait(service, input, own, { answer: processRecord }),
	example: {
		id: '7a6b5c4d-3e2f-4a1b-9c8d-7e6f5a4b3c2d',
		taskId: 'license-verification-1',
		attemptNumber: 2,
		processType: 'LICENSE_VERIFICATION',
		status: 'PENDING',
		phase: 'ACQUISITION',
		isBackground: false,
		createdAt: '2026-03-02T10:00:00Z',
		inquiryId: sampleIds.inquiry,
	},
});
