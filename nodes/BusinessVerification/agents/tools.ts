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

/** What it costs comes first. */
export const toolText = ({ bills, forModels, fields }: Operation): string => {
	const options = (fields.options?.property.options ?? []) as INodeProperties[];
	const isSubmittedOnce = options.some(({ name }) => name === 'submitAgain');
	const cost = bills === undefined ? 'FREE' : `COSTS MONEY: ${bills}`;
	return sentences(cost, isSubmittedOnce ? 'The same data again bills nothing' : undefined, forModels);
};

/**
 * What the name of an argument does not say, where the placeholder does not say it either. Every conversation carries all of
 * them, so they are shorter than what people read.
 */
const hints: Record<string, string> = {
	inquiryId: 'ID of the inquiry',
	batchId: 'ID of the batch',
	requestId: 'From the seller search',
	seller_id: 'From the Seller Report',
	businessName: 'Legal name with LLC or Inc; this or businessDba',
	businessDba: 'Trade name',
	businessEin: 'Tax ID, e.g. 12-3456789; improves matching',
	businessAddressLine1: 'Street; with businessZip unlocks Secretary of State and address checks',
	businessPhone: 'Unlocks phone verification',
	businessEmail: 'Unlocks email verification',
	businessDomain: 'Unlocks domain verification, e.g. example.com',
	detail: 'summary, processes or businesses',
	page: 'From 1',
	part: 'From 1, of a long answer',
	status: 'PLANNING, RUNNING, ENRICHING, COMPLETED, PARTIAL_SUCCESS, FAILED; several by commas',
	search: 'Name, EIN or external ID',
	created_at_from: 'Created after, 2026-03-31T00:00:00Z',
	created_at_to: 'Created before',
	dob: 'Birth date, YYYY-MM-DD',
	ref: 'Your own reference',
	licensee_category: 'homeServices or healthcare',
	licensee_id: 'Needed for homeServices',
	licenseCategory: 'As the service spells it',
	principalsJson: 'JSON list of people, each with lastName; firstName, dob',
	licensesJson: 'JSON list, each with license_name, license_id, license_state, license_category',
	rowsJson:
		'JSON list, each with businessName, businessCity, businessState; businessEin, businessAddressLine1, businessZip, externalId if known',
};

/** The description of one argument. */
export const argumentText = (name: string, { placeholder, displayName }: Property): string =>
	sentences(hints[name] ?? placeholder ?? displayName);

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

/** Where it is needed under conditions only, the call says so. */
const isNeeded = ({ required, displayOptions }: Property) => required === true && displayOptions === undefined;

/** As n8n's editor writes it when a person leaves a field to the model; what need not be given has a default. */
const fromModel = ({ name, property }: AskedField): string => {
	const otherwise = isNeeded(property) ? '' : ", ''";
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${argumentText(name, property)}\`, 'string'${otherwise}) }}`;
};
