import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../kit/operation';
import { without } from '../kit/objects';

/** What a model is told of a tool and of each thing it may give, made from what people read. */

type Property = Omit<INodeProperties, 'name'>;

export interface AskedField {
	name: string;
	property: Property;
}

/** The fields that an operation asks a model for. */
export const askedBy = ({ asks, fields }: Operation): AskedField[] =>
	asks.map((path) => {
		const [name, inner] = path.split('.');
		const { property } = fields[name];
		if (inner === undefined) return { name, property };
		const found = (property.options as INodeProperties[]).find((option) => option.name === inner)!;
		return { name: inner, property: found };
	});

/** What a call does, what it costs, what to give, what comes out. */
export function toolText(operation: Operation): string {
	const { description, bills, example } = operation;
	const labels = (needed: boolean) =>
		askedBy(operation).flatMap(({ property }) =>
			(property.required === true) === needed ? [property.displayName] : [],
		);
	return sentences(
		description,
		bills === undefined ? 'Free: nothing is billed' : `A call may be billed: ${bills}`,
		isSubmittedOnce(operation)
			? 'Called again with the same data it submits nothing and answers with the first result'
			: undefined,
		listed('Give', labels(true)),
		listed('Where known, give', labels(false)),
		`Returns ${Object.keys(example).join(', ')}`,
	);
}

const isSubmittedOnce = ({ fields }: Operation) =>
	((fields.options?.property.options ?? []) as INodeProperties[]).some(({ name }) => name === 'submitAgain');

/** The description of one argument. */
export function argumentText({ displayName, type, description, placeholder, required, options }: Property): string {
	const label = type === 'resourceLocator' ? `${displayName} ID` : displayName;
	return sentences(
		required === true ? label : `${label}, empty if unknown`,
		description,
		options === undefined
			? undefined
			: `One of ${options.map((option) => String((option as { value: unknown }).value)).join(', ')}`,
		placeholder,
	);
}

const listed = (what: string, labels: string[]) => (labels.length > 0 ? `${what} ${labels.join(', ')}` : undefined);

/** It stands inside an expression, between back-ticks. */
const sentences = (...parts: Array<string | undefined>) =>
	parts
		.filter((part) => part !== undefined && part !== '')
		.map((part) => part!.replace(/[`'"\\${}]/g, '').replace(/\.$/, ''))
		.join('. ') + '.';

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

function leftToModel(property: INodeProperties, asked: AskedField[]): INodeProperties {
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
const fromModel = ({ name, property }: AskedField): string => {
	const otherwise = property.required === true ? '' : ", ''";
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${argumentText(property)}\`, 'string'${otherwise}) }}`;
};
