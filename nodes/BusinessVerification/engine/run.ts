import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';
import { calledByAgent } from './host';
import { ResultsForAgent, ResultsForPeople, type RunResults } from './runResults';
import { Failure, type Json } from '../kit/service';
import { chosenIn, costsMoney, type InputItem, type Operation, type Resource } from '../kit/operation';
import { parameterReader } from './parameters';
import { inTurns, sideBySide } from './turns';
import { type Services, servicesOf } from './services';

/** The operation selected in the node. Throws if an agent calls one that is not available to agents. */
function chosenOperation(context: IExecuteFunctions, resources: Record<string, Resource>): Operation {
	const { resource, name } = chosenIn(context.getNode());
	const operation = resources[resource]?.operations[name];
	if (operation === undefined)
		throw misconfigured(`This version of the node has no operation '${name}' for '${resource}'`);
	if (operation.notForTools !== undefined && calledByAgent(context))
		throw misconfigured(`'${operation.name}' is not available to AI agents: ${operation.notForTools}`);
	return operation;
}

const misconfigured = (message: string) => new Failure(message, { cause: 'configuration-invalid' });

/** Runs the node. The only place that catches errors of operations. */
export async function run(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const results = calledByAgent(context) ? new ResultsForAgent(context) : new ResultsForPeople(context);
	try {
		const operation = chosenOperation(context, resources);
		results.operation = operation;
		results.submissions.bills = costsMoney(operation);
		const read = parameterReader(context, operation.fields);
		const services = servicesOf(context, operation, results);
		const items = context.getInputData().map(({ json }) => json);
		if (operation.kind === 'together') {
			const outcomes = await operation.runAll(read(0), items, await services.forAll(), operation.own);
			for (const outcome of outcomes) results.take(outcome);
		} else {
			await runEach(operation, await inTurns(readItems(items, read, operation, results)), services, results);
		}
	} catch (error) {
		results.failOthers(error);
	}
	return results.end();
}

type OfEachItem = Extract<Operation, { kind: 'perItem' }>;

/** More items that wait for nothing would block the rest of n8n. */
const itemsOfTurn = 250;

async function runEach(
	operation: OfEachItem,
	entries: Array<InputItem<Json>>,
	services: Services,
	results: RunResults,
): Promise<void> {
	let turn: Promise<void> | undefined;
	await sideBySide(entries.length, services.concurrency, async (position, release) => {
		const entry = entries[position];
		try {
			// All wait for the same turn, so that they go on in their order.
			if (position > 0 && position % itemsOfTurn === 0) turn = sleep(0);
			await turn;
			const service = await services.forItem(entry.index, release);
			await results.putResult(await operation.run(entry.input, service, operation.own, entry), entry);
		} catch (error) {
			results.fail(entry.index, error);
		}
	});
}

/** All items are read before the first request, so a wrong one stops the run before anything is billed. */
function* readItems(
	items: readonly Json[],
	read: (item: number) => Json,
	{ check }: OfEachItem,
	results: RunResults,
): Generator<void, Array<InputItem<Json>>> {
	const entries: Array<InputItem<Json>> = [];
	for (const [index, json] of items.entries()) {
		yield;
		try {
			const input = read(index);
			check?.(input);
			entries.push({ index, input, json });
		} catch (error) {
			results.fail(index, error);
		}
	}
	return entries;
}
