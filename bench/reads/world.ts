import { join } from 'node:path';
import { World } from '../world';

export interface Counts {
	requests: number;
	connections: number;
	/** Different records that were read. */
	read: number;
}

export type ReadsWorld = World<Counts>;

/** Measures in the newest n8n, beside a service that counts. */
export const inReadsWorld = (measure: (world: ReadsWorld) => Promise<boolean>): Promise<boolean> =>
	World.during(join(__dirname, 'service.ts'), measure);
