import type { Suite } from '../suite';
import { triggerChecks } from '../triggers/checks';

/** The same with the scheduler of newer versions that keeps its jobs and what triggers remember in tables of their own. */
const durable: Suite = {
	env: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	},
	checks: (world) => triggerChecks(world, { durable: true }),
};

export default durable;
