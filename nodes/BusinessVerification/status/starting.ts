import type { Allowance } from './allowance';
import type { Limits } from './limits';
import { active, inquiryRules, listPage } from './lists';
import { emptyMemory, type Memory } from './memory';
import { forgetSince } from './prune';
import { type Bounds, walk } from './walk';
import { Watch } from './watch';

/** Everything there is counts as known. */
export async function startFromNow(allowance: Allowance, scope: string, limits: Limits): Promise<Memory> {
	const { memory, watch } = await followActive(allowance, scope, limits);
	const from = memory.at - limits.slack - limits.lateness;
	const stopped = await walk(
		{
			page: (bounds) => listPage(allowance, limits, bounds),
			mayGoOn: () => allowance.left(1),
			see: (row) => watch.see(row),
		},
		from,
	);
	const newestEnd = Math.max(0, ...[...memory.ended.values()].map(({ stamp }) => stamp));
	// With no time to look at all of it, what was created until now is still not news.
	const unseen = stopped === null ? 0 : memory.at;
	memory.mark = Math.max(memory.at - limits.slack, unseen, Math.min(watch.newest, memory.at + limits.slack));
	memory.horizon = Math.max(memory.at, newestEnd);
	memory.own = memory.at;
	return memory;
}

/** Everything after a time is to be reported. */
export async function startBefore(
	allowance: Allowance,
	scope: string,
	limits: Limits,
	since: number | undefined,
	lookBackMs: number,
): Promise<Memory> {
	const { memory } = await followActive(allowance, scope, limits);
	const start = since ?? memory.at - lookBackMs;
	memory.own = start;
	memory.mark = memory.horizon = Infinity;
	forgetSince(memory, start, limits);
	return memory;
}

async function followActive(allowance: Allowance, scope: string, limits: Limits) {
	const memory = emptyMemory(scope, 0);
	const watch = new Watch(memory, limits, { ...inquiryRules, readUndated: false }, () => false);
	const page = async (bounds: Bounds) => {
		const answer = await listPage(allowance, limits, bounds, active);
		memory.at = answer.serviceNow;
		return answer;
	};
	const stopped = await walk({ page, mayGoOn: () => allowance.left(0.8), see: (row) => void watch.see(row) }, 0);
	memory.activeFrom = stopped ?? 0;
	return { memory, watch };
}
