import { operation } from '../../kit/operation';
import { routes } from '../../document/routes';
import { limitOf, page, paging } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { batchIdOf } from '../../document/answers';
import { batchOutput } from '../../sheet/batches';
import { get } from './get.operation';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many batches',
	description: 'Retrieve a list of batches with their progress',
	endpoint: routes.batches,
	forModels: 'Lists batches (imports): what each is called, its batchId and progress.',
	asks: ['page'],
	fields: { page, ...paging, ...outputs },
	run: async (input, service, own) => {
		const rows = await service.list({ ...own(), limit: limitOf(input), page: input.page ?? 1, idOf: batchIdOf });
		return rows.map((row) => batchOutput(row, input));
	},
	example: get.example,
});
