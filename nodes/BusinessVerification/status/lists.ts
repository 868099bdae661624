import type { Allowance } from './allowance';
import type { Limits } from './limits';
import { activeStatuses, finalStatuses, instant, type Page } from './source';
import { type Bounds, created } from './walk';
import type { Rules } from './watch';

export const active = activeStatuses.join(',');
export const final = finalStatuses.join(',');

export const inquiryRules: Rules = {
	stampOf: ({ completedAt }) => instant(completedAt),
	datesEnds: true,
	readUndated: true,
};

/** A page of the inquiry list, oldest first. */
export function listPage(
	allowance: Allowance,
	{ page: limit }: Limits,
	bounds: Bounds,
	status?: string,
): Promise<Page> {
	return allowance.page({
		...(status === undefined ? {} : { status }),
		...created(bounds),
		sort_by: 'created_at',
		sort_order: 'asc',
		limit,
		offset: bounds.offset,
	});
}
