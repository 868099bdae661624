import { operation } from '../../kit/operation';
import { readStatus } from '../../seller/search';
import { requestId } from '../../fields/shared';
import { isSearchComplete } from '../../document/sellers';

export const getStatus = operation({
	name: 'Get Status',
	action: 'Get status of seller search',
	description: 'Retrieve the status of a seller search',
	forModels: 'Tells whether a seller search is complete. For the report, use Get result of seller search.',
	fields: { requestId },
	run: async ({ requestId }, service) => {
		const answer = await service.send(readStatus(requestId, service.settings));
		const isFinal = isSearchComplete(answer);
		service.advise(isFinal ? "'Get result of seller search' reads the report." : 'Not finished yet: ask again later.');
		return { ...answer, requestId, isFinal };
	},
	example: { status: 'complete', request_id: 'req-1', requestId: 'req-1', isFinal: true },
});
