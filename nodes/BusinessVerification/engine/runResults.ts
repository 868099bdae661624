import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { CallResults, toolAnswer } from '../agents/toolAnswer';
import { chosenIn, FileOutput, type InputItem, type Operation, type Outcome, type Output } from '../kit/operation';
import { few, orMade } from '../kit/objects';
import type { Failure, Json } from '../kit/service';
import { asFailure, errorItem, messageOf, nodeErrorOf } from './runErrors';
import { remark } from './host';
import { nameOfItem } from './parameters';
import { type Whose, Submissions } from './submissions';

/** The results of one run, collected while it runs. Who reads them decides what a failure means for the other items. */
export abstract class RunResults {
	readonly submissions: Submissions;
	/** Undefined until it is known. */
	operation: Operation | undefined;
	private readonly calls = new Map<number, CallResults>();
	private readonly remarks = new Map<string, { text: string; more: number }>();
	protected readonly outputs: INodeExecutionData[][];
	/** The last one of each item. */
	protected readonly failures = new Map<number, Failure>();
	protected readonly stop = new AbortController();
	/** After it, no more requests are sent, and waits end. */
	readonly failed: AbortSignal = this.stop.signal;

	constructor(protected readonly context: IExecuteFunctions) {
		this.submissions = new Submissions(context);
		this.outputs = context.getInputData().map(() => []);
	}

	/** For details that only an agent gets. */
	callOf = (item: number): CallResults => orMade(this.calls, item, () => new CallResults());

	nameOf = (item: number): string | undefined => nameOfItem(this.context, this.operation, item);

	/** A hint beside the output: see `Service`. */
	remark = (text: string, kind?: string): void => {
		const known = this.remarks.get(kind ?? text);
		if (known === undefined) this.remarks.set(kind ?? text, { text, more: 0 });
		else if (kind !== undefined) known.more++;
	};

	/** Throws if the failure stops the run. */
	abstract fail(item: number, error: unknown): void;

	/** A failure of the whole operation, such as a missing credential, is reported for every item without a result. */
	failOthers(thrown: unknown): void {
		// What was submitted for an item is told with the item.
		const failure = this.submissions.told('rows', asFailure(thrown), '');
		this.outputs.forEach((output, item) => {
			if (output.length === 0 && !this.failures.has(item)) this.fail(item, failure);
		});
	}

	/** For an operation on all items together. */
	take(outcome: Outcome, item = outcome.item): void {
		if (outcome.kind === 'output') this.put(item, [outputItem(outcome.output, item)]);
		else this.fail(item, outcome.failure);
	}

	abstract end(): INodeExecutionData[][];

	async putResult(result: Output, { index }: InputItem<Json>): Promise<void> {
		this.put(index, await itemsOf(this.context, result, index));
	}

	protected put(item: number, outputs: INodeExecutionData[]): void {
		this.outputs[item] = this.outputs[item].concat(outputs);
	}

	/** At most two hints: the first, which is what failed, and one of everything else in the order in which it was said. */
	protected showHints(failed: string[] = []): void {
		const said = [...this.remarks.values()].map(({ text, more }) =>
			more === 0 ? text : `${text} The same for ${more} more ${more === 1 ? 'item' : 'items'}.`,
		);
		const [first, ...others] = [...failed, ...said];
		for (const hint of [first, few(others, ' ')]) if (hint) remark(this.context, hint);
	}
}

/** Each failure is an error item, or stops the run: the setting 'On Error' decides. */
export class ResultsForPeople extends RunResults {
	/** The first failure, because those of items under way come later, and belong to what it says. */
	private stoppedBy: { owner: Whose; thrown: unknown } | undefined;

	fail(item: number, thrown: unknown): void {
		const failure = asFailure(thrown);
		if (!this.context.continueOnFail()) {
			this.stoppedBy ??= { owner: item, thrown };
			this.stop.abort();
			throw failure;
		}
		const told = this.submissions.told(item, failure);
		this.failures.set(item, told);
		this.put(item, [errorItem(told, item, this.readColumns(item, told))]);
	}

	/** Without an error output nothing has to be routed, so the first columns say whose item failed, and why. */
	private readColumns(item: number, failure: Failure): Json {
		const { example = {} } = this.operation ?? {};
		if (this.context.getNode().onError === 'continueErrorOutput' || !('summary' in example)) return {};
		const name = this.nameOf(item);
		const message = messageOf(failure);
		return {
			...('businessName' in example && { businessName: name }),
			summary: `${name === undefined || message.includes(name) ? '' : `${name}: `}${message}.`,
		};
	}

	override failOthers(thrown: unknown): void {
		if (this.context.continueOnFail()) super.failOthers(thrown);
		else this.stoppedBy ??= { owner: 'rows', thrown };
	}

	end(): INodeExecutionData[][] {
		const { stoppedBy, failures, outputs, submissions } = this;
		if (stoppedBy !== undefined) {
			const { owner, thrown } = stoppedBy;
			const failure = asFailure(thrown);
			const told = submissions.toldForAll(owner, failure, this.nameOf);
			const item = owner === 'rows' ? undefined : owner;
			const name = item === undefined ? undefined : this.nameOf(item);
			throw nodeErrorOf(this.context.getNode(), told === failure ? thrown : told, { item, of: outputs.length, name });
		}
		const [first] = [...failures].sort(([one], [other]) => one - other);
		if (first === undefined) this.showHints();
		else {
			const [item, failure] = first;
			const why = messageOf(failure, { item, of: outputs.length, name: this.nameOf(item) });
			this.showHints([`${failures.size} of ${outputs.length} items failed: ${why}.`]);
		}
		return [outputs.flat()];
	}
}

/** A model gets one answer per call, also for a failure, which stops nothing. */
export class ResultsForAgent extends RunResults {
	override async putResult(result: Output, entry: InputItem<Json>): Promise<void> {
		const call = this.callOf(entry.index);
		call.isList = Array.isArray(result);
		if ('part' in entry.input) call.part = Number(entry.input.part ?? 1);
		await super.putResult(result, entry);
	}

	fail(item: number, thrown: unknown): void {
		const failure = this.submissions.told(item, asFailure(thrown));
		this.failures.set(item, failure);
		this.callOf(item).failures.push(failure);
	}

	/** An agent's rows are not items: all are in the answer to its call. */
	override take(outcome: Outcome): void {
		super.take(outcome, 0);
	}

	end(): INodeExecutionData[][] {
		const { resource } = chosenIn(this.context.getNode());
		this.showHints();
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
	return { ...outputItem(toolAnswer(call, resource), item), ...(binary !== undefined && { binary }) };
}

type ItemJson = INodeExecutionData['json'];

/**
 * If the first item has a key `error`, n8n counts the run as failed and repeats it under "Retry On Fail". It also sends
 * items with few keys to the error output. So a record's `error` is renamed to `recordError`.
 */
function outputItem(json: Json, item: number): INodeExecutionData {
	return {
		json: ('error' in json ? renamed(json) : json) as ItemJson,
		pairedItem: { item },
	};
}

const renamed = ({ error, ...others }: Json): Json => ({ ...others, recordError: error });

/** Turns the result of an operation into items: one per entry of a list, or one with a file. */
async function itemsOf(context: IExecuteFunctions, result: Output, item: number): Promise<INodeExecutionData[]> {
	if (!(result instanceof FileOutput)) return [result].flat().map((one) => outputItem(one, item));
	const { bytes, fileName, mimeType, field } = result.file;
	const binary = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
	return [{ ...outputItem(result.json, item), binary: { [field]: binary } }];
}
