import type { Suite } from '../suite';
import { triggerChecks } from '../triggers/checks';
import { changeChecks } from '../triggers/changes';

/** The status trigger with the scheduler that n8n uses unless told otherwise. */
const trigger: Suite = {
	checks: (world) => ({ ...triggerChecks(world, { durable: false }), ...changeChecks(world) }),
};

export default trigger;
