import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { CallResults, toolAnswer } from '../agents/answers';
import { chosenIn, type InputItem, type Outcome, type Output } from '../kit/operation';
import { orMade } from '../kit/objects';
import type { Failure, Json } from '../kit/service';
import { asFailure, errorItem, itemsOf, nodeErrorOf, outputItem } from './results';
import { Submissions, withSubmission } from './writes';

/** The results of one run, collected while it runs. Who reads them decides what a failure means for the other items. */
export abstract class Results {
	readonly submissions = new Submissions();
	private readonly calls = new Map<number, CallResults>();
	protected readonly outputs: INodeExecutionData[][];
	protected readonly stop = new AbortController();
	/** After it, no more requests are sent, and waits end. */
	readonly failed: AbortSignal = this.stop.signal;

	constructor(protected readonly context: IExecuteFunctions) {
		this.outputs = context.getInputData().map(() => []);
	}

	/** For details that only an agent gets. */
	callOf = (item: number): CallResults => orMade(this.calls, item, () => new CallResults());

	/** Throws if the failure stops the run. */
	abstract fail(item: number, error: unknown): void;

	/** A failure of the whole operation, such as a missing credential, is reported for every item without a result. */
	abstract failOthers(error: unknown): void;

	/** For an operation on all items together. */
	abstract take(outcome: Outcome): void;

	abstract end(): INodeExecutionData[][];

	async putResult(result: Output, { index }: InputItem<Json>): Promise<void> {
		this.put(index, await itemsOf(this.context, result, index));
	}

	protected put(item: number, outputs: INodeExecutionData[]): void {
		this.submissions.records.delete(item);
		this.outputs[item] = this.outputs[item].concat(outputs);
	}

	/** The record that the service has accepted for the item, if the failure does not say so itself. */
	protected paidBefore(item: number, { details }: Failure): Json | undefined {
		return details.submission === undefined ? this.submissions.records.get(item) : undefined;
	}
}

/** Each failure is an error item, or stops the run: the setting 'On Error' decides. */
export class ResultsForPeople extends Results {
	/** Without an item if the whole run failed. */
	private stoppedBy: { error: unknown; item?: number } | undefined;

	fail(item: number, thrown: unknown): void {
		const failure = asFailure(thrown);
		const record = this.paidBefore(item, failure);
		const error = record === undefined ? thrown : withSubmission(failure, record);
		if (this.context.continueOnFail()) return this.put(item, [errorItem(asFailure(error), item)]);
		if (this.stoppedBy !== undefined && failure.details.submission === 'unknown') this.submissions.open.push(item);
		this.stoppedBy ??= { error, item };
		this.stop.abort();
		throw error;
	}

	failOthers(thrown: unknown): void {
		if (this.stoppedBy !== undefined) return;
		try {
			this.outputs.forEach((output, item) => {
				if (output.length === 0) this.fail(item, thrown);
			});
		} catch (error) {
			// `end` throws it.
			this.stoppedBy = { error };
		}
	}

	take(outcome: Outcome): void {
		const [first] = outcome.items;
		if (outcome.kind === 'output') this.put(first, [outputItem(outcome.output, outcome.items)]);
		else this.fail(first, outcome.failure);
	}

	end(): INodeExecutionData[][] {
		if (this.stoppedBy === undefined) return [this.outputs.flat()];
		const { error, item } = this.stoppedBy;
		throw nodeErrorOf(this.context.getNode(), error, { item, of: this.outputs.length, more: this.submissions.summary });
	}
}

/** A model gets one answer per call, also for a failure, which stops nothing. */
export class ResultsForAgent extends Results {
	override async putResult(result: Output, entry: InputItem<Json>): Promise<void> {
		const call = this.callOf(entry.index);
		call.isList = Array.isArray(result);
		call.hasParts = 'part' in entry.input;
		if (typeof entry.input.part === 'number') call.part = entry.input.part;
		await super.putResult(result, entry);
	}

	fail(item: number, thrown: unknown): void {
		const failure = asFailure(thrown);
		const record = this.paidBefore(item, failure);
		this.callOf(item).failures.push(record === undefined ? failure : withSubmission(failure, record));
		this.put(item, record === undefined ? [] : [outputItem(record, [item])]);
	}

	failOthers(thrown: unknown): void {
		this.outputs.forEach((output, item) => {
			if (output.length === 0 && this.callOf(item).failures.length === 0) this.fail(item, thrown);
		});
	}

	/** An agent's rows are not items: all are in the answer to its call. */
	take(outcome: Outcome): void {
		if (outcome.kind === 'output') this.put(0, [outputItem(outcome.output, [0])]);
		else this.fail(0, outcome.failure);
	}

	end(): INodeExecutionData[][] {
		const { resource } = chosenIn(this.context.getNode());
		return [this.outputs.map((outputs, item) => answerTo(this.callOf(item), outputs, resource, item))];
	}
}

function answerTo(
	call: CallResults,
	outputs: INodeExecutionData[],
	resource: string,
	item: number,
): INodeExecutionData {
	call.records.push(...outputs.map(({ json }) => json));
	const binary = outputs.find((output) => output.binary !== undefined)?.binary;
	return { ...outputItem(toolAnswer(call, resource), [item]), ...(binary !== undefined && { binary }) };
}
