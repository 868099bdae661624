import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Failure, FileOutput, type Json } from '../definition';

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
	const told = { message: `${message} [item ${itemIndex}]`, description, httpCode, parameter, itemIndex, submission };
	return {
		json: { error: JSON.parse(JSON.stringify(told)) as Json } as ItemJson,
		pairedItem: { item: itemIndex },
	};
}

/** The service took the submission, and something after it failed: what was paid for is a result, not an error. */
export const acceptedItem = (record: Json, { message }: Failure, itemIndex: number): INodeExecutionData =>
	outputItem(
		{
			...record,
			submission: 'accepted',
			problem: message,
			nextStep: 'It was submitted and accepted, so do not submit it again. Read its state from the service later.',
		},
		[itemIndex],
	);

/** An answer that is no object still becomes an item. */
export function asObject(answer: unknown): Json {
	if (answer === undefined || answer === null || answer === '') return {};
	return typeof answer === 'object' && !Array.isArray(answer) ? (answer as Json) : { result: answer };
}
