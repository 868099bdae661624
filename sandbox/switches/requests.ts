import { amount, choice, text } from './definition';

const authentication = 'Header scheme when an API key is used instead of a JWT: not shown.';
const external = 'Authentication of the seller-detailed and license-verification endpoints: not shown.';
const createItems = 'Item shape of principals and licenses in the create request: not shown beyond these rules.';

/** What must be sent, and by whom. */
export const requestSwitches = {
	batchBodyField: text(
		'body field that carries the inquiries of a batch',
		'the body field carrying the items is not shown',
		'inquiries',
	),
	createLicenseKeys: choice('key style of licenses inside an inquiry', createItems, ['snake', 'camel']),
	licenseRequest: choice(
		'how license verification takes its fields',
		'how the fields are carried (query or body) is not shown',
		['query', 'body'],
	),
	licenseSubcategoryName: choice(
		'spelling of the subcategory field',
		'licensee_subcategory (also spelled license_subcategory)',
		['licensee_subcategory', 'license_subcategory'],
	),
	apiKeyHeader: text('header that carries an API key', authentication, 'Authorization'),
	apiKeyScheme: text('word before the API key; empty for the bare key', authentication, 'Bearer'),
	tenantHeader: text(
		'header in which a gateway names the organization by its ID; empty where the key alone tells it',
		authentication,
		'',
	),
	externalAuth: choice('authentication of /external/api/v1', external, ['same', 'none', 'header']),
	externalHeader: text('header of the external key when externalAuth is header', external, 'X-External-Key'),
	maxInFlight: amount('requests served at once before 429 is answered; 0 for any number', 'Rate limits: not shown.', 0),
} as const;
