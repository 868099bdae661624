import { operation } from '../../kit/operation';
import { requestId } from '../../fields/shared';
import { readResult } from '../../seller/search';

export const getResult = operation({
	name: 'Get Result',
	action: 'Get result of seller search',
	description: 'Retrieve the Seller Report of a seller search',
	fields: { requestId },
	request: ({ requestId }, _, settings) => readResult(requestId, settings),
	result: (answer, { requestId }) => ({ ...answer, requestId }),
	example: { request_id: 'req-1', seller_id: 'seller-1', requestId: 'req-1' },
});
