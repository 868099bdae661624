import type { Suite } from '../suite';
import { triggerChecks } from '../triggers/checks';

/** n8n's older scheduler, chosen by name: an n8n whose newer one is on by default must still run the trigger with it. */
const legacy: Suite = {
	env: {
		N8N_SCHEDULER_ENABLED: 'false',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'false',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false',
	},
	checks: (world) => triggerChecks(world, { durable: false }),
};

export default legacy;
