import type { IExecuteFunctions, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { toolParameters } from '../agents/defaults';
import { Failure } from '../definition/failure';
import type { Fields, Input } from '../definition/field';
import type { Json } from '../definition/service';
import { type Problem, readInput } from '../definition/input';
import { calledByAgent } from './host';

/** Reads one item's parameters, checked and typed by the operation's own fields; throws a Failure that names them. */
export type ReadParameters<F extends Fields> = (item: number) => Input<F>;

/**
 * An expression costs half a millisecond in n8n, so a parameter is evaluated per item only when an expression hides
 * anywhere inside it; a set without any is read, and checked, once for all items.
 */
export function parameterReader<F extends Fields>(context: IExecuteFunctions, fields: F): ReadParameters<F> {
	const { dynamic, fixed } = sorted(context.getNode().parameters, fields);
	const adapted = calledByAgent(context) ? toolParameters : (values: Json) => values;
	if (dynamic.length === 0) {
		const read = readInput(fields, adapted(fixed));
		return () => orFailure(read);
	}
	return (item) => {
		const evaluate = (name: string) => context.getNodeParameter(name, item, fields[name].property.default as string);
		return orFailure(readInput(fields, adapted({ ...fixed, ...evaluated(dynamic, evaluate) })));
	};
}

/** The parameters of a trigger, which has no items. */
export function readParameters<F extends Fields>(
	context: IPollFunctions | IWebhookFunctions | IHookFunctions,
	fields: F,
): Input<F> {
	const { dynamic, fixed } = sorted(context.getNode().parameters, fields);
	const evaluate = (name: string) => context.getNodeParameter(name, fields[name].property.default as string);
	return orFailure(readInput(fields, { ...fixed, ...evaluated(dynamic, evaluate) }));
}

function sorted(saved: Record<string, unknown>, fields: Fields) {
	const names = Object.keys(fields);
	const dynamic = names.filter((name) => !fields[name].isRaw && hasExpression(saved[name]));
	const fixed = names.filter((name) => !dynamic.includes(name));
	return {
		dynamic,
		fixed: Object.fromEntries(fixed.map((name) => [name, saved[name] ?? fields[name].property.default])),
	};
}

const evaluated = (names: readonly string[], evaluate: (name: string) => unknown) =>
	Object.fromEntries(names.map((name) => [name, evaluate(name)]));

/** At any depth: an expression inside a collection makes the whole parameter differ from item to item. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasExpression);
	return false;
}

function orFailure<F extends Fields>({ input, problems }: { input: Partial<Input<F>>; problems: Problem[] }): Input<F> {
	const [first, ...others] = problems;
	if (first === undefined) return input as Input<F>;
	throw new Failure(first.reason, {
		parameter: first.path.filter((part) => typeof part === 'string').join('.'),
		description: others.length > 0 ? `Also: ${others.map(({ reason }) => reason).join('; ')}` : undefined,
	});
}
