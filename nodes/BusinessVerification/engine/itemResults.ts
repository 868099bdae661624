import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failed } from '../agents/toolAnswers';
import { calledByAgent } from './host';
import { nodeErrorOf, asFailure } from './nodeError';
import { acceptedItem, errorItem, outputItem } from './outputs';
import { Submissions } from './submissions';

/** What became of every input item; the one place that decides whether a failure ends the run. */
export class Results {
	readonly submissions = new Submissions();
	private readonly outputs: INodeExecutionData[][];
	private readonly forAgent: boolean;
	private readonly stopsOnFailure: boolean;
	private stoppedBy: { error: unknown; item: number } | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.forAgent = calledByAgent(context);
		this.outputs = context.getInputData().map(() => []);
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
			this.put(item, [acceptedItem(record, failure, item)]);
			return;
		}
		const told = isPaid ? this.submissions.named(failure, record) : error;
		if (!this.stopsOnFailure) {
			const failure = asFailure(told);
			this.put(item, [this.forAgent ? outputItem(failed(failure), [item]) : errorItem(failure, item)]);
			return;
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
				if (output.length === 0) this.fail(item, error);
			});
		} catch {
			// Under "Stop": `end` throws it as n8n's error.
		}
	}

	get isStopped(): boolean {
		return this.stoppedBy !== undefined;
	}

	/** n8n runs a node again that threw, or whose first item is an error. */
	get mayRunAgain(): boolean {
		return this.isStopped || this.outputs.flat()[0]?.json.error !== undefined;
	}

	end(): INodeExecutionData[][] {
		if (this.stoppedBy === undefined) return [this.outputs.flat()];
		const { error, item } = this.stoppedBy;
		throw nodeErrorOf(this.context.getNode(), error, item, this.submissions.summary);
	}
}
