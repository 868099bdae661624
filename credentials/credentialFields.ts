import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

type More = Partial<INodeProperties>;

/** Removes spaces and line breaks, which are often copied along with a key. */
export function settingText(value: unknown): string {
	return String(value ?? '').trim();
}

export const field = (displayName: string, name: string, more: More = {}): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...more,
});

export const secret = (displayName: string, name: string, more: More = {}): INodeProperties =>
	field(displayName, name, { typeOptions: { password: true }, ...more });

/** `options` has the label of each value. The first is the default. */
export const choiceSetting = (displayName: string, name: string, options: Record<string, string>, more: More = {}) =>
	field(displayName, name, {
		type: 'options',
		options: Object.entries(options).map(([value, label]) => ({ name: label, value })),
		default: Object.keys(options)[0],
		...more,
	});

/** A field for n8n only, which users do not see. */
export const hidden = (displayName: string, name: string, more: More = {}): INodeProperties =>
	field(displayName, name, { type: 'hidden', ...more });

export const baseUrlField = field('Base URL', 'baseUrl', {
	required: true,
	placeholder: 'e.g. https://api.example.com',
	description: "Address of the service, up to but not including '/v1'",
});

/** n8n calls `preAuthentication`, which the credential test needs, only if there is an empty field of this kind. */
export const testedField = hidden('Tested', 'tested', { typeOptions: { expirable: true } });

export const howToMakeASecret =
	"Generate a random one, for example with n8n's Crypto node (Action 'Generate', Type 'BASE64', Length 32).";

const callbackFields: INodeProperties[] = [
	secret('Callback Secret', 'callbackSecret', {
		description: `Only for seller searches, at least 24 characters. Signs callback URLs, so that strangers cannot send Seller Reports. ${howToMakeASecret}`,
	}),
	secret('Previous Callback Secret', 'previousCallbackSecret', {
		description: 'After a change, the secret used before, so that searches still running can report',
		displayOptions: { hide: { callbackSecret: [''] } },
	}),
];

/** In characters. Shorter secrets can be found by trying. */
const shortestSecret = 24;

export const isWeak = (secret: string): boolean => secret !== '' && secret.length < shortestSecret;

export const tooShort = (label: string): string => `'${label}' is too short: at least ${shortestSecret} characters`;

/** What is wrong with a callback secret that is set. */
export function weakSecretIn(secrets: Record<string, unknown>): string | undefined {
	const weak = callbackFields.find(({ name }) => isWeak(settingText(secrets[name])));
	return weak && tooShort(weak.displayName);
}

/** While this is off, the defaults apply, because n8n returns only visible fields. */
const deploymentSwitch = field('Deployment Settings', 'deploymentSettings', {
	type: 'boolean',
	default: false,
	description:
		'Whether to show more settings. Turn on only if you receive Seller Reports, or if your service provider or an error message names one of them. When off, the defaults apply.',
});

const ownHeader = { show: { externalAuthentication: ['header'] } };

const openPoints: INodeProperties[] = [
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
		description: 'Path of the status of a seller search. Ask your service provider.',
	}),
	field('Seller Result Path', 'sellerResultPath', {
		placeholder: 'e.g. /external/api/v1/seller-detailed/{request_id}/result',
		description: 'Path of the Seller Report. Ask your service provider.',
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
		{ description: 'Name of the healthcare subcategory in the request' },
	),
	choiceSetting(
		'License Keys',
		'licenseKeys',
		{ snakeCase: 'license_name', camelCase: 'licenseName' },
		{ description: 'How the fields of a license are spelled inside a new inquiry' },
	),
	field('Batch Items Field', 'batchItemsField', {
		default: 'inquiries',
		description: 'Field of a batch request that contains the inquiries. The API documentation does not name it.',
	}),
	field('List Items Field', 'listItemsField', {
		description: 'Field of a list response that contains the records. If empty, the node looks for it.',
	}),
	field('Extra Headers', 'extraHeaders', {
		type: 'json',
		default: '{}',
		description: 'Additional headers for every request, as a JSON object',
	}),
];

/** Of every type. */
export const commonFields = [baseUrlField, ...callbackFields, ...openPoints];

/** What most people do not need: secrets of Seller Reports, and points that the API documentation leaves open. */
export const deploymentFields = (own: INodeProperties[] = []): INodeProperties[] => [
	deploymentSwitch,
	...[...own, ...callbackFields, ...openPoints].map((field) => ({
		...field,
		displayOptions: folded(field.displayOptions),
	})),
];

const folded = (displayOptions: IDisplayOptions = {}): IDisplayOptions => ({
	...displayOptions,
	show: { deploymentSettings: [true], ...displayOptions.show },
});

/** Settings that are no secrets, n8n's own of an OAuth2 login among them. Every other text of a credential is redacted. */
export const publicSettings = new Set([
	...['baseUrl', 'headerName', 'headerValue', 'externalAuthentication', 'externalHeaderName', 'sellerStatusPath'],
	...['sellerResultPath', 'sellerLookupMethod', 'licenseRequest', 'licenseSubcategoryName', 'licenseKeys'],
	...['batchItemsField', 'listItemsField', 'extraHeaders', 'grantType', 'scope', 'scopes', 'authUrl', 'accessTokenUrl'],
	...['authQueryParameters', 'authentication', 'allowedHttpRequestDomains', 'allowedDomains'],
]);
