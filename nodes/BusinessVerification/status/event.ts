import type { Row } from './source';

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: Row;
	/** The status last seen before this one; null where none was seen. */
	previousStatus: string | null;
	/** Names the occurrence in the service's own words: the same whenever and however often it is reported. */
	key: string;
	/** Minutes that its results have been waited for. */
	waited: number;
}
