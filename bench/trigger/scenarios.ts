import type { World, WorldOptions } from './world';

export interface Scenario {
	world?: Partial<WorldOptions>;
	intervalMs?: number;
	polls?: number;
	/** Polls at the end in which nothing new happens. */
	calm?: number;
	/** Part of the requests that fail. */
	failures?: number;
	/** Part of the polls after which n8n restarts with the memory of the last emission. */
	restarts?: number;
	/** What else happens before some poll. */
	before?(world: World, poll: number): void;
}

const crowd = (count: number) => (world: World, poll: number) => {
	if (poll % 20 !== 5) return;
	for (let index = 0; index < count; index++) world.create(world.model.now, 30_000 + index * 40);
};

export const scenarios: Record<string, Scenario> = {
	'steady, 1 minute': {},
	'steady, 5 minutes': { intervalMs: 300_000 },
	'1,200 with one creation time': { before: crowd(1_200) },
	'the same in changing order': {
		before: (world, poll) => poll === 5 && crowd(1_200)(world, poll),
		world: { shuffleTies: true, createdPerMinute: 30 },
	},
	'3 % of requests fail': { failures: 0.03 },
	'5 % restarts with rollback': { restarts: 0.05 },
	'old ones run again': { world: { oldRerunsPerMinute: 6 } },
	deletions: { world: { vanishPerMinute: 5 } },
	'exclusive bounds, visible after 20 s': { world: { boundsIncluded: false, latenessMs: 20_000 } },
	'Date header 90 s behind': { world: { skewMs: -90_000 } },
	'Date header 120 s ahead': { world: { skewMs: 120_000 } },
	'5,000 in a burst': { before: (world, poll) => poll === 5 && crowd(5_000)(world, poll) },
	'rows without completedAt': { world: { undatedRows: true } },
	'completedAt kept on a re-run': { world: { onRerun: 'keep' } },
};

/** A re-run that nobody saw running leaves no trace there. */
export const isBlind = ({ world }: Scenario) => world?.undatedRows === true || world?.onRerun === 'keep';

/** Old inquiries that run again between two polls, by what else there is, and within how many minutes all are found. */
export const oldReruns: Record<string, Scenario & { within: number }> = Object.fromEntries(
	[
		[10_000, 60, 1, 60],
		[100_000, 60, 1, 300],
		[100_000, 500, 1, 420],
		[20_000, 60, 60, 180],
	].map(([history, perMinute, minutes, within]) => [
		`${history} rows, ${perMinute} ends a minute, polls ${minutes} min apart`,
		{
			world: { history, createdPerMinute: perMinute, rerunShare: 0, oldRerunsPerMinute: 0.93, blinkShare: 1 },
			intervalMs: minutes * 60_000,
			polls: Math.ceil(120 / minutes),
			calm: Math.ceil((within + 30) / minutes),
			within,
		},
	]),
);
