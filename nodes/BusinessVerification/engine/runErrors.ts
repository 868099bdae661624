import { type INode, type INodeExecutionData, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { adviceOf, Failure, type FailureDetails, type Json, kindOf } from '../kit/service';
import { escaped, failureOption } from './host';
import { sentences } from '../kit/objects';

/** Turns anything thrown into a Failure. Errors thrown by n8n are about the workflow, such as a broken expression. */
export const asFailure = (error: unknown, cause: FailureDetails['cause'] = 'configuration-invalid'): Failure =>
	error instanceof Failure
		? error
		: new Failure(error instanceof Error ? error.message : 'The item could not be processed', {
				description: (error as { description?: string } | undefined)?.description ?? undefined,
				cause,
			});

/** Which of how many items, and whom it is about. */
interface OfItem {
	item?: number;
	of?: number;
	name?: string;
}

/** A NodeApiError if the service responded or could not be reached, otherwise a NodeOperationError. */
export function nodeErrorOf(
	node: INode,
	thrown: unknown,
	{ item, of = 1, name }: OfItem = {},
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const failure = asFailure(thrown);
	const { details } = failure;
	const text = of === 1 ? messageOf(failure) : messageOf(failure, { item, of, name });
	// n8n shows descriptions as HTML. Without `itemIndex`, it adds no number of its own, which counts from 0.
	const description = escaped(described(details));
	const options = { message: text, description, ...failureOption(details) };
	const isOfNode = details.cause === undefined || details.cause === 'configuration-invalid';
	const error =
		details.httpCode === undefined && isOfNode
			? new NodeOperationError(node, text, options)
			: new NodeApiError(node, { message: text } as JsonObject, { ...options, httpCode: details.httpCode?.toString() });
	const { parameter, submission } = details;
	Object.assign(error.context, { kind: kindOf(details), parameter, submission });
	// n8n replaces messages that contain a network code, so ours is set again.
	return Object.assign(error, { message: text });
}

const described = (details: FailureDetails): string => sentences(details.facts, adviceOf(details)) ?? '';

/**
 * A failure of the credential or the service concerns all items, and a row has its own number. Otherwise the message ends
 * with the name and the item, such as `(Acme Trading LLC, item 2 of 3)`: a number alone could count from 0, as n8n does.
 */
export function messageOf({ message, details }: Failure, { item, of = 1, name = '' }: OfItem = {}): string {
	const isOfItem = kindOf(details) === 'row' || ['unknown', 'accepted'].includes(details.submission ?? '');
	if (item === undefined || !isOfItem || details.row !== undefined) return withoutTags(message);
	return withoutTags(`${message} (${message.includes(name) ? '' : `${name}, `}item ${item + 1} of ${of})`);
}

/** Where there is an error output, `error` is the only key, because every supported host routes only this form to it. */
export function errorItem(failure: Failure, itemIndex: number, columns: Json = {}): INodeExecutionData {
	const { details } = failure;
	const { httpCode, id, parameter, row, submission } = details;
	const description = described(details) || undefined;
	const facts = { description, httpCode, id, parameter, itemIndex, row, submission };
	const text = { message: messageOf(failure), kind: kindOf(details), ...facts };
	return {
		json: JSON.parse(JSON.stringify({ ...columns, error: text })) as INodeExecutionData['json'],
		pairedItem: { item: itemIndex },
	};
}

/**
 * For texts of strangers, such as headers of a sheet and answers of the service, that may be shown as HTML or as they
 * are: what is left cannot begin a tag.
 */
export const withoutTags = (text: string): string =>
	text.replace(/<[a-z/!?][^>]*>?/gi, '').replace(/<(?=[</a-z!?])/gi, '');
