import type { Call } from './endpoint';
import type { Service } from './service';

/** A list answer, perhaps an old one: the same request gets the same answer for as long as stalePagesMs says. */
export function stale(service: Service, call: Call, answer: () => unknown): unknown {
	const { stalePagesMs } = service.switches;
	if (stalePagesMs <= 0) return answer();
	const key = `${call.organization.id} ${call.url}`;
	const now = service.clock.now();
	const kept = service.pages.get(key);
	if (kept && now < kept.at + stalePagesMs) return kept.answer;
	const fresh = answer();
	service.pages.set(key, { at: now, answer: fresh });
	return fresh;
}
