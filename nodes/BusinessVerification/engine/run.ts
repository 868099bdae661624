import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { InputItem, Operation, Resource } from '../definition';
import { chosenOperation } from './chosenOperation';
import { calledByAgent } from './host';
import { outputItem } from './outputs';
import { parameterReader } from './parameters';
import { inTurns } from './pause';
import { sideBySide } from './pool';
import { Results } from './itemResults';
import { Services } from './services';

type Values = Record<string, unknown>;
type Together = Extract<Operation, { runAll: unknown }>;
type PerItem = Exclude<Operation, Together>;

/** Items in, items out. The one place that catches. */
export async function run(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const results = new Results(context);
	let services: Services | undefined;
	try {
		const operation = chosenOperation(context, resources);
		services = new Services(context, results.submissions);
		if ('runAll' in operation) await runTogether(operation, context, services, results);
		else await runEach(operation, await inTurns(readEntries(context, operation, results)), services, results);
	} catch (error) {
		results.failOthers(error);
	}
	await services?.close(results.mayRunAgain);
	return results.end();
}

async function runTogether(
	operation: Together,
	context: IExecuteFunctions,
	services: Services,
	results: Results,
): Promise<void> {
	const input = parameterReader(context, operation.fields)(0);
	const rows = context.getInputData().map(({ json }) => json);
	for (const outcome of await operation.runAll(input, rows, await services.forAll(), operation.own)) {
		// The rows that an agent gives are not items.
		const items = calledByAgent(context) ? [0] : outcome.items;
		if ('failure' in outcome) results.fail(items[0], outcome.failure);
		else results.put(items[0], [outputItem(outcome.output, items)]);
	}
}

async function runEach(
	operation: PerItem,
	entries: Array<InputItem<Values>>,
	services: Services,
	results: Results,
): Promise<void> {
	await sideBySide(entries.length, services.places, async (position, release) => {
		const entry = entries[position];
		try {
			const service = await services.forItem(entry.index, release);
			const result = await operation.run(entry.input, service, operation.own, entry);
			results.put(entry.index, await services.outputItems(result, entry));
		} catch (error) {
			try {
				results.fail(entry.index, error);
			} finally {
				if (results.isStopped) services.end();
			}
		}
	});
}

/** Every item is read before anything is sent: under "Stop" a bad one then costs nothing. */
function* readEntries(
	context: IExecuteFunctions,
	operation: Operation,
	results: Results,
): Generator<void, Array<InputItem<Values>>> {
	const read = parameterReader(context, operation.fields);
	const entries: Array<InputItem<Values>> = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		yield;
		try {
			entries.push({ index, input: read(index), json });
		} catch (error) {
			results.fail(index, error);
		}
	}
	return entries;
}
