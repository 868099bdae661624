import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
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

/**
 * Values, what people read for them, and what it means where the name does not say it. The first is the usual one, unless
 * another is named.
 */
export const choiceSetting = (
	displayName: string,
	name: string,
	options: Record<string, string | [name: string, description: string]>,
	more: More = {},
) =>
	field(displayName, name, {
		type: 'options',
		options: Object.entries(options).map(([value, words]) => {
			const [name, description] = [words].flat();
			return { name, value, description };
		}),
		default: Object.keys(options)[0],
		...more,
	});

/** For n8n alone: a person neither sees nor fills it. */
export const hidden = (displayName: string, name: string, more: More = {}): INodeProperties =>
	field(displayName, name, { type: 'hidden', ...more });

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
const deploymentSwitch = field('Deployment Settings', 'deploymentSettings', {
	type: 'boolean',
	default: false,
	description: 'Whether your service is set up differently from usual. When off, the usual settings apply.',
});

const ownHeader = { show: { externalAuthentication: ['header'] } };

export const openPoints: INodeProperties[] = [
	choiceSetting(
		'Seller and License Authentication',
		'externalAuthentication',
		{ same: 'Same as Inquiries', none: 'None', header: 'Own Header' },
		{ description: 'How the seller search and license verification endpoints are authenticated' },
	),
	field('Seller and License Header Name', 'externalHeaderName', {
		required: true,
		placeholder: 'e.g. X-API-Key',
		displayOptions: ownHeader,
	}),
	secret('Seller and License Header Value', 'externalHeaderValue', {
		required: true,
		displayOptions: ownHeader,
	}),
	field('Seller Status Path', 'sellerStatusPath', {
		placeholder: 'e.g. /external/api/v1/seller-detailed/{request_id}/status',
		description: 'Path of the status of a seller search. Ask the operator of the service.',
	}),
	field('Seller Result Path', 'sellerResultPath', {
		placeholder: 'e.g. /external/api/v1/seller-detailed/{request_id}/result',
		description: 'Path of the Seller Report of a search. Ask the operator of the service.',
	}),
	choiceSetting('Seller Status and Result Method', 'sellerLookupMethod', { GET: 'GET', POST: 'POST' }),
	choiceSetting(
		'License Verification Request',
		'licenseRequest',
		{ query: 'GET with Query', body: 'POST with JSON Body' },
		{ description: 'How the fields of a license verification are sent' },
	),
	choiceSetting(
		'License Subcategory Field',
		'licenseSubcategoryName',
		{ licensee_subcategory: 'licensee_subcategory', license_subcategory: 'license_subcategory' },
		{ description: 'Name under which a license verification sends the healthcare subcategory' },
	),
	field('Batch Items Field', 'batchItemsField', {
		default: 'inquiries',
		description: 'Field of a batch request that carries the inquiries. The default is an assumption.',
	}),
	field('List Items Field', 'listItemsField', {
		description: 'Field of a list answer that carries the items. If empty, it is found automatically.',
	}),
	field('Extra Headers', 'extraHeaders', {
		type: 'json',
		default: '{}',
		description: 'More headers for every request to the service, as a JSON object',
	}),
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
