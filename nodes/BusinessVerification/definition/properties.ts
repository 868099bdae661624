import type { INodeProperties } from 'n8n-workflow';
import { alphabetically } from './alphabetical';
import type { Fields } from './field';
import type { Operation, Resource } from './operation';

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
