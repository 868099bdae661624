import { live } from './life';
import type { Plan } from './plan';
import type { World } from './service';

const minute = 60_000;
const small = { seed: 1, hours: 1, history: 60, perMinute: 3 };
const unseen = { rerunsPerMinute: 3, rerunMs: () => 10_000 };

/** What the page of limits says, where it happens. That it happens nowhere else is what all other worlds show. */
it.each<[limit: string, world: World, plan: Plan]>([
	['no trace', { atSecondEnd: 'kept', whileRunning: 'kept' }, { ...small, ...unseen }],
	['no trace', { rowDates: 'absent' }, { ...small, ...unseen }],
	['ran again before any look', {}, { ...small, ...unseen, intervalMs: 60 * minute, hours: 12 }],
	['ended unseen before a change of filter', {}, { ...small, filterChanges: true, offMs: 180 * minute }],
	['ended outside the filter', {}, { ...small, ...unseen, history: 20, tagged: 20 }],
	['vanished', {}, { ...small, vanish: { count: 20, forMs: Infinity } }],
	['more than ten minutes apart', { earlyStampMs: [0, 0, 40 * minute] }, { ...small, ...unseen }],
])('%s', async (limit, world, plan) => {
	const { limits, lost, repeated } = await live(world, plan);
	expect(limits[limit]).toBeGreaterThan(0);
	expect({ lost, repeated }).toEqual({ lost: [], repeated: [] });
	expect(Object.keys(limits).filter((name) => name !== limit && name !== 'ran again before any look')).toEqual([]);
});
