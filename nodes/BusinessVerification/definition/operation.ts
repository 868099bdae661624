import type { Fields, Input } from './field';
import type { Failure } from './failure';
import type { Json, Request, Service, Settings } from './service';

export interface Binary {
	bytes: Buffer;
	fileName: string;
	mimeType: string;
	/** Name of the output field that carries the file. */
	field: string;
}

/** An output item that carries a file. */
export class FileOutput {
	constructor(
		readonly json: Json,
		readonly file: Binary,
	) {}
}

/** What an operation on many items says of them: an output or a failure, and the input items it belongs to. */
export type Outcome = { items: number[] } & ({ output: Json } | { failure: Failure });

/** An input item of an operation that looks at many of them together. */
export interface Entry<I> {
	index: number;
	input: I;
	json: Json;
}

interface Common<F extends Fields> {
	/** Label in the Operation list; may change, unlike the file's name. */
	name: string;
	/** What the node creator and the canvas show, in sentence case without articles. */
	action: string;
	description: string;
	fields: F;
	/** Hidden from AI agents and refused when one calls it all the same, with this reason. */
	notForTools?: string;
	/** Documents the operation: the page in docs/, and the editor's preview of the output. */
	example: { input: Json; output: Json };
	/** Method and path as the document prints them; absent where an operation is ours alone. */
	endpoint?: string;
}

/** One request per item. */
export interface Simple<F extends Fields> extends Common<F> {
	request(input: Input<F>, settings: Settings): Request;
	result?(answer: Json, input: Input<F>): Json | Json[];
}

/** Several requests per item, or none. A list becomes several output items, a `FileOutput` one with a file. */
export interface PerItem<F extends Fields> extends Common<F> {
	run(input: Input<F>, service: Service, entry: Entry<Input<F>>): Promise<unknown>;
}

/** All items together, like the rows of a sheet. The parameters are those of the first item. */
export interface Together<F extends Fields> extends Common<F> {
	runAll(input: Input<F>, rows: Json[], service: Service): Promise<Outcome[]>;
}

export type Definition<F extends Fields = Fields> = Simple<F> | PerItem<F> | Together<F>;

export type Operation = Definition;

/** The types of the fields are checked where an operation is written; the engine needs to know only that there are some. */
export const operation = <F extends Fields>(definition: Definition<F>) => definition as unknown as Operation;

export interface Resource {
	name: string;
	/** In the order of the menu is not needed: n8n wants it sorted. The key is the saved value and the file's name. */
	operations: Record<string, Operation>;
}
