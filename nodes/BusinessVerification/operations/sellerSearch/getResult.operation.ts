import { operation } from '../../kit/operation';
import { part, requestId } from '../../fields/shared';
import { readResult } from '../../seller/search';

export const getResult = operation({
	name: 'Get Result',
	action: 'Get result of seller search',
	description: 'Retrieve the Seller Report of a seller search',
	forModels: 'Reads what the Seller Report says, its seller_id among it.',
	asks: ['requestId', 'part'],
	fields: { requestId, part },
	// A copy of a large report takes as long as reading it.
	run: async ({ requestId }, service) =>
		Object.assign(await service.send(readResult(requestId, service.settings)), { requestId }),
	example: { request_id: 'req-1', seller_id: 'seller-1', requestId: 'req-1' },
});
