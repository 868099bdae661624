import type { NodeType, Property } from './subject';

/** A list of so many entries n8n's rules want in alphabetical order. */
const LONG = 5;
/** They steer the form or the output, as n8n's own nodes have them above every collection. */
const STEERING = ['authentication', 'resource', 'operation', 'returnAll', 'limit', 'output', 'watch'];
const GROUPS = ['collection', 'fixedCollection', 'notice', 'hidden', 'callout'];

export interface Form {
	place: string;
	labels: string[];
}

const isSorted = (labels: string[]) => labels.join() === [...labels].sort((a, b) => a.localeCompare(b)).join();

function placeOf({ displayName }: NodeType, { displayOptions }: Property): string {
	const { resource = [], operation = [], '@tool': tool } = displayOptions?.show ?? {};
	const named = [...resource, ...operation].join(': ') || displayName;
	return tool === undefined ? named : `${named}, for agents`;
}

/** The forms whose fields are told in an order of their own, as n8n shows them. */
export const inOrderOfPeople = (nodes: NodeType[]): Form[] =>
	nodes.flatMap((node) =>
		node.properties.flatMap((top) =>
			formsBelow([top], []).map(({ place, labels }) => ({ place: `${placeOf(node, top)}, ${place}`, labels })),
		),
	);

function formsBelow(properties: Property[], trail: string[]): Form[] {
	return properties.flatMap(({ type, displayName, options = [], values = [] }) => {
		const path = [...trail, displayName];
		const isForm = type === 'collection' || values.length > 0;
		const labels = (values.length > 0 ? values : options).map((each) => each.displayName);
		const own = isForm && labels.length >= LONG && !isSorted(labels) ? [{ place: path.join(' > '), labels }] : [];
		return [...own, ...formsBelow(type === 'options' || type === 'multiOptions' ? [] : [...options, ...values], path)];
	});
}

/** Fields that may stay blank and are no entry of a collection, with the places that show them. */
export function outsideOfCollections(nodes: NodeType[]): Map<string, string[]> {
	const places = new Map<string, string[]>();
	for (const node of nodes)
		for (const property of node.properties) {
			const { name, displayName, type = '', required } = property;
			if (required || STEERING.includes(name) || GROUPS.includes(type)) continue;
			const place = placeOf(node, property).replace(', for agents', '');
			const known = places.get(displayName) ?? [];
			if (!known.includes(place)) places.set(displayName, [...known, place]);
		}
	return places;
}
