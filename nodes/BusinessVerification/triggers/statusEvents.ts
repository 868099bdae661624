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
