import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { Failure } from '../definition';
import { failureOption } from './host';

/** Whatever was thrown, as one of ours. */
export const asFailure = (error: unknown): Failure =>
	error instanceof Failure
		? error
		: new Failure(error instanceof Error ? error.message : 'The item could not be processed', {
				description: (error as { description?: string } | undefined)?.description ?? undefined,
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
	const error =
		details.httpCode === undefined && details.cause === undefined
			? new NodeOperationError(node, told, options)
			: new NodeApiError(node, { message: told } as JsonObject, {
					...options,
					httpCode: details.httpCode === undefined ? undefined : String(details.httpCode),
				});
	const { parameter, submission } = details;
	Object.assign(error.context, { parameter, submission });
	// n8n puts words of its own over any message that names a network code, and with them goes what we say of the item.
	return Object.assign(error, { message: told });
}
