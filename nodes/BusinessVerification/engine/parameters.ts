import type { IExecuteFunctions, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { patienceMs, timeoutSeconds, toolParameters } from '../agents/calls';
import { spendingLimit, submitAgain } from '../fields/shared';
import type { Fields, Input } from '../kit/field';
import { isObject } from '../document/vocabulary';
import { partAt } from '../kit/objects';
import { isBlank, readIn } from '../kit/value';
import { blanksIn, filledIn, inputOf, isExpression, readInput, unclear } from '../kit/reading';
import { Failure, type Json } from '../kit/service';
import { calledByAgent } from './host';
import { concurrencyBounds, type Operation, timeoutBounds, within } from '../kit/operation';

/** The value of a parameter for one item, by its name or path. */
export type Evaluate = (name: string, item: number) => unknown;

/**
 * n8n takes half a millisecond for an expression, so references to the item are resolved here. In a tool call, only n8n
 * knows what `$json` is.
 */
export function evaluator(context: IExecuteFunctions): Evaluate {
	const { parameters } = context.getNode();
	const items = calledByAgent(context) ? [] : context.getInputData();
	return (name, item) => {
		const saved = partAt(parameters, name);
		const value = saved === undefined ? unclear : filledIn(saved, items[item]?.json);
		return value === unclear ? context.getNodeParameter(name, item, '') : value;
	};
}

/** Whom an item is about. The first field of every operation is a name or an ID, which may be what cannot be read. */
export function nameOfItem(context: IExecuteFunctions, operation: Operation | undefined, item: number) {
	const [field] = Object.keys(operation?.fields ?? {});
	try {
		const value = evaluator(context)(field, item);
		const name = isObject(value) ? value.value : value;
		return typeof name === 'string' ? name.trim().slice(0, longestName) || undefined : undefined;
	} catch {
		return undefined;
	}
}

const longestName = 100;

/**
 * Reads, checks and types the parameters of one item. Throws a Failure that names the wrong ones. Parameters without
 * expressions are read once for all items.
 */
export function parameterReader<F extends Fields>(context: IExecuteFunctions, fields: F): (item: number) => Input<F> {
	const evaluate = evaluator(context);
	if (!calledByAgent(context)) return readerOf(context, fields, evaluate);
	// A model may leave out values that it is asked for.
	const isExempt = (expression: string) => /\$(fromai|json)\b/i.test(expression);
	return readerOf(context, fields, evaluate, toolParameters, isExempt);
}

/** The parameters of a trigger, which has no items. */
export function readParameters<F extends Fields>(
	context: IPollFunctions | IWebhookFunctions | IHookFunctions,
	fields: F,
): Input<F> {
	return readerOf(context, fields, (name) => context.getNodeParameter(name, ''))(0);
}

function readerOf<F extends Fields>(
	context: Pick<IExecuteFunctions, 'getNode' | 'getTimezone'>,
	fields: F,
	evaluate: Evaluate,
	adapted: (values: Json) => Json = (values) => values,
	isExempt: (expression: string) => boolean = () => false,
): (item: number) => Input<F> {
	const saved = context.getNode().parameters;
	const names = Object.keys(fields);
	const dynamic = names.filter((name) => !fields[name].isRaw && hasExpression(saved[name]));
	const asSaved = valuesOf(names, (name) => saved[name] ?? fields[name].property.default);
	const zone = () => context.getTimezone();
	const read = (values: Json) => readIn(zone, () => readInput(fields, values));
	if (dynamic.length === 0) {
		const reading = read(adapted(asSaved));
		return () => inputOf(reading);
	}
	return (item) => {
		const values = adapted({ ...asSaved, ...valuesOf(dynamic, (name) => evaluate(name, item)) });
		return inputOf(read(values), blanksIn(fields, saved, values, isExempt));
	};
}

const valuesOf = (names: readonly string[], valueOf: (name: string) => unknown) =>
	Object.fromEntries(names.map((name) => [name, valueOf(name)]));

/** An expression inside a collection makes the whole parameter differ between items. */
const hasExpression = (value: unknown): boolean =>
	isExpression(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasExpression));

/** Options that apply to all requests of a run, so they are read from the first item. */
export function optionsOfRun(context: IExecuteFunctions, forAgent: boolean) {
	const valueOf = (saved: unknown, path: string) => (isExpression(saved) ? optionValue(context, path) : saved);
	const options = (valueOf(context.getNode().parameters.options, 'options') ?? {}) as Json;
	const advanced = (valueOf(options.advanced, 'options.advanced') ?? {}) as Json;
	if (forAgent) refuseChoiceOfModel(options);
	const option = (name: string): unknown => valueOf(options[name], `options.${name}`);
	const chosen = Number(valueOf(advanced.concurrency, 'options.advanced.concurrency')) || undefined;
	const bounds = forAgent ? { ...timeoutBounds, default: timeoutSeconds } : timeoutBounds;
	return {
		concurrency: chosen === undefined ? undefined : within(concurrencyBounds, chosen),
		timeout: within(bounds, Number(option('timeout'))) * 1000,
		patienceMs: forAgent ? patienceMs : undefined,
		submitAgain: submitAgain.read(option('submitAgain'), () => undefined) === true,
		spendingLimit: 'spendingLimit' in options ? limitIn(option('spendingLimit')) : Infinity,
	};
}

/** Whoever spends must not set the limit. */
function refuseChoiceOfModel(options: Json): void {
	for (const [name, { property }] of Object.entries({ spendingLimit, submitAgain })) {
		// n8n accepts `$fromAI` in any case. The item of a tool call is what the model gives, and so may a parameter be.
		if (!/\$(fromai|json|input|items|data|parameter)\b/i.test(String(options[name]))) continue;
		throw new Failure(`'${property.displayName}' cannot be left to the model`, {
			description: 'A person has to set it in the options of the tool.',
			parameter: `options.${name}`,
			cause: 'configuration-invalid',
		});
	}
}

/** An empty limit is an error, because the user would believe in a limit that does not exist. */
function limitIn(value: unknown): number {
	const limit = ['number', 'string'].includes(typeof value) && !isBlank(value) ? Number(value) : NaN;
	if (Number.isInteger(limit) && limit >= 1) return limit;
	throw new Failure("'Spending Limit' must be a whole number of at least 1", {
		parameter: 'options.spendingLimit',
		cause: 'configuration-invalid',
	});
}

/** Errors are ignored here, because the item reports them itself and the other items continue. */
function optionValue(context: IExecuteFunctions, name: string): unknown {
	try {
		return context.getNodeParameter(name, 0);
	} catch {
		return undefined;
	}
}
