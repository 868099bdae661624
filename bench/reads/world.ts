import { join } from 'node:path';
import { World } from '../world';

/** How the service behaves. */
export interface Behaviour {
	delayMs: number;
}

export interface Counts {
	requests: number;
	inFlight: number;
	mostAtOnce: number;
	connections: number;
	/** Different records that were read. */
	read: number;
}

export type ReadsWorld = World<Counts>;

let shared: Promise<ReadsWorld> | undefined;

/** Measures in the newest n8n, which all rows share, beside a service that behaves as wanted. */
export async function inReadsWorld<T>(
	measure: (world: ReadsWorld) => Promise<T>,
	behaviour: Partial<Behaviour> = {},
): Promise<T> {
	const world = await (shared ??= open());
	world.configure(behaviour);
	return await measure(world);
}

/** After the last row. */
export const leaveReadsWorld = async (): Promise<void> => (await shared)?.close();

const open = () => World.open<Counts>(join(__dirname, 'service.ts'));
