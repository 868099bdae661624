import { amount, choice } from './definition';

const time = 'Processing is asynchronous';
const order = 'processing progress | lifecycle order';
const rerun = 'COMPLETED | add principal | inquiry already completed | RUNNING';
const businesses = 'filled only after processing completes and clustering finishes';

/** What inquiries go through, and when it shows. */
export const lifecycleSwitches = {
	lifecycle: choice('what moves inquiries: the clock, or only the test', time, ['clock', 'manual']),
	ends: choice(
		'how an inquiry ends that nothing was planned for: well, or by its name as well, in part or not, with its own score and pace',
		'Conditions deciding which of the three end statuses is reached: not shown',
		['completed', 'varied'],
	),
	planningMs: amount('time in PLANNING', order, 1_000),
	runningMs: amount('time in RUNNING', order, 2_000),
	enrichingMs: amount('time in ENRICHING', order, 1_000),
	clusteringMs: amount('time from the end until businesses is filled', businesses, 500),
	businessesBeforeClustering: choice('businesses until then', businesses, ['null', 'empty', 'absent']),
	completedAtDelayMs: amount('time from the end until completedAt is filled', 'completedAt | date-time, nullable', 0),
	rerunDelayMs: amount('time that a finished inquiry still shows its old end after an addition', rerun, 0),
	additionsWhileRunning: choice('a principal, license or filing for an inquiry that has not ended', rerun, [
		'taken',
		'refused',
	]),
} as const;
