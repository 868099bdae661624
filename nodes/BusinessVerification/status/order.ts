import { type Stage, stages } from './memory';

/** The missing ones are known by the list of unfinished ones, so that comes before. */
export function inOrder(order: readonly Stage[]): Stage[] {
	const rest = order.filter((stage) => stage !== 'active');
	return order.indexOf('active') < order.indexOf('missing')
		? [...order]
		: rest.flatMap((stage): Stage[] => (stage === 'missing' ? ['active', 'missing'] : [stage]));
}

/** What had no turn is first next time; only the missing ones, which need another list before, let others pass. */
export function nextOrder(order: readonly Stage[], served: readonly Stage[]): Stage[] {
	const denied = order.filter((stage) => !served.includes(stage));
	if (denied[0] === 'missing' && served.length === 1) denied.push(denied.shift()!);
	return [...denied, ...stages.filter((stage) => served.includes(stage))];
}
