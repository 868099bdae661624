import type { StatusEvent } from './watch';

/** What an event is called in the node and in its output. */
export const endNames: Record<string, string> = {
	COMPLETED: 'completed',
	PARTIAL_SUCCESS: 'partialSuccess',
	FAILED: 'failed',
};

export const nameOf = ({ kind, row }: StatusEvent) =>
	kind === 'ended' ? endNames[row.status] : kind === 'created' ? 'created' : 'statusChanged';

/** An end is a status change too. */
export const isWanted = (event: StatusEvent, names: string[]) =>
	names.includes(nameOf(event)) || (event.kind !== 'created' && names.includes('statusChanged'));
