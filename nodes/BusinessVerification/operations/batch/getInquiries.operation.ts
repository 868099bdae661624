import { operation } from '../../kit/operation';
import { routes } from '../../document/routes';
import { batchId, limitOf, page, paging, sampleIds } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { chosenBatch } from '../../sheet/batches';
import { inquiryIdOf, inquiryOutput } from '../../inquiry/record';

export const getInquiries = operation({
	name: 'Get Inquiries',
	action: 'Get inquiries of batch',
	description: 'Retrieve the inquiries of a batch with their status',
	endpoint: routes.batchInquiries,
	forModels: 'Lists the businesses (inquiries) of one batch, each with its status. For a score, use Get inquiry.',
	asks: ['batchId', 'page'],
	fields: { batchId, page, ...paging, ...outputs },
	run: async (input, service, own) => {
		const { page = 1 } = input;
		const batchId = await chosenBatch(service, input.batchId);
		const rows = await service.list({ ...own({ batch_id: batchId }), limit: limitOf(input), page, idOf: inquiryIdOf });
		if (rows.length > 0) service.advise("'Get inquiry' with an id reads its score and what was found.");
		return rows.map((row) => inquiryOutput(row, input, { extra: { batchId } }));
	},
	example: {
		status: 'COMPLETED',
		summary: `Inquiry ${sampleIds.inquiry}: COMPLETED.`,
		isFinal: true,
		id: sampleIds.inquiry,
		batchId: sampleIds.batch,
	},
});
