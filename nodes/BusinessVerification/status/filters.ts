import type { ResultFilters } from './judge';
import type { CreationFilters } from './sources';

/** The trigger's filters as the user sets them. */
export interface Filters {
	scorecard_score_max?: number;
	scorecard_score_min?: number;
	search?: string;
	source_filters?: { filter?: Array<{ source?: string; value?: string }> };
	tags?: string;
}

/** What is fixed when an inquiry is created goes on every request; what depends on results is asked after the end. */
export function queriesOf({
	tags = '',
	search = '',
	source_filters,
	scorecard_score_min,
	scorecard_score_max,
}: Filters) {
	const tagList = tags
		.split(',')
		.map((tag) => tag.trim())
		.filter(Boolean)
		.join(',');
	const predicates = (source_filters?.filter ?? []).filter(({ source, value }) => source && value);
	const created: CreationFilters = {
		...(tagList && { tags: tagList }),
		...(search.trim() && { search: search.trim() }),
	};
	const results: ResultFilters = {
		...(predicates.length > 0 && {
			source_filters: predicates.map(({ source, value }) => `${source}:${value}`).join(','),
		}),
		...(scorecard_score_min !== undefined && { scorecard_score_min }),
		...(scorecard_score_max !== undefined && { scorecard_score_max }),
	};
	return { created, results };
}
