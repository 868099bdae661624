import type { IExecuteFunctions } from 'n8n-workflow';
import { timeoutSeconds } from '../agents/defaults';
import { concurrencyBounds, isExpression, type Json, timeoutBounds, within } from '../definition';

/** Those that hold for all requests of a run, and are therefore taken from the first item. */
export function optionsOfRun(
	context: IExecuteFunctions,
	forAgent: boolean,
): { concurrency: number | undefined; timeout: number; submitAgain: boolean } {
	const saved = context.getNode().parameters.options;
	const options = isExpression(saved) ? evaluated(context, 'options') : saved;
	const option = (name: string): unknown => {
		const value = (options as Json | null | undefined)?.[name];
		return isExpression(value) ? evaluated(context, `options.${name}`) : value;
	};
	const chosen = Number(option('concurrency')) || undefined;
	return {
		concurrency: chosen === undefined ? undefined : within(concurrencyBounds, chosen),
		timeout:
			within({ ...timeoutBounds, ...(forAgent && { default: timeoutSeconds }) }, Number(option('timeout'))) * 1000,
		submitAgain: option('submitAgain') === true,
	};
}

/** An item whose options cannot be read says so itself; the others go on. */
function evaluated(context: IExecuteFunctions, name: string): unknown {
	try {
		return context.getNodeParameter(name, 0);
	} catch {
		return undefined;
	}
}
