import { operation } from '../../kit/operation';
import { filingFields } from '../../document/inquiries';
import { processRecord } from '../../document/answers';
import { routes } from '../../document/routes';
import { form } from '../../fields/form';
import { restartFields, submitAgain } from '../../fields/shared';
import { addAndWait } from '../../inquiry/addition';
import { retryFailed } from './retryFailed.operation';

export const addFiling = operation({
	name: 'Add Filing',
	action: 'Add filing to inquiry',
	description: 'Look up a Secretary of State filing and add it to an inquiry',
	endpoint: routes.addFiling,
	bills: 'one filing look-up',
	forModels: 'Looks up a Secretary of State filing (registration) by its number and adds it to an inquiry.',
	fields: restartFields(
		form(filingFields, {
			sosId: { description: 'ID of the filing at the Secretary of State', placeholder: 'e.g. 20261234567' },
			sosState: { description: 'State in which the business filed', placeholder: 'e.g. IL' },
		}),
		{ submitAgain },
	),
	run: async (input, service, own) =>
		await addAndWait(service, input, own, {
			body: { sosId: input.sosId, sosState: input.sosState },
			answer: processRecord,
		}),
	example: { ...retryFailed.example, attemptNumber: 1, processType: 'PROVIDER_SOS', taskId: 'provider-sos-1' },
});
