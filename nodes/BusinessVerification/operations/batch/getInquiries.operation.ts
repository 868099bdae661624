import { operation } from '../../definition';
import { routes } from '../../document';
import { batchId, sampleIds } from '../../fields/identifiers';
import { outputs } from '../../fields/output';
import { limitOf, paging } from '../../fields/pageLimit';
import { inquiryExample } from '../examples';
import { idOf, shapedList } from '../inquiry/inquiryRecord';

export const getInquiries = operation({
	name: 'Get Inquiries',
	action: 'Get inquiries of batch',
	description: 'Retrieve the inquiries of a batch with their status',
	endpoint: routes.batchInquiries,
	fields: { batchId, ...paging, ...outputs },
	run: async (input, service, own) => {
		const { batchId } = input;
		const rows = await service.list({ ...own({ batch_id: batchId }), limit: limitOf(input), idOf });
		const inquiries = rows.map((row) => ({ id: idOf(row), ...row }));
		return shapedList(inquiries, input, { extra: { batchId } });
	},
	example: { ...inquiryExample, batchId: sampleIds.batch },
});
