import { operation } from '../../definition';
import { routes } from '../../document';
import { outputs } from '../../fields/output';
import { limitOf, paging } from '../../fields/pageLimit';
import { batchExample } from '../examples';
import { idOf, shapedList } from './batchRecord';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many batches',
	description: 'Retrieve a list of batches with their progress',
	endpoint: routes.batches,
	fields: { ...paging, ...outputs },
	run: async (input, service, own) => {
		const rows = await service.list({ ...own(), limit: limitOf(input), idOf });
		return shapedList(rows, input);
	},
	example: batchExample,
});
