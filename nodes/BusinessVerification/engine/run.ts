import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Failure } from '../definition/failure';
import type { InputItem, Operation, Resource } from '../definition/operation';
import type { Json } from '../definition/service';
import { calledByAgent } from './host';
import { asFailure, nodeErrorOf } from './nodeError';
import { parameterReader } from './parameters';
import { sideBySide } from './pool';
import { ask, outputItem, Services } from './services';

type Input = Record<string, unknown>;

/** Items in, items out. The one place that catches, and that decides whether a failure ends the run. */
export async function run(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const stopsOnFailure = !context.continueOnFail();
	const outputs: INodeExecutionData[][] = items.map(() => []);
	let failures = 0;
	const fail = (index: number, error: unknown): void => {
		failures++;
		const failure = asFailure(error);
		if (stopsOnFailure) throw nodeErrorOf(context.getNode(), failure, index);
		outputs[index].push(errorItem(failure, index));
	};

	try {
		const operation = chosenOperation(context, resources);
		if ('runAll' in operation) {
			const input = parameterReader(context, operation.fields)(0);
			const services = await Services.open(context, stopsOnFailure);
			const rows = items.map(({ json }) => json);
			for (const outcome of await operation.runAll(input, rows, services.forAll(), operation.own)) {
				if ('failure' in outcome) fail(outcome.items[0], outcome.failure);
				else outputs[outcome.items[0]].push(outputItem(outcome.output, outcome.items));
			}
			if (failures === 0) services.forget();
			return [outputs.flat()];
		}

		const entries = readEntries(context, operation, fail);
		const services = await Services.open(context, stopsOnFailure);
		await sideBySide(entries.length, services.concurrency, async (position, release) => {
			const entry = entries[position];
			try {
				const service = services.forItem(entry.index, release);
				const result = await ('run' in operation
					? operation.run(entry.input, service, operation.own, entry)
					: ask(operation, entry, service));
				outputs[entry.index] = await services.outputItems(result, entry.index);
			} catch (error) {
				if (stopsOnFailure) services.end();
				fail(entry.index, error);
			}
		});
		if (failures === 0) services.forget();
	} catch (error) {
		if (stopsOnFailure) throw nodeErrorOf(context.getNode(), error, 0);
		// What stops the whole operation (no credential, a list that cannot be read) belongs to every item without an answer.
		outputs.forEach((output, index) => {
			if (output.length === 0) fail(index, error);
		});
	}
	return [outputs.flat()];
}

function chosenOperation(context: IExecuteFunctions, resources: Record<string, Resource>): Operation {
	const { resource, operation: name } = context.getNode().parameters;
	const operation = resources[String(resource ?? 'inquiry')]?.operations[String(name)];
	if (operation === undefined)
		throw new Failure(`This version of the node has no operation '${String(name)}' for '${String(resource)}'`);
	if (operation.notForTools !== undefined && calledByAgent(context)) {
		throw new Failure(`'${operation.name}' is not available to AI agents: ${operation.notForTools}`);
	}
	return operation;
}

/** Every item is read before anything is sent: under "Stop" a bad one then costs nothing. */
function readEntries(
	context: IExecuteFunctions,
	operation: Operation,
	fail: (index: number, error: unknown) => void,
): Array<InputItem<Input>> {
	const read = parameterReader(context, operation.fields);
	const entries: Array<InputItem<Input>> = [];
	context.getInputData().forEach(({ json }, index) => {
		try {
			entries.push({ index, input: read(index), json });
		} catch (error) {
			fail(index, error);
		}
	});
	return entries;
}

/** Exactly one key: every supported host sends this shape, and no other with details, to the error output. */
function errorItem({ message, details }: Failure, itemIndex: number): INodeExecutionData {
	const { description, httpCode, parameter, submission } = details;
	const told = { message: `${message} [item ${itemIndex}]`, description, httpCode, parameter, itemIndex, submission };
	return {
		json: { error: JSON.parse(JSON.stringify(told)) as Json } as INodeExecutionData['json'],
		pairedItem: { item: itemIndex },
	};
}
