import { operation } from '../../definition';
import { routes } from '../../document';
import { batchId } from '../../fields/identifiers';
import { outputs } from '../../fields/output';
import { limitOf, paging } from '../../fields/pageLimit';
import { sendingOptions } from '../../fields/requestOptions';
import { inquiryExample } from '../inquiry/inquiryExample';
import { idOf, shapedList } from '../inquiry/inquiryRecord';

export const getInquiries = operation({
	name: 'Get Inquiries',
	action: 'Get inquiries of batch',
	description: 'Retrieve the inquiries of a batch with their status',
	endpoint: routes.batchInquiries,
	asks: ['batchId'],
	fields: { batchId, ...paging, ...outputs, options: sendingOptions() },
	run: async (input, service, own) => {
		const { batchId } = input;
		const rows = await service.list({ ...own({ batch_id: batchId }), limit: limitOf(input), idOf });
		const inquiries = rows.map((row) => ({ id: idOf(row), ...row }));
		return shapedList(inquiries, input, { extra: { batchId } });
	},
	example: {
		input: { batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f', returnAll: false, limit: 50 },
		output: { ...inquiryExample, batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f' },
	},
});
