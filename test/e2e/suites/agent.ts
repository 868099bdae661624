import { agentChecks } from '../agents/agentChecks';
import { mcpChecks } from '../agents/mcpChecks';
import type { Suite } from '../suite';

/** Models call our tools: by n8n's AI Agent, and by a client of n8n's MCP server. */
const agent: Suite = {
	checks: (world) => ({ ...mcpChecks(world), ...agentChecks(world) }),
};

export default agent;
