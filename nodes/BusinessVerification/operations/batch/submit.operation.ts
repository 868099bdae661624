import { maxRows } from '../../agents/calls';
import { jointOperation } from '../../kit/operation';
import { routes } from '../../document/routes';
import { importFields } from '../../sheet/importFields';

export const submit = jointOperation({
	name: 'Submit',
	action: 'Submit batch to import spreadsheet',
	description:
		'Verify many businesses by importing the rows of a sheet. Running the same import again submits nothing twice.',
	endpoint: routes.submitBatch,
	bills: 'one inquiry for each new row',
	forModels: `Verifies many businesses at once: submits a list to verify, up to ${maxRows} rows unless set otherwise. Then use Wait for batch. For one business, use Create inquiry.`,
	asks: ['name', 'rowsJson'],
	fields: importFields,
	// Loaded by the first import, because n8n would have to read these eight files before any other operation.
	runAll: async (input, items, service) => {
		const { importSheet } = await import('../../sheet/import');
		return await importSheet(input, items, service);
	},
	example: {
		verificationStatus: 'sent',
		verificationProblem: '',
		'Business Name': 'Acme Trading LLC',
		City: 'Springfield',
		State: 'IL',
		inquiryId: '',
	},
});
