import { only, type Suite } from '../suite';
import { changeChecks } from '../triggers/changes';
import { triggerChecks } from '../triggers/checks';

/** n8n's newer scheduler polls, but what triggers remember is stored with the workflow, as by default since n8n 2.45. */
const mixed: Suite = {
	env: { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' },
	checks: (world) => ({
		...triggerChecks(world, { durable: false }),
		...only(changeChecks(world), ['renamed before a restart of n8n']),
	}),
};

export default mixed;
