import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure, type Operation, type Resource } from '../definition';
import { calledByAgent } from './host';

/** n8n adds it to every list of a node whose credentials it could use elsewhere. */
const customCall = '__CUSTOM_API_CALL__';

/** The operation that the node is set to, if it is open to whoever calls. */
export function chosenOperation(context: IExecuteFunctions, resources: Record<string, Resource>): Operation {
	const { resource, operation: name } = context.getNode().parameters;
	if (resource === customCall || name === customCall) {
		throw new Failure("'Custom API Call' is not made by this node", {
			description:
				"Use n8n's 'HTTP Request' node: set 'Authentication' to 'Predefined Credential Type', choose the credential type of this node, and give the whole address. The credential is sent to the origin of its 'Base URL' only.",
		});
	}
	const operation = resources[String(resource ?? 'inquiry')]?.operations[String(name)];
	if (operation === undefined)
		throw new Failure(`This version of the node has no operation '${String(name)}' for '${String(resource)}'`);
	if (operation.notForTools !== undefined && calledByAgent(context)) {
		throw new Failure(`'${operation.name}' is not available to AI agents: ${operation.notForTools}`);
	}
	return operation;
}
