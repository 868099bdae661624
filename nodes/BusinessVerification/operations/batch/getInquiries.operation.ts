import { operation } from '../../definition/operation';
import { routes } from '../../document/routes';
import { batchId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/requestOptions';
import { limitOf, paging } from '../../fields/pageLimit';
import { inquiryExample } from '../inquiry/inquiryExample';
import { idOf, judged } from '../inquiry/inquiryRecord';

export const getInquiries = operation({
	name: 'Get Inquiries',
	action: 'Get inquiries of batch',
	description: 'Retrieve the inquiries of a batch with their status and progress',
	endpoint: routes.batchInquiries,
	asks: ['batchId'],
	fields: { batchId, ...paging, options: sendingOptions() },
	run: async ({ batchId, ...page }, service, own) => {
		const rows = await service.list({ ...own({ batch_id: batchId }), limit: limitOf(page), idOf });
		// The document does not show these rows, so all of each is passed on.
		return rows.map((row) => ({ id: idOf(row), ...row, batchId, ...judged(row) }));
	},
	example: {
		input: { batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f', returnAll: false, limit: 50 },
		output: {
			id: inquiryExample.id,
			status: inquiryExample.status,
			externalId: inquiryExample.externalId,
			batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
			isFinal: true,
		},
	},
});
