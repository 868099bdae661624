import { flag, shown, whole } from '../definition';

export const paging = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit'),
	limit: shown(
		{ returnAll: [false] },
		whole('Limit', { default: 50, min: 1, description: 'Max number of results to return' }),
	),
};

export const limitOf = ({ returnAll, limit }: { returnAll: boolean; limit?: number }) =>
	returnAll ? undefined : limit;
