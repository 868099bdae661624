import { type Address, Failure, type Json, type Service } from './service';
import { alphabetical, type Fields, type Input, notice, propertiesOf, whole, withHelp } from './field';
import { settings } from './collections';
import type {
	IDisplayOptions,
	INode,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

type Placeholders<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
	? Name | Placeholders<Rest>
	: never;

/** An argument with the IDs of a route; no argument if it has none. */
type Ids<R extends string> = [Placeholders<R>] extends [never] ? [] : [ids: Record<Placeholders<R>, string>];

export function at<R extends string>(route: R, ...[ids]: Ids<R>): Address {
	const [method, path] = route.split(' ');
	return { method: method as Address['method'], path: filled(path, ids ?? {}), namesRecord: path.includes('{') };
}

/** IDs are encoded, so that none can change the path. */
export const filled = (path: string, ids: Record<string, string>): string =>
	path.replace(/\{(\w+)\}/g, (mark, name: string) => (name in ids ? segment(ids[name]) : mark));

function segment(id: string): string {
	if (!isSegment(id)) throw new Failure(`'${id}' is not an ID`, { description: 'Nothing was sent.' });
	return encodeURIComponent(id);
}

/**
 * Not if it climbs out of its place with `..`. Encoding does not help against that, because URL parsers read `%2E%2E` as
 * `..`, and some proxies decode `%2F` before they resolve it.
 */
export function isSegment(id: string): boolean {
	const marks: Record<string, string> = { '2e': '.', '2f': '/', '5c': '/' };
	const decoded = id.replace(/%(?:25)*(2e|2f|5c)/gi, (_, code: string) => marks[code.toLowerCase()]);
	// `encodeURIComponent` throws for half of a surrogate pair, as in a text that was cut.
	return !/\p{Surrogate}/u.test(id) && !decoded.split(/[/\\]/).some((part) => /^\.\.?(;|$)/.test(part));
}

/** The service for the editor: reads only what lists and drop-downs need. */
export interface EditorService extends Pick<Service, 'send'> {
	rows(path: string, query: Json): Promise<Json[]>;
}

/** A page of a searchable list; its `paginationToken` is the offset of the next page. */
export type Search = (service: EditorService, filter?: string, position?: string) => Promise<INodeListSearchResult>;
export type Load = (service: EditorService) => Promise<INodePropertyOptions[]>;

/** The form and the engine share these bounds, because an expression can return any number. */
export const concurrencyBounds = { default: 8, min: 1, max: 32 };
export const timeoutBounds = { default: 60, min: 1, max: 600 };

export const within = ({ default: initial, min, max }: typeof concurrencyBounds, figure?: number): number =>
	Math.min(max, Math.max(min, figure || initial));

const concurrency = whole('Concurrency', {
	...concurrencyBounds,
	description: `Maximum requests at the same time in each run of this node. If not set: ${concurrencyBounds.max} for reads, ${concurrencyBounds.default} where something is billed. When the service asks for fewer, it gets fewer.`,
});

const timeout = whole('Timeout (Seconds)', { ...timeoutBounds, description: 'Seconds to wait for an answer' });

/**
 * For an operation with further options. Others get `plainOptions` by `operation`. What hardly anybody changes is in
 * `advanced`.
 */
export const sendingOptions = <F extends Fields, A extends Fields>(own: F, advanced = {} as A) =>
	settings('Options', { ...own, timeout, advanced: settings('Advanced Options', { ...advanced, concurrency }) });

const plainOptions = sendingOptions({});

/** A record with a file, which is output under the name `field`. */
export class FileOutput {
	constructor(
		readonly json: Json,
		readonly file: { bytes: Buffer; fileName: string; mimeType: string; field: string },
	) {}
}

/** An output or a failure, and the input item it belongs to. */
export type Outcome = { item: number } & ({ kind: 'output'; output: Json } | { kind: 'failure'; failure: Failure });

export interface InputItem<I> {
	index: number;
	input: I;
	json: Json;
}

/** Fills the IDs into the operation's `endpoint`, so that its request cannot go elsewhere. */
type Own<R extends string> = (...ids: Ids<R>) => Address;

interface Common<F extends Fields, R extends string> {
	/** Label in the Operation list. It may change, unlike the file name, which is the saved value. */
	name: string;
	/** What the node creator and the canvas show, in sentence case without articles. */
	action: string;
	description: string;
	/** `operation` adds `options` with the sending options if they are missing. */
	fields: F;
	/**
	 * For the text of the tool, after the costs: what the tool does and returns, and when to use another one (by its
	 * action: `use Get inquiry`). Short, because every conversation with the model includes it.
	 */
	forModels?: string;
	/**
	 * The parameters that a model fills in unless the author of the tool does, by name or by `collection.name`. By
	 * default, the required ones.
	 */
	asks?: readonly string[];
	/** The reason why the operation is hidden from AI agents, and refused if one calls it anyway. */
	notForTools?: string;
	/** A sample output, for docs/ and the preview in the editor. */
	example: Json;
	/** Input that leads to `example`. Required parameters have the values of their placeholders. */
	exampleInput?: Json;
	/** Absent if the operation has no endpoint to itself, or its path is a setting. */
	endpoint?: R;
	/** What a call costs, or 'free': for agents, and in the notice of the panel. Absent if the operation only reads. */
	bills?: string;
}

/** Required for writes, so that no operation can bill without saying so. */
type Billing<R extends string> = R extends `POST ${string}` ? { bills: string } : unknown;

/** What an operation returns for one item. */
export type Output = Json | Json[] | FileOutput;

/** Any number of requests per item. A list becomes several output items, a `FileOutput` one with a file. */
interface PerItem<F extends Fields, R extends string> extends Common<F, R> {
	/** Throws if fields do not fit together. Called for all items before the first request, so that none is billed then. */
	check?(input: Input<F>): void;
	run(input: Input<F>, service: Service, own: Own<R>, item: InputItem<Input<F>>): Promise<Output>;
}

/** All items together, such as the rows of a sheet, with the parameters of the first item. */
export interface Together<F extends Fields, R extends string> extends Common<F, R> {
	runAll(input: Input<F>, rows: Json[], service: Service, own: Own<R>): Promise<Outcome[]>;
}

type Definition<F extends Fields, R extends string> =
	({ kind: 'perItem' } & PerItem<F, R>) | ({ kind: 'together' } & Together<F, R>);

/** Without the types of the fields, which are checked at the definition and which the engine does not need. */
export type Operation = Definition<Fields, string> & { own: Own<string>; asks: readonly string[] };

export const costsMoney = ({ bills = 'free' }: Operation): boolean => bills !== 'free';

export const operation = <F extends Fields, R extends string>(definition: PerItem<F, R> & Billing<R>) =>
	defined({ ...definition, kind: 'perItem' });

/** For an operation that has to see all items at once. */
export const jointOperation = <F extends Fields, R extends string>(definition: Together<F, R> & Billing<R>) =>
	defined({ ...definition, kind: 'together' });

function defined<F extends Fields, R extends string>(definition: Definition<F, R>): Operation {
	const own = (...ids: Ids<string>) => at(definition.endpoint as string, ...ids);
	const fields = { ...definition.fields, options: definition.fields.options ?? plainOptions };
	const needed = Object.keys(fields).filter((name) => isNeeded(fields[name].property));
	const asks = definition.notForTools === undefined ? needed : [];
	return { asks, ...definition, own, fields } as Operation;
}

/** A field that is required only under conditions is optional for a model; a call without it fails with the reason. */
export const isNeeded = ({ required, displayOptions }: Omit<INodeProperties, 'name'>): boolean =>
	required === true && displayOptions === undefined;

export interface Resource {
	name: string;
	/** The key is the saved value and the file name. The first one that a menu offers is selected by default. */
	operations: Record<string, Operation>;
}

const defaultResource = 'inquiry';

/** What is selected in a node. n8n does not save a parameter that has its default. */
export const chosenIn = ({ parameters: { resource = defaultResource, operation } }: Pick<INode, 'parameters'>) => ({
	resource: String(resource),
	name: String(operation),
});

/** The parameters that n8n shows, with the menus and notices that no operation has to define. */
export function nodeProperties(
	resources: Record<string, Resource>,
	variants: Variants = (property) => [property],
): INodeProperties[] {
	const entries = Object.entries(resources);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: byName(entries.map(([value, { name }]) => ({ name, value }))),
			default: defaultResource,
		},
		...entries.flatMap(([value, resource]) => resourceProperties(value, resource, variants)),
	];
}

/** The properties of one parameter: two if people and the authors of tools see it differently. */
type Variants = (property: INodeProperties, operation: Operation) => INodeProperties[];

/** Shows costs without hovering, but not of a dry run. Not one of the operation's fields, because it has no value to read. */
function billingNotice(operation: Operation): INodeProperties[] {
	if (!costsMoney(operation)) return [];
	const billed = operation.kind === 'together' ? 'Billed' : 'Each item is billed';
	const costs = notice(`${billed}: ${operation.bills}.`);
	return propertiesOf({ billingNotice: withHelp(costs, { displayOptions: { hide: { dryRun: [true] } } }) });
}

function resourceProperties(name: string, resource: Resource, variants: Variants): INodeProperties[] {
	const parameters = Object.entries(resource.operations).flatMap(([operation, definition]) =>
		[...billingNotice(definition), ...propertiesOf(definition.fields)].flatMap((property) => {
			const show = { resource: [name], operation: [operation], ...property.displayOptions?.show };
			return variants({ ...property, displayOptions: { ...property.displayOptions, show } }, definition);
		}),
	);
	return [...operationMenus(name, resource), ...parameters];
}

/** Two menus if some operations are not for agents, because n8n cannot hide a single option from a tool. */
function operationMenus(resource: string, { operations }: Resource): INodeProperties[] {
	const entries = Object.entries(operations);
	const forTools = entries.filter(([, { notForTools }]) => notForTools === undefined);
	const menu = (shown: typeof entries, displayOptions: IDisplayOptions): INodeProperties => {
		const options = shown.map(([value, { name, action, description }]) => ({ name, value, action, description }));
		const [{ value: initial }] = options;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions,
			options: byName(options),
			default: initial,
		};
	};
	if (forTools.length === entries.length) return [menu(entries, { show: { resource: [resource] } })];
	return [
		menu(entries, { show: { resource: [resource] }, hide: { '@tool': [true] } }),
		menu(forTools, { show: { resource: [resource], '@tool': [true] } }),
	];
}

const byName = (options: INodePropertyOptions[]) => alphabetical(options, ({ name }) => name);
