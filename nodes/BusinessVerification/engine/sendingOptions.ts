import type { IExecuteFunctions } from 'n8n-workflow';
import { timeoutSeconds } from '../agents/defaults';
import { concurrencyBounds, timeoutBounds, within } from '../definition/sending';
import type { Json } from '../definition/service';

/** Those that hold for all requests of a run, and are therefore taken from the first item. */
export function sendingOptions(
	context: IExecuteFunctions,
	forAgent: boolean,
): { concurrency: number; timeout: number; submitAgain: boolean } {
	const saved = context.getNode().parameters.options;
	const wholly = isExpression(saved) ? (evaluated(context, 'options') as Json | undefined) : undefined;
	const option = (name: string): unknown => {
		const value = wholly === undefined ? (saved as Json | undefined)?.[name] : wholly[name];
		return isExpression(value) ? evaluated(context, `options.${name}`) : value;
	};
	return {
		concurrency: within(concurrencyBounds, Number(option('concurrency'))),
		timeout:
			within({ ...timeoutBounds, ...(forAgent && { default: timeoutSeconds }) }, Number(option('timeout'))) * 1000,
		submitAgain: option('submitAgain') === true,
	};
}

const isExpression = (value: unknown): value is string => typeof value === 'string' && value.startsWith('=');

/** An item whose options cannot be read says so itself; the others go on. */
function evaluated(context: IExecuteFunctions, name: string): unknown {
	try {
		return context.getNodeParameter(name, 0);
	} catch {
		return undefined;
	}
}
