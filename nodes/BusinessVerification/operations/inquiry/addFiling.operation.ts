import { text } from '../../definition/field';
import { operation } from '../../definition/operation';
import { inquiryId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { inquiryWaitingOptions, waitForCompletion } from '../../fields/waiting';
import { addAndWait, inquiryPath } from './addition';
import { processExample } from './process';

export const addFiling = operation({
	name: 'Add Filing',
	action: 'Add filing to inquiry',
	description: 'Look up a Secretary of State filing for an inquiry, which may be billed',
	endpoint: 'POST /v1/inquiries/{inquiry_id}/filings',
	fields: {
		inquiryId,
		sosId: text('Secretary of State ID', { placeholder: 'e.g. 20261234567' }),
		sosState: text('Secretary of State State', { placeholder: 'e.g. IL' }),
		waitForCompletion,
		options: sendingOptions(inquiryWaitingOptions),
	},
	run: async (input, service) =>
		await addAndWait(service, input, {
			method: 'POST',
			path: inquiryPath(input.inquiryId, 'filings'),
			body: { sosId: input.sosId, sosState: input.sosState },
			kind: 'write',
			ifUnknown: "Read the inquiry with 'Get' and look into 'processStatuses' before you add the filing again.",
		}),
	example: {
		input: { inquiryId: processExample.inquiryId, sosId: '20261234567', sosState: 'IL' },
		output: { ...processExample, attemptNumber: 1, processType: 'PROVIDER_SOS' },
	},
});
