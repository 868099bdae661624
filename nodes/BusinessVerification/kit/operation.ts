import { type Address, Failure, type Json, type Question, type Service, type Settings } from './service';
import { alphabetically, type Fields, type Input, settings, whole } from './field';
import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The names of the IDs that a route is filled with. */
type Placeholders<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
	? Name | Placeholders<Rest>
	: never;

/** A route's IDs, as arguments: none where it has none. */
export type Ids<R extends string> = [Placeholders<R>] extends [never] ? [] : [ids: Record<Placeholders<R>, string>];

/** Method and path of a route, its placeholders filled. */
export function at<R extends string>(route: R, ...[ids]: Ids<R>): Address {
	const [method, path] = route.split(' ');
	return { method: method as Address['method'], path: filled(path, ids ?? {}), namesRecord: path.includes('{') };
}

/** A path with its placeholders filled, so that no ID leaves its place. */
export const filled = (path: string, ids: Record<string, string>): string =>
	path.replace(/\{(\w+)\}/g, (mark, name: string) => (name in ids ? segment(ids[name]) : mark));

/** Dots stay dots however they are encoded: every URL parser takes `%2E%2E` for the folder above. */
function segment(id: string): string {
	if (id === '.' || id === '..') throw new Failure(`'${id}' is not an ID`, { description: 'Nothing was sent.' });
	return encodeURIComponent(id);
}

/** What the editor's searchable lists and drop-downs show while a workflow is built. */
export interface Found {
	name: string;
	value: string;
}

interface FoundPage {
	results: Found[];
	/** Where the next page begins; absent on the last. */
	next?: number;
}

/** The service as the editor may ask it. */
export interface EditorService {
	send<T>(question: Question<T>): Promise<T>;
	rows(path: string, query: Json): Promise<Json[]>;
}

export type Search = (service: EditorService, filter: string | undefined, offset: number) => Promise<FoundPage>;
export type Load = (service: EditorService) => Promise<Found[]>;

/** How every operation sends. The engine keeps to the same bounds, whatever it is given. */

export const concurrencyBounds = { default: 8, min: 1, max: 32 };
export const timeoutBounds = { default: 60, min: 1, max: 600 };

/** A figure that nothing has checked, kept within its bounds. */
export const within = ({ default: initial, min, max }: typeof concurrencyBounds, figure?: number): number =>
	Math.min(max, Math.max(min, figure || initial));

const sending = {
	concurrency: whole('Concurrency', {
		...concurrencyBounds,
		description: `Maximum requests at the same time. If not set, reads use up to ${concurrencyBounds.max} while the service keeps up. When the service asks for fewer, it gets fewer.`,
	}),
	timeout: whole('Timeout (Seconds)', { ...timeoutBounds, description: 'Seconds to wait for an answer' }),
};

/** Of an operation that has options of its own; all others have these alone. */
export const sendingOptions = <F extends Fields>(own: F) => settings('Options', { ...own, ...sending });

export const plainOptions = settings('Options', sending);

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
	 * What else that text says: what the tool does, when to use it and when another one (`use Get inquiry`, by its action),
	 * what it gives. Every conversation carries it, so it is short.
	 */
	forModels?: string;
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
	/** Whether a request of it may change or cost something. */
	writes: boolean;
};

export function operation<F extends Fields, R extends string, T>(
	definition: Simple<F, R, T> | PerItem<F, R> | Together<F, R>,
): Operation {
	const own = (...ids: Ids<string>) => at(definition.endpoint as string, ...ids);
	const whole = 'request' in definition ? { ...definition, run: asking(definition) } : definition;
	const fields = 'options' in definition.fields ? definition.fields : { ...definition.fields, options: plainOptions };
	const asks = definition.notForTools === undefined ? neededOf(fields) : [];
	const writes = definition.bills !== undefined || definition.endpoint?.startsWith('GET') === false;
	return { asks, ...(whole as unknown as Together<Fields, string>), own, fields, writes };
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

/** From definitions to the parameters n8n shows. Adds what every operation needs, so that no operation repeats it. */
export function nodeProperties(resources: Record<string, Resource>, variants: Variants = alone): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: byName(Object.entries(resources).map(([value, { name }]) => ({ name, value }))),
			default: 'inquiry',
		},
		...Object.entries(resources).flatMap(([value, resource]) => resourceProperties(value, resource, variants)),
	];
}

/** What a parameter of an operation is split into, where it looks different to those who use it. */
type Variants = (property: INodeProperties, operation: Operation) => INodeProperties[];
const alone: Variants = (property) => [property];

/** The fields alone, as a trigger shows them. */
export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, { property, elsewhere }]) =>
		[property, ...(elsewhere === undefined ? [] : [elsewhere])].map((one) => ({ ...one, name })),
	);

function resourceProperties(
	resource: string,
	{ operations, opensAt }: Resource,
	variants: Variants,
): INodeProperties[] {
	const entries = Object.entries(operations);
	return [
		...operationMenus(resource, entries, opensAt),
		...entries.flatMap(([name, operation]) =>
			propertiesOf(operation.fields).flatMap((property) => {
				const show = { resource: [resource], operation: [name], ...property.displayOptions?.show };
				return variants({ ...property, displayOptions: { ...property.displayOptions, show } }, operation);
			}),
		),
	];
}

/** Agents get a menu without the operations that are not for them. */
function operationMenus(
	resource: string,
	entries: Array<[string, Operation]>,
	opensAt: readonly string[],
): INodeProperties[] {
	const forTools = entries.filter(([, operation]) => !operation.notForTools);
	const menu = (shown: Array<[string, Operation]>, visibility: object): INodeProperties => {
		const options = byName(
			shown.map(([value, { name, action, description }]) => ({ name, value, action, description })),
		);
		const initial = opensAt.find((value) => options.some((option) => option.value === value)) ?? options[0].value;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: visibility,
			options,
			default: initial,
		};
	};
	if (forTools.length === entries.length) return [menu(entries, { show: { resource: [resource] } })];
	return [
		menu(entries, { show: { resource: [resource] }, hide: { '@tool': [true] } }),
		...(forTools.length > 0 ? [menu(forTools, { show: { resource: [resource], '@tool': [true] } })] : []),
	];
}

const byName = <T extends { name: string }>(options: T[]) =>
	[...options].sort((a, b) => alphabetically(a.name, b.name));

export const keyType = 'businessVerificationApi';
export const jwtType = 'businessVerificationJwtApi';
export const loginType = 'businessVerificationOAuth2Api';

const types: Record<string, string> = { apiKey: keyType, jwt: jwtType, oAuth2: loginType };

export const credentials: INodeCredentialDescription[] = Object.entries(types).map(([picked, name]) => ({
	name,
	required: true,
	displayOptions: { show: { authentication: [picked] } },
}));

export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'JWT', value: 'jwt' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiKey',
};

export const credentialType = (context: { getNode(): INode }): string =>
	types[String(context.getNode().parameters.authentication)] ?? keyType;
