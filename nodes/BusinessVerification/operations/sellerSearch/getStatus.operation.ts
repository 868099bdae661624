import { operation } from '../../kit/operation';
import { readStatus } from '../../seller/search';
import { requestId } from '../../fields/shared';
import { isSearchComplete } from '../../document/sellers';

export const getStatus = operation({
	name: 'Get Status',
	action: 'Get status of seller search',
	description: 'Retrieve the status of a seller search',
	fields: { requestId },
	request: ({ requestId }, _, settings) => readStatus(requestId, settings),
	result: (answer, { requestId }) => ({ ...answer, requestId, isFinal: isSearchComplete(answer) }),
	example: { status: 'complete', request_id: 'req-1', requestId: 'req-1', isFinal: true },
});
