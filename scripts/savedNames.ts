import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { credentialProperties, credentialTypes } from './credentialTypes';
import type { Resource } from '../nodes/BusinessVerification/kit/operation';

/**
 * Every name that n8n saves in a workflow or a credential: `options.concurrency`, `principals.row.lastName`, and the
 * values of a list, `output=raw`. A name that changes breaks the workflows of users.
 */
export type SavedNames = Record<'nodes' | 'credentials' | 'operations', Record<string, string[]>>;

type Named = Pick<INodeProperties, 'name' | 'type' | 'options'>;

/** With its ending, because a program that is not compiled takes the `.node.json` beside it for the module. */
export function nodeNamed(name: string): INodeType {
	const load = createRequire(__filename);
	const loaded = load(join(__dirname, `../nodes/BusinessVerification/${name}.node.ts`)) as Record<
		string,
		new () => INodeType
	>;
	return new loaded[name]();
}

const nodeNames = ['BusinessVerification', 'BusinessVerificationTrigger', 'BusinessVerificationSellerTrigger'];

/** In an order that a new name does not change. */
const inOrder = (names: string[]) => [...new Set(names)].sort();

function namesIn(properties: Named[], path = ''): string[] {
	return properties.flatMap(({ name, type, options = [] }) => {
		const own = `${path}${name}`;
		return [own, ...options.flatMap((option) => insideOf(option, own, type))];
	});
}

function insideOf(
	option: INodeProperties | INodePropertyCollection | INodePropertyOptions,
	path: string,
	type: string,
): string[] {
	if ('values' in option) return [`${path}.${option.name}`, ...namesIn(option.values, `${path}.${option.name}.`)];
	if (type === 'collection') return namesIn([option as INodeProperties], `${path}.`);
	return [`${path}=${String((option as INodePropertyOptions).value)}`];
}

/** What the descriptions of this version hold. */
export function presentNames(resources: Record<string, Resource>): SavedNames {
	const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, { fields }]) => {
			const properties = Object.entries(fields).map(([field, { property }]) => ({ ...property, name: field }));
			return [`${resource}.${name}`, inOrder(namesIn(properties as Named[]))] as const;
		}),
	);
	const ofOperations = new Set(operations.flatMap(([, names]) => names));
	const nodes = nodeNames.map(nodeNamed);
	return {
		nodes: Object.fromEntries(
			nodes.map(({ description: { name, properties } }) => {
				// The keys of the operations say which there are.
				const isElsewhere = (one: string) => ofOperations.has(one) || one.startsWith('operation=');
				const isAction = name === 'businessVerification';
				return [name, inOrder(namesIn(properties)).filter((one) => !isAction || !isElsewhere(one))];
			}),
		),
		credentials: Object.fromEntries(
			credentialTypes.map((type) => [type.name, inOrder(namesIn(credentialProperties(type)))]),
		),
		operations: Object.fromEntries(operations),
	};
}

export const savedNamesFile = 'test/savedNames.json';

type Names = Record<string, string[]>;

const eachKind = (names: SavedNames, change: (ofKind: Names) => Names) =>
	Object.fromEntries(Object.entries(names).map(([kind, ofKind]) => [kind, change(ofKind)])) as SavedNames;

/** The file lists a name once, below all who have it; read, it is each with its names. */
function ofEach(shared: Names): Names {
	const names: Names = {};
	for (const [owners, theirs] of Object.entries(shared))
		for (const owner of owners.split(', ')) names[owner] = inOrder([...(names[owner] ?? []), ...theirs]);
	return names;
}

function sharedBy(names: Names): Names {
	const ownersOf = (name: string) => Object.keys(names).filter((owner) => names[owner].includes(name));
	const shared: Names = {};
	for (const name of inOrder(Object.values(names).flat())) (shared[ownersOf(name).join(', ')] ??= []).push(name);
	return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const listedNames = (): SavedNames =>
	eachKind(JSON.parse(readFileSync(join(__dirname, '..', savedNamesFile), 'utf8')) as SavedNames, ofEach);

/** The list with what is new. A name is never taken away here: that is done by hand, and before the first release only. */
export function savedNames(resources: Record<string, Resource>): Record<string, string> {
	const listed = listedNames();
	const present = presentNames(resources);
	for (const kind of ['nodes', 'credentials', 'operations'] as const)
		for (const [name, names] of Object.entries(present[kind]))
			listed[kind][name] = inOrder([...(listed[kind][name] ?? []), ...names]);
	return { [savedNamesFile]: `${JSON.stringify(eachKind(listed, sharedBy), undefined, 2)}\n` };
}
