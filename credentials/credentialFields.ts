import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** What a person typed or pasted into a field, without the blanks and line breaks that come along with pasting. */
export function text(value: unknown): string {
	return String(value ?? '').trim();
}

type More = Partial<INodeProperties>;

export const field = (displayName: string, name: string, more: More = {}): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...more,
});

export const secret = (displayName: string, name: string, more: More = {}): INodeProperties =>
	field(displayName, name, { typeOptions: { password: true }, ...more });

export const baseUrlField = field('Base URL', 'baseUrl', {
	required: true,
	placeholder: 'e.g. https://api.example.com',
	description: 'Address of the service, without the path of an endpoint',
});

/** Signed callback URLs are for whoever searches sellers; the previous secret, for whoever has changed the present one. */
export const callbackFields: INodeProperties[] = [
	secret('Callback Secret', 'callbackSecret', {
		description:
			"Only for seller searches: at least 24 random characters that sign the callback URL, so that nobody can forge a Seller Report. n8n's Crypto node makes them (Action 'Generate', Type 'Base64', Length 32), and so does 'openssl rand -base64 32'.",
	}),
	secret('Previous Callback Secret', 'previousCallbackSecret', {
		description: 'After a change: the callback secret used before, so that searches under way still report',
		displayOptions: { hide: { callbackSecret: [''] } },
	}),
	secret('Service Signing Secret', 'signingSecret', {
		placeholder: 'e.g. whsec_…',
		description:
			'Only if the service signs its callbacks as Standard Webhooks says: the secret it gave you. Calls without a good signature are then refused. While it changes, both secrets with a space between them.',
	}),
];

/** n8n hands on only what is shown: switched off, the fields below have no value, and their defaults hold. */
const deploymentSwitch: INodeProperties = {
	displayName: 'Deployment Settings',
	name: 'deploymentSettings',
	type: 'boolean',
	default: false,
	description: 'Whether your service is set up differently from usual. When off, the usual settings apply.',
};

export const openPoints: INodeProperties[] = [
	{
		displayName: 'Seller and License Authentication',
		name: 'externalAuthentication',
		type: 'options',
		options: [
			{ name: 'Same as Inquiries', value: 'same' },
			{ name: 'None', value: 'none' },
			{ name: 'Own Header', value: 'header' },
		],
		default: 'same',
		description: 'How the seller search and license verification endpoints are authenticated',
	},
	field('Seller and License Header Name', 'externalHeaderName', {
		required: true,
		placeholder: 'e.g. X-API-Key',
		displayOptions: { show: { externalAuthentication: ['header'] } },
	}),
	secret('Seller and License Header Value', 'externalHeaderValue', {
		required: true,
		displayOptions: { show: { externalAuthentication: ['header'] } },
	}),
	field('Seller Status Path', 'sellerStatusPath', {
		placeholder: 'e.g. /external/api/v1/seller-detailed/{request_id}/status',
		description: 'Path of the status of a seller search. Ask the operator of the service.',
	}),
	field('Seller Result Path', 'sellerResultPath', {
		placeholder: 'e.g. /external/api/v1/seller-detailed/{request_id}/result',
		description: 'Path of the Seller Report of a search. Ask the operator of the service.',
	}),
	{
		displayName: 'Seller Status and Result Method',
		name: 'sellerLookupMethod',
		type: 'options',
		options: [
			{ name: 'GET', value: 'GET' },
			{ name: 'POST', value: 'POST' },
		],
		default: 'GET',
	},
	{
		displayName: 'License Verification Request',
		name: 'licenseRequest',
		type: 'options',
		options: [
			{ name: 'GET with Query', value: 'query' },
			{ name: 'POST with JSON Body', value: 'body' },
		],
		default: 'query',
		description: 'How the fields of a license verification are sent',
	},
	{
		displayName: 'License Subcategory Field',
		name: 'licenseSubcategoryName',
		type: 'options',
		options: [
			{ name: 'licensee_subcategory', value: 'licensee_subcategory' },
			{ name: 'license_subcategory', value: 'license_subcategory' },
		],
		default: 'licensee_subcategory',
		description: 'Name under which a license verification sends the healthcare subcategory',
	},
	field('Batch Items Field', 'batchItemsField', {
		default: 'inquiries',
		description: 'Field of a batch request that carries the inquiries. The default is an assumption.',
	}),
	field('List Items Field', 'listItemsField', {
		description: 'Field of a list answer that carries the items. If empty, it is found automatically.',
	}),
	{
		displayName: 'Extra Headers',
		name: 'extraHeaders',
		type: 'json',
		default: '{}',
		description: 'More headers for every request to the service, as a JSON object',
	},
];

/** What the interface document leaves open, stated once for every kind of credential, and folded away. */
export const deploymentFields = (own: INodeProperties[] = []): INodeProperties[] => [
	deploymentSwitch,
	...[...own, ...openPoints].map((field) => ({ ...field, displayOptions: folded(field.displayOptions) })),
];

const folded = (displayOptions: IDisplayOptions = {}): IDisplayOptions => ({
	...displayOptions,
	show: { deploymentSettings: [true], ...displayOptions.show },
});
