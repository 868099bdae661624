import type { StatusEvent } from '../status';

/** What an event is called in the node and in its output. */
export const endNames: Record<string, string> = {
	COMPLETED: 'completed',
	PARTIAL_SUCCESS: 'partialSuccess',
	FAILED: 'failed',
};

/** Reports that the trigger cannot keep up, or had to start anew. */
export const attention = 'attention';

export const nameOf = ({ kind, row }: StatusEvent) =>
	kind === 'ended' ? endNames[row.status] : kind === 'created' ? 'created' : 'statusChanged';

/** An end is a status change too. */
export const isWanted = (event: StatusEvent, names: string[]) =>
	names.includes(nameOf(event)) || (event.kind !== 'created' && names.includes('statusChanged'));

/** The trigger's filters as the user sets them. */
export interface Filters {
	scorecard_score_max?: number;
	scorecard_score_min?: number;
	search?: string;
	source_filters?: { filter?: Array<{ source?: string; value?: string }> };
	tags?: string;
}

/** What is fixed when an inquiry is created goes on every request; what depends on results is asked after the end. */
export function queriesOf(filters: Filters) {
	const { tags = '', search = '', source_filters, scorecard_score_min, scorecard_score_max } = filters;
	const tagList = tags.split(',').map((tag) => tag.trim());
	const predicates = (source_filters?.filter ?? []).filter(({ source, value }) => source && value);
	return {
		created: {
			...(tagList.some(Boolean) && { tags: tagList.filter(Boolean).join(',') }),
			...(search.trim() && { search: search.trim() }),
		},
		results: {
			...(predicates.length > 0 && {
				source_filters: predicates.map(({ source, value }) => `${source}:${value}`).join(','),
			}),
			...(scorecard_score_min !== undefined && { scorecard_score_min }),
			...(scorecard_score_max !== undefined && { scorecard_score_max }),
		},
	};
}
