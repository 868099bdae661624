import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { FileOutput, type Output } from '../kit/operation';
import type { Json } from '../kit/service';

type ItemJson = INodeExecutionData['json'];

/**
 * If the first item has a key `error`, n8n counts the run as failed and repeats it under "Retry On Fail". It also sends
 * items with few keys to the error output. So a record's `error` is renamed to `recordError`.
 */
export function outputItem(json: Json, items: number[]): INodeExecutionData {
	return {
		json: ('error' in json ? renamed(json) : json) as ItemJson,
		pairedItem: items.length === 1 ? { item: items[0] } : items.map((item) => ({ item })),
	};
}

const renamed = ({ error, ...others }: Json): Json => ({ ...others, recordError: error });

/** Turns the result of an operation into items: one per entry of a list, or one with a file. */
export async function itemsOf(context: IExecuteFunctions, result: Output, item: number): Promise<INodeExecutionData[]> {
	if (!(result instanceof FileOutput)) return [result].flat().map((one) => outputItem(one, [item]));
	const { bytes, fileName, mimeType, field } = result.file;
	const binary = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
	return [{ ...outputItem(result.json, [item]), binary: { [field]: binary } }];
}
