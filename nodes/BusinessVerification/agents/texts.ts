import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../definition';

/** What a model is told of a tool and of each thing it may give, made from what people read. */

type Property = Omit<INodeProperties, 'name'>;

export interface Asked {
	name: string;
	property: Property;
}

/** The fields that an operation asks a model for. */
export const askedBy = ({ asks, fields }: Operation): Asked[] =>
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
