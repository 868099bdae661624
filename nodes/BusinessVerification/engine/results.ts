import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { Failure, type FailureDetails, type Json, kindOf } from '../kit/service';
import { failureOption } from './host';
import { FileOutput } from '../kit/operation';

/** Whatever was thrown, as one of ours. What n8n throws is about the workflow, such as an expression that leads nowhere. */
export const asFailure = (error: unknown, cause: FailureDetails['cause'] = 'configuration-invalid'): Failure =>
	error instanceof Failure
		? error
		: new Failure(error instanceof Error ? error.message : 'The item could not be processed', {
				description: (error as { description?: string } | undefined)?.description ?? undefined,
				cause,
			});

/** n8n's error for a failure: of the service where it answered or could not be reached, of the node otherwise. */
export function nodeErrorOf(
	node: INode,
	thrown: unknown,
	itemIndex?: number,
	more?: string,
): NodeApiError | NodeOperationError {
	if (more === undefined && (thrown instanceof NodeApiError || thrown instanceof NodeOperationError)) return thrown;
	const { message, details } = asFailure(thrown);
	const description = [details.description, more].filter(Boolean).join('\n') || undefined;
	const told = itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
	const options = { message: told, description, itemIndex, ...failureOption(details) };
	const isOfNode = details.cause === undefined || details.cause === 'configuration-invalid';
	const error =
		details.httpCode === undefined && isOfNode
			? new NodeOperationError(node, told, options)
			: new NodeApiError(node, { message: told } as JsonObject, {
					...options,
					httpCode: details.httpCode === undefined ? undefined : String(details.httpCode),
				});
	const { parameter, submission } = details;
	Object.assign(error.context, { kind: kindOf(details), parameter, submission });
	// n8n puts words of its own over any message that names a network code, and with them goes what we say of the item.
	return Object.assign(error, { message: told });
}

/** Our results as n8n's items. */

type ItemJson = INodeExecutionData['json'];

/**
 * n8n takes a first item with a key `error` for a failed run and, under "Retry On Fail", runs the node again; it also
 * leads items of few keys to the error output. So what a record itself calls `error` leaves as `recordError`.
 */
export function outputItem(json: Json, items: number[]): INodeExecutionData {
	return {
		json: ('error' in json ? renamed(json) : json) as ItemJson,
		pairedItem: items.length === 1 ? { item: items[0] } : items.map((item) => ({ item })),
	};
}

const renamed = ({ error, ...others }: Json): Json => ({ ...others, recordError: error });

/** What an operation returned for an item: a list becomes several items, a file one that carries it. */
export async function itemsOf(
	context: IExecuteFunctions,
	result: unknown,
	item: number,
): Promise<INodeExecutionData[]> {
	if (!(result instanceof FileOutput)) return [result].flat(Infinity).map((one) => outputItem(asObject(one), [item]));
	const { bytes, fileName, mimeType, field } = result.file;
	const binary = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
	return [{ ...outputItem(result.json, [item]), binary: { [field]: binary } }];
}

/** Exactly one key: every supported host sends this shape, and no other with details, to the error output. */
export function errorItem({ message, details }: Failure, itemIndex: number): INodeExecutionData {
	const { description, httpCode, parameter, submission } = details;
	const facts = { description, httpCode, parameter, itemIndex, submission };
	const told = { message: `${message} [item ${itemIndex}]`, kind: kindOf(details), ...facts };
	return {
		json: { error: JSON.parse(JSON.stringify(told)) as Json } as ItemJson,
		pairedItem: { item: itemIndex },
	};
}

const nextStep = 'It was submitted and accepted, so do not submit it again. Read its state from the service later.';

/** The service took the submission, and something after it failed: what was paid for is a result, not an error. */
export const acceptedItem = (record: Json, { message }: Failure, itemIndex: number): INodeExecutionData =>
	outputItem({ ...record, submission: 'accepted', problem: message, nextStep }, [itemIndex]);

export const acceptedFailure = ({ message }: Failure): Failure =>
	new Failure(message, { submission: 'accepted', description: nextStep });

/** An answer that is no object still becomes an item. */
export function asObject(answer: unknown): Json {
	if (answer === undefined || answer === null || answer === '') return {};
	return typeof answer === 'object' && !Array.isArray(answer) ? (answer as Json) : { result: answer };
}
