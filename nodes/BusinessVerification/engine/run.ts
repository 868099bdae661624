import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { CallResults, toolAnswer, Tools } from '../agents/answers';
import { calledByAgent, toolsBeside } from './host';
import { acceptedFailure, acceptedItem, asFailure, errorItem, nodeErrorOf, outputItem } from './results';
import { Submissions } from './writes';
import { Failure } from '../kit/service';
import { type InputItem, type Operation, type Outcome, type Resource } from '../kit/operation';
import { parameterReader } from './parameters';
import { inTurns, sideBySide } from './turns';
import { Services } from './services';

/** What became of every input item; the one place that decides whether a failure ends the run. */
export class Results {
	readonly submissions = new Submissions();
	private readonly outputs: INodeExecutionData[][];
	/** What came of each item, where each is a call by an agent. */
	private readonly calls: CallResults[];
	private readonly forAgent: boolean;
	private readonly stopsOnFailure: boolean;
	private stoppedBy: { error: unknown; item: number } | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly resources: Record<string, Resource>,
	) {
		this.forAgent = calledByAgent(context);
		this.outputs = context.getInputData().map(() => []);
		this.calls = this.outputs.map(() => new CallResults());
		this.stopsOnFailure = !this.forAgent && !context.continueOnFail();
	}

	put(item: number, outputs: INodeExecutionData[]): void {
		this.submissions.close(item);
		this.outputs[item] = this.outputs[item].concat(outputs);
	}

	/** Throws where a failure ends the run. */
	fail(item: number, error: unknown): void {
		const failure = asFailure(error);
		const record = this.submissions.recordOf(item);
		const isPaid = record !== undefined && failure.details.submission === undefined;
		if (isPaid && failure.details.wasAskedFor !== true) {
			if (!this.forAgent) return this.put(item, [acceptedItem(record, failure, item)]);
			this.callOf(item).failures.push(acceptedFailure(failure));
			return this.put(item, [outputItem(record, [item])]);
		}
		const told = isPaid ? this.submissions.named(failure, record) : error;
		if (!this.stopsOnFailure) {
			if (!this.forAgent) return this.put(item, [errorItem(asFailure(told), item)]);
			this.callOf(item).failures.push(asFailure(told));
			return this.put(item, []);
		}
		if (this.stoppedBy !== undefined && failure.details.submission === 'unknown') this.submissions.leaveOpen(item);
		this.stoppedBy ??= { error: told, item };
		throw told;
	}

	/** What stops the whole operation (no credential, a list that cannot be read) belongs to every item without an answer. */
	failOthers(error: unknown): void {
		if (this.stoppedBy !== undefined) return;
		try {
			this.outputs.forEach((output, item) => {
				if (output.length === 0 && this.calls[item].failures.length === 0) this.fail(item, error);
			});
		} catch {
			// Under "Stop": `end` throws it as n8n's error.
		}
	}

	get isStopped(): boolean {
		return this.stoppedBy !== undefined;
	}

	/** The rows that an agent gives are no items, and one that fails has nothing to do with what became of another. */
	told(outcome: Outcome): void {
		if ('failure' in outcome) this.callOf(0).failures.push(outcome.failure);
		else this.put(0, [outputItem(outcome.output, [0])]);
	}

	callOf = (item: number): CallResults => this.calls[Math.max(0, item)];

	end(): INodeExecutionData[][] {
		if (this.forAgent) return [this.outputs.map((outputs, item) => this.answerTo(item, outputs))];
		if (this.stoppedBy === undefined) return [this.outputs.flat()];
		const { error, item } = this.stoppedBy;
		throw nodeErrorOf(this.context.getNode(), error, item, this.submissions.summary);
	}

	/** A model reads one answer to each call. */
	private answerTo(item: number, outputs: INodeExecutionData[]): INodeExecutionData {
		const { resource = 'inquiry', operation } = this.context.getNode().parameters;
		const own = {
			resource: String(resource),
			operation: this.resources[String(resource)]?.operations[String(operation)],
		};
		const call = this.calls[item];
		call.records.push(...outputs.map(({ json }) => json));
		const binary = outputs.find((output) => output.binary !== undefined)?.binary;
		const answer = toolAnswer(call, new Tools(this.resources, own, toolsBeside(this.context)));
		return { ...outputItem(answer, [item]), ...(binary !== undefined && { binary }) };
	}
}

/** n8n adds it to every list of a node whose credentials it could use elsewhere. */
const customCall = '__CUSTOM_API_CALL__';

/** The operation that the node is set to, if it is open to whoever calls. */
export function chosenOperation(context: IExecuteFunctions, resources: Record<string, Resource>): Operation {
	const { resource, operation: name } = context.getNode().parameters;
	if (resource === customCall || name === customCall) {
		throw new Failure("'Custom API Call' is not made by this node", {
			description:
				"Use n8n's 'HTTP Request' node: set 'Authentication' to 'Predefined Credential Type', choose the credential type of this node, and give the whole address. The credential is sent to the origin of its 'Base URL' only.",
			cause: 'configuration-invalid',
		});
	}
	const operation = resources[String(resource ?? 'inquiry')]?.operations[String(name)];
	if (operation === undefined)
		throw new Failure(`This version of the node has no operation '${String(name)}' for '${String(resource)}'`, {
			cause: 'configuration-invalid',
		});
	if (operation.notForTools !== undefined && calledByAgent(context)) {
		throw new Failure(`'${operation.name}' is not available to AI agents: ${operation.notForTools}`, {
			cause: 'configuration-invalid',
		});
	}
	return operation;
}

type Values = Record<string, unknown>;
type Together = Extract<Operation, { runAll: unknown }>;
type PerItem = Exclude<Operation, Together>;

/** Items in, items out. The one place that catches. */
export async function run(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const results = new Results(context, resources);
	let services: Services | undefined;
	try {
		const operation = chosenOperation(context, resources);
		services = new Services(context, results.submissions, results.callOf);
		if ('runAll' in operation) await runTogether(operation, context, services, results);
		else await runEach(operation, await inTurns(readEntries(context, operation, results)), services, results);
	} catch (error) {
		results.failOthers(error);
	}
	await services?.close();
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
		if (calledByAgent(context)) results.told(outcome);
		else if ('failure' in outcome) results.fail(outcome.items[0], outcome.failure);
		else results.put(outcome.items[0], [outputItem(outcome.output, outcome.items)]);
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
			const service = await services.forItem(entry.index, operation.writes, release);
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
