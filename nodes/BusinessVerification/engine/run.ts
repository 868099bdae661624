import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { CallResults, toolAnswer, Tools } from '../agents/answers';
import { calledByAgent, toolsBeside } from './host';
import { asFailure, errorItem, itemsOf, nodeErrorOf, outputItem } from './results';
import { Submissions, withSubmission } from './writes';
import { Failure, type Json } from '../kit/service';
import { chosenIn, type InputItem, type Operation, type Outcome, type Output, type Resource } from '../kit/operation';
import { parameterReader } from './parameters';
import { inTurns, sideBySide } from './turns';
import { type Services, servicesOf } from './services';

/** Collects the results of all items, and decides whether a failure stops the run. */
class Results {
	readonly submissions = new Submissions();
	private readonly outputs: INodeExecutionData[][];
	/** Details of each item's call by an agent. Otherwise there is a single one that is not read. */
	private readonly calls: CallResults[];
	private readonly forAgent: boolean;
	/** Without an item if the whole run failed. */
	private stoppedBy: { error: unknown; item?: number } | undefined;
	private readonly stop = new AbortController();
	readonly failed = this.stop.signal;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly resources: Record<string, Resource>,
	) {
		this.forAgent = calledByAgent(context);
		this.outputs = context.getInputData().map(() => []);
		this.calls = (this.forAgent ? this.outputs : [0]).map(() => new CallResults());
	}

	async putResult(result: Output, { index, input }: InputItem<Json>): Promise<void> {
		const call = this.callOf(index);
		call.isList = Array.isArray(result);
		if (typeof input.part === 'number') call.part = input.part;
		this.put(index, await itemsOf(this.context, result, index));
	}

	private put(item: number, outputs: INodeExecutionData[]): void {
		this.submissions.records.delete(item);
		this.outputs[item] = this.outputs[item].concat(outputs);
	}

	/** Throws if the failure stops the run. */
	fail(item: number, error: unknown): void {
		const failure = asFailure(error);
		const record = this.submissions.records.get(item);
		const isPaid = record !== undefined && failure.details.submission === undefined;
		const told = isPaid ? withSubmission(failure, record) : error;
		if (this.forAgent) {
			this.callOf(item).failures.push(asFailure(told));
			return this.put(item, isPaid ? [outputItem(record, [item])] : []);
		}
		if (this.context.continueOnFail()) return this.put(item, [errorItem(asFailure(told), item)]);
		if (this.stoppedBy !== undefined && failure.details.submission === 'unknown') this.submissions.open.push(item);
		this.stoppedBy ??= { error: told, item };
		this.stop.abort();
		throw told;
	}

	/** A failure of the whole operation, such as a missing credential, is reported for every item without a result. */
	failOthers(error: unknown): void {
		if (this.stoppedBy !== undefined) return;
		try {
			this.outputs.forEach((output, item) => {
				if (output.length === 0 && this.callOf(item).failures.length === 0) this.fail(item, error);
			});
		} catch (told) {
			// `end` throws it.
			this.stoppedBy = { error: told };
		}
	}

	/** An agent's rows are not items, so a failed row must not stop the others. */
	take(outcome: Outcome): void {
		const items = this.forAgent ? [0] : outcome.items;
		if ('output' in outcome) this.put(items[0], [outputItem(outcome.output, items)]);
		else this.fail(items[0], outcome.failure);
	}

	callOf = (item: number): CallResults => this.calls[this.forAgent ? Math.max(0, item) : 0];

	end(): INodeExecutionData[][] {
		if (this.forAgent) return [this.outputs.map((outputs, item) => this.answerTo(item, outputs))];
		if (this.stoppedBy === undefined) return [this.outputs.flat()];
		const { error, item } = this.stoppedBy;
		throw nodeErrorOf(this.context.getNode(), error, item, this.submissions.summary);
	}

	/** A model gets one answer per call. */
	private answerTo(item: number, outputs: INodeExecutionData[]): INodeExecutionData {
		const { resource, name } = chosenIn(this.context.getNode());
		const own = { resource, operation: this.resources[resource]?.operations[name] };
		const call = this.calls[item];
		call.records.push(...outputs.map(({ json }) => json));
		const binary = outputs.find((output) => output.binary !== undefined)?.binary;
		const answer = toolAnswer(call, new Tools(this.resources, own, toolsBeside(this.context)));
		return { ...outputItem(answer, [item]), ...(binary !== undefined && { binary }) };
	}
}

/** n8n adds this choice to nodes whose credentials it could use in an HTTP Request. */
const customCall = '__CUSTOM_API_CALL__';

/** The operation selected in the node. Throws if an agent calls one that is not available to agents. */
function chosenOperation(context: IExecuteFunctions, resources: Record<string, Resource>): Operation {
	const { resource, name } = chosenIn(context.getNode());
	if (resource === customCall || name === customCall) {
		throw misconfigured(
			'This node does not make custom API calls',
			"Use the 'HTTP Request' node with 'Authentication' set to 'Predefined Credential Type' and the credential of this node. The credential is sent to the origin of its 'Base URL' only.",
		);
	}
	const operation = resources[resource]?.operations[name];
	if (operation === undefined)
		throw misconfigured(`This version of the node has no operation '${name}' for '${resource}'`);
	if (operation.notForTools !== undefined && calledByAgent(context))
		throw misconfigured(`'${operation.name}' is not available to AI agents: ${operation.notForTools}`);
	return operation;
}

const misconfigured = (message: string, description?: string) =>
	new Failure(message, { description, cause: 'configuration-invalid' });

/** Runs the node. The only place that catches errors of operations. */
export async function run(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const results = new Results(context, resources);
	let services: Services | undefined;
	try {
		const operation = chosenOperation(context, resources);
		const read = parameterReader(context, operation.fields);
		services = servicesOf(context, operation, results);
		const items = context.getInputData().map(({ json }) => json);
		if (operation.kind === 'together') {
			const outcomes = await operation.runAll(read(0), items, await services.forAll(), operation.own);
			for (const outcome of outcomes) results.take(outcome);
		} else {
			await runEach(operation, await inTurns(readEntries(items, read, results)), services, results);
		}
	} catch (error) {
		results.failOthers(error);
	}
	await services?.close();
	return results.end();
}

async function runEach(
	operation: Extract<Operation, { kind: 'perItem' }>,
	entries: Array<InputItem<Json>>,
	services: Services,
	results: Results,
): Promise<void> {
	await sideBySide(entries.length, services.places, async (position, release) => {
		const entry = entries[position];
		try {
			const service = await services.forItem(entry.index, release);
			await results.putResult(await operation.run(entry.input, service, operation.own, entry), entry);
		} catch (error) {
			results.fail(entry.index, error);
		}
	});
}

/** All items are read before the first request, so a wrong one stops the run before anything is billed. */
function* readEntries(
	items: readonly Json[],
	read: (item: number) => Json,
	results: Results,
): Generator<void, Array<InputItem<Json>>> {
	const entries: Array<InputItem<Json>> = [];
	for (const [index, json] of items.entries()) {
		yield;
		try {
			entries.push({ index, input: read(index), json });
		} catch (error) {
			results.fail(index, error);
		}
	}
	return entries;
}
