import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../kit/field';
import { costsMoney, isNeeded, type Operation, type Resource } from '../kit/operation';
import { without } from '../kit/objects';

/** The costs come first, because they decide whether a model may call the tool at all. */
function toolText(operation: Operation): string {
	const { bills, forModels, fields } = operation;
	if (!costsMoney(operation)) return plainSentences('FREE', forModels);
	const isSubmittedOnce = optionsOf(fields.options).some(({ name }) => name === 'submitAgain');
	return plainSentences(
		`COSTS MONEY: ${bills}`,
		isSubmittedOnce ? 'Repeating an accepted call in this execution bills nothing' : undefined,
		forModels,
	);
}

const optionsOf = ({ property }: Field) => property.options as INodeProperties[];

/**
 * Descriptions of arguments whose name and placeholder do not explain them. Not the descriptions for people, which are
 * longer: every conversation with the model includes all of these. A field that only tools have needs no other.
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
	status: 'PLANNING, RUNNING, ENRICHING, COMPLETED, PARTIAL_SUCCESS, FAILED; several by commas',
	search: 'Name, EIN or external ID',
	created_at_from: 'Created after, 2026-03-31T00:00:00Z',
	created_at_to: 'Created before',
	dob: 'Birth date, YYYY-MM-DD',
	ref: 'Your own reference',
	licensee_category: 'homeServices or healthcare',
	licensee_id: 'Needed for homeServices',
	licenseCategory: 'As the service spells it',
};

/** Without quotes and braces, because the text is inserted into a template string of an expression. */
const plainSentences = (...parts: Array<string | undefined>) =>
	parts
		.filter((part) => part !== undefined)
		.map((part) => part.replace(/[`'"\\${}]/g, '').replace(/\.$/, ''))
		.join('. ') + '.';

/** The parameter with the text for the model, shown above all others. */
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
				description: 'What the model reads about this tool',
				displayOptions: { show: { resource: [resource], operation: [operation], '@tool': [true] } },
			})),
	);

/** Splits a parameter that `asks` names: for people as it is, for tools with a default that leaves it to the model. */
export function toolVariants(property: INodeProperties, operation: Operation): INodeProperties[] {
	const asked = askedIn(property.name, operation);
	if (asked.length === 0) return [property];
	// `hide` defaults to an object, because older n8n versions do not accept a rule that is undefined. `@tool` comes first,
	// because n8n shows a field as soon as one that it depends on has an expression.
	const { show, hide = {} } = property.displayOptions!;
	return [
		{ ...property, displayOptions: { show, hide: { ...hide, '@tool': [true] } } },
		{ ...leftToModel(property, asked), displayOptions: { hide, show: { '@tool': [true], ...show } } },
	];
}

/** The fields of a parameter that a model fills in: some of a collection, or the parameter itself. */
const askedIn = (parameter: string, { asks, fields }: Operation): INodeProperties[] =>
	asks.flatMap((path) => {
		const [name, inner] = path.split('.');
		if (name !== parameter) return [];
		if (inner === undefined) return [{ ...fields[name].property, name }];
		return optionsOf(fields[name]).filter((option) => option.name === inner);
	});

function leftToModel(property: INodeProperties, asked: INodeProperties[]): INodeProperties {
	const [first] = asked;
	switch (property.type) {
		case 'collection':
			return { ...property, default: Object.fromEntries(asked.map((one) => [one.name, fromModel(one)])) };
		case 'resourceLocator':
			return { ...property, default: { __rl: true, mode: 'id', value: fromModel(first) } };
		case 'options':
			// As text, because n8n accepts no expression as the default of a list.
			return { ...without(property, 'options'), type: 'string', default: fromModel(first) };
		default:
			return { ...property, default: fromModel(first) };
	}
}

/** The expression that n8n's editor writes when a user lets the model define a field. Optional ones have a default. */
function fromModel(field: INodeProperties): string {
	const { name, description, placeholder, displayName, displayOptions } = field;
	const isForTools = displayOptions?.show?.['@tool'] !== undefined;
	const said = plainSentences(hints[name] ?? (isForTools ? description : placeholder) ?? displayName);
	const otherwise = isNeeded(field) ? '' : ", ''";
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${said}\`, 'string'${otherwise}) }}`;
}
