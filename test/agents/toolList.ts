import { type INode, type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { resources } from '../../nodes/BusinessVerification/operations';

interface Tool {
	name: string;
	description: string;
	schema: {
		shape: Record<string, { description?: string }>;
		safeParse(given: object): { success: boolean };
	};
}
/** Inside n8n's engine, which keeps it to itself. */
const { createNodeAsTool } = jest.requireActual<{ createNodeAsTool(options: object): { response: Tool } }>(
	'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool',
);

export const { description } = new BusinessVerification();
export const asTool = { ...description, name: `${description.name}Tool` };

export const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([operation, definition]) => ({ resource, operation, definition })),
);
export const offered = operations.filter(({ definition }) => definition.notForTools === undefined);

/** The parameters of a node that was only dropped, with nothing filled in. */
export const dropped = (type: typeof description, resource: string, operation: string): INodeParameters =>
	NodeHelpers.getNodeParameters(
		type.properties,
		{ resource, operation },
		true,
		false,
		{ typeVersion: 1 },
		type,
	) as INodeParameters;

/** A tool as n8n makes it from a dropped node. */
export function toolOf(resource: string, operation: string): Tool {
	const node = { name: `${resource}_${operation}`, parameters: dropped(asTool, resource, operation) } as INode;
	const { response } = createNodeAsTool({
		node,
		nodeType: { description: asTool },
		handleToolInvocation: () => Promise.resolve(''),
	});
	return response;
}

/** The answer to `tools/list` with every tool, as n8n's MCP Server Trigger gives it. */
export const toolList = () => ({
	tools: offered.map(({ resource, operation }) => {
		const { name, description, schema } = toolOf(resource, operation);
		return { name, description, inputSchema: zodToJsonSchema(schema as never, { removeAdditionalStrategy: 'strict' }) };
	}),
});
