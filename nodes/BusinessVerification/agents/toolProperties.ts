import type { INodeProperties } from 'n8n-workflow';
import { type Operation, type Resource, without } from '../definition';
import { type Asked, argumentText, askedBy, toolText } from './texts';

/** The text for the model, first of all parameters of a tool. */
export const toolTexts = (resources: Record<string, Resource>): INodeProperties[] =>
	Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations)
			.filter(([, { notForTools }]) => notForTools === undefined)
			.map(([operation, definition]) => ({
				displayName: 'Description',
				name: 'toolDescription',
				type: 'string',
				typeOptions: { rows: 4 },
				default: toolText(definition),
				required: true,
				description: 'What the model is told of this tool: what it does, what it costs, what to give',
				displayOptions: { show: { resource: [resource], operation: [operation], '@tool': [true] } },
			})),
	);

/** A parameter as n8n offers it to people, and for a tool: left to the model, unless the author of the tool fills it in. */
export function toolVariants(property: INodeProperties, operation: Operation): INodeProperties[] {
	const paths = operation.asks.filter((path) => path.split('.')[0] === property.name);
	if (paths.length === 0) return [property];
	const inside = paths.map((path) => path.split('.')[1] ?? property.name);
	const asked = askedBy(operation).filter(({ name }) => inside.includes(name));
	// An older n8n takes no rule that is there and undefined.
	const { show, hide = {} } = property.displayOptions!;
	return [
		{ ...property, displayOptions: { show, hide: { ...hide, '@tool': [true] } } },
		{ ...leftToModel(property, asked), displayOptions: { hide, show: { ...show, '@tool': [true] } } },
	];
}

function leftToModel(property: INodeProperties, asked: Asked[]): INodeProperties {
	const [first] = asked;
	switch (property.type) {
		case 'collection':
			return { ...property, default: Object.fromEntries(asked.map((one) => [one.name, fromModel(one)])) };
		case 'resourceLocator':
			return { ...property, default: { __rl: true, mode: 'id', value: fromModel(first) } };
		case 'options':
			// A list takes no expression for its default.
			return { ...without(property, 'options'), type: 'string', default: fromModel(first) };
		default:
			return { ...property, default: fromModel(first) };
	}
}

/** As n8n's editor writes it when a person leaves a field to the model; what need not be given has a default. */
const fromModel = ({ name, property }: Asked): string => {
	const otherwise = property.required === true ? '' : ", ''";
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${argumentText(property)}\`, 'string'${otherwise}) }}`;
};
