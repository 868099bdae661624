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
export async function inReadsWorld<T>(measure: (world: ReadsWorld) => Promise<T>): Promise<T> {
	const world = await World.open<Counts>(join(__dirname, 'service.ts'));
	return await measure(world).finally(() => world.close());
}
