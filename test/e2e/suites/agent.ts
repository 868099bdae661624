import { agentChecks } from '../agents/agentChecks';
import { longJob, mcpChecks } from '../agents/mcpChecks';
import { moduleChecks } from '../agents/moduleChecks';
import { reviewChecks } from '../agents/reviewChecks';
import type { Suite } from '../suite';

/** Models call our tools: by n8n's AI Agent, and by a client of n8n's MCP server. */
const agent: Suite = {
	checks(world) {
		const { begins, ends } = longJob(world);
		return {
			...mcpChecks(world),
			'MCP: a long job begins': begins,
			...agentChecks(world),
			...reviewChecks(world),
			...moduleChecks(world),
			'MCP: the long job is answered before the client gives up, with its ID': ends,
		};
	},
};

export default agent;
