import { join } from 'node:path';
import { World } from '../world';

/** How the service behaves. */
export interface Behaviour {
	delayMs: number;
	/** What is more than this is refused with 429. */
	perSecond: number;
	/** How many there are. */
	inquiries: number;
	batches: number;
	/** So many looks at the list until all batches are done. */
	rounds: number;
}

export interface Counts {
	requests: number;
	refused: number;
	inFlight: number;
	mostAtOnce: number;
	connections: number;
	/** Different records that were read. */
	read: number;
}

export type ReadsWorld = World<Counts>;

export const openReadsWorld = (): Promise<ReadsWorld> => World.open<Counts>(join(__dirname, 'service.ts'));
