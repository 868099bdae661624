import type { Credential } from '../client';
import type { World } from '../suite';
import { Search } from './search';

export interface RaceResult {
	/** Milliseconds from the answer to the callback. */
	delay: number;
	tries: number;
	/** By a call that woke the execution. */
	arrived: number;
	timedOut: Search[];
}

/** Short enough to see its end, far longer than any of the delays. */
const soon = 15 / 3600;

/** The service calls back once, so early that the execution may not sleep yet. */
export async function race(world: World, credential: Credential, delay: number, tries: number): Promise<Search[]> {
	const { switches } = await world.sandbox();
	Object.assign(switches, { callbackRetries: 0, sellerMs: delay });
	const searches: Search[] = [];
	for (let each = 0; each < tries; each++) {
		const search = await Search.start(world, credential, { maxWaitHours: soon });
		await search.submitted();
		searches.push(search);
	}
	return searches;
}

/** The service calls back once, when the execution sleeps. */
export async function woken(world: World, credential: Credential, tries: number): Promise<Search[]> {
	const { clock, switches } = await world.sandbox();
	Object.assign(switches, { callbackRetries: 0, sellerMs: 1_000 });
	clock.freeze();
	const searches: Search[] = [];
	for (let each = 0; each < tries; each++) searches.push(await Search.start(world, credential));
	for (const search of searches) await search.asleep();
	clock.advance(1_000);
	clock.unfreeze();
	return searches;
}

/** How they ended; one that no report reached ends a little after its limit, when n8n looks for such executions. */
export async function outcome(delay: number, searches: Search[]): Promise<RaceResult> {
	const timedOut: Search[] = [];
	for (const search of searches) {
		const { status } = await search.output();
		if (status === 'timeout') timedOut.push(search);
	}
	return { delay, tries: searches.length, arrived: searches.length - timedOut.length, timedOut };
}
