import { operation } from '../../definition/operation';
import { routes } from '../../document/routes';
import { sendingOptions } from '../../fields/options';
import { simple } from '../../fields/output';
import { limitOf, paging } from '../../fields/paging';
import { batchExample } from './example';
import { idOf, shaped } from './record';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many batches',
	description: 'Retrieve a list of batches with their progress',
	endpoint: routes.batches,
	fields: { ...paging, simple, options: sendingOptions() },
	run: async ({ simple, ...page }, service, own) => {
		const rows = await service.list({ ...own(), limit: limitOf(page), idOf });
		return rows.map((row) => shaped(row, simple));
	},
	example: { input: { returnAll: false, limit: 50 }, output: batchExample },
});
