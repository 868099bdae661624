import type { Fields, Input } from './field';
import type { Failure } from './failure';
import { at, type Ids } from './route';
import { plainOptions } from './sending';
import type { Address, Json, Question, Service, Settings } from './service';

interface Binary {
	bytes: Buffer;
	fileName: string;
	mimeType: string;
	/** Name of the output field that carries the file. */
	field: string;
}

export class FileOutput {
	constructor(
		readonly json: Json,
		readonly file: Binary,
	) {}
}

/** What an operation on many items says of them: an output or a failure, and the input items it belongs to. */
export type Outcome = { items: number[] } & ({ output: Json } | { failure: Failure });

/** An input item of an operation that looks at many of them together. */
export interface InputItem<I> {
	index: number;
	input: I;
	json: Json;
}

/** Fills the operation's own endpoint, so that its request cannot go elsewhere. */
export type Own<R extends string> = (...ids: Ids<R>) => Address;

interface Common<F extends Fields, R extends string> {
	/** Label in the Operation list; may change, unlike the file's name. */
	name: string;
	/** What the node creator and the canvas show, in sentence case without articles. */
	action: string;
	description: string;
	/** Besides `options`, which say at least how requests are sent. */
	fields: F;
	/** What a call may cost, for the text that an agent reads; absent where it is free. */
	bills?: string;
	/**
	 * What a model fills in unless the author of the tool does, each by its name or by `collection.name`. Unless said
	 * otherwise, what has to be filled in.
	 */
	asks?: readonly string[];
	/** Hidden from AI agents and refused when one calls it all the same, with this reason. */
	notForTools?: string;
	/** A record as it comes out: for the page in docs/, and the editor's preview. */
	example: Json;
	/** What led to it, besides what has to be filled in: that is as its placeholder shows it. */
	exampleInput?: Json;
	/** Absent where an operation is ours alone, or its path is a setting. */
	endpoint?: R;
}

interface Simple<F extends Fields, R extends string, T> extends Common<F, R> {
	request(input: Input<F>, own: Own<R>, settings: Settings): Question<T>;
	result?(answer: T, input: Input<F>): Json | Json[];
}

/** Several requests per item, or none. A list becomes several output items, a `FileOutput` one with a file. */
export interface PerItem<F extends Fields, R extends string> extends Common<F, R> {
	run(input: Input<F>, service: Service, own: Own<R>, item: InputItem<Input<F>>): Promise<unknown>;
}

/** All items together, like the rows of a sheet. The parameters are those of the first item. */
export interface Together<F extends Fields, R extends string> extends Common<F, R> {
	runAll(input: Input<F>, rows: Json[], service: Service, own: Own<R>): Promise<Outcome[]>;
}

/** The types of the fields are checked where an operation is written; the engine needs to know only that there are some. */
export type Operation = (PerItem<Fields, string> | Together<Fields, string>) & {
	own: Own<string>;
	asks: readonly string[];
};

export function operation<F extends Fields, R extends string, T>(
	definition: Simple<F, R, T> | PerItem<F, R> | Together<F, R>,
): Operation {
	const own = (...ids: Ids<string>) => at(definition.endpoint as string, ...ids);
	const whole = 'request' in definition ? { ...definition, run: asking(definition) } : definition;
	const fields = 'options' in definition.fields ? definition.fields : { ...definition.fields, options: plainOptions };
	const asks = definition.notForTools === undefined ? neededOf(fields) : [];
	return { asks, ...(whole as unknown as Together<Fields, string>), own, fields };
}

/** What no call can do without. */
export const neededOf = (fields: Fields): string[] =>
	Object.keys(fields).filter((name) => {
		const { required, displayOptions } = fields[name].property;
		return required === true && displayOptions === undefined;
	});

const asking =
	<F extends Fields, R extends string, T>({ request, result }: Simple<F, R, T>): PerItem<F, R>['run'] =>
	async (input, service, own) => {
		const answer = await service.send(request(input, own, service.settings));
		return result === undefined ? answer : result(answer, input);
	};

export interface Resource {
	name: string;
	/** What the resource opens at: the first of these that the menu offers. */
	opensAt: readonly string[];
	/** The key is the saved value and the file's name. */
	operations: Record<string, Operation>;
}
