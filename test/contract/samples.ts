/** What the rows of several resources fill in and look for. */
import type { Wire } from './call';
import { acme } from '../harness/newInquiry';

export const many = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);
/** The same text for the first item and nothing, or another, for the second. */
export const onlyFirst = (first: string, second = '') => `={{ $itemIndex === 0 ? '${first}' : '${second}' }}`;
export const knownThenUnknown = (name: string) => `={{ $itemIndex === 0 ? $json.${name} : $json.unknown }}`;

/** Whatever looks like this; what runs outside of Jest reads these rows too, so it is no matcher of Jest's. */
class Like {
	readonly $$typeof = Symbol.for('jest.asymmetricMatcher');
	constructor(
		private readonly name: string,
		readonly asymmetricMatch: (value: unknown) => boolean,
	) {}
	toAsymmetricMatcher = () => this.name;
}
export const like = (pattern: RegExp) => new Like(String(pattern), (value) => pattern.test(String(value)));
export const unlike = (pattern: RegExp) =>
	new Like(`not ${pattern}`, (value) => typeof value === 'string' && !pattern.test(value));
export const anyText = new Like('a text', (value) => typeof value === 'string');
export const anyNumber = new Like('a number', (value) => typeof value === 'number');

export const uuid = like(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const moment = like(/^\d{4}-\d\d-\d\dT/);

export const inquiryId = '={{ $json.inquiry }}';
export const readInquiry: Wire = { request: 'GET /v1/inquiries/{inquiry}' };
export const noSuchInquiry = {
	change: { inquiryId: knownThenUnknown('inquiry') },
	wire: [{ request: 'GET /v1/inquiries/{unknown}' }],
	error: { message: /no such inquiry/i, httpCode: 404 },
};

/** What the form has under Additional Fields. */
const addedFields = {
	businessEin: '12-3456789',
	businessAddressLine1: '1 Main Street',
	businessAddressLine2: 'Suite 200',
	businessZip: '02139',
	businessPhone: '+1 555 010 0100',
	businessEmail: 'owner@acme.example',
	businessDomain: 'acme.example',
	businessSosId: '20261234567',
};

export const everyBusinessField = { ...acme, businessDba: 'Acme Coffee', ...addedFields, externalId: 'crm-4711' };

/** What the form of a new inquiry has under the Additional Fields of a principal. */
const addedPrincipalFields = {
	middleName: 'Lee',
	suffix: 'Jr',
	npi: '1234567893',
	phone: '+1 555 010 0101',
	email: 'nathan@acme.example',
	addr1: '2 Side Street',
	addr2: 'Floor 3',
	city: 'Springfield',
	state: 'IL',
	zip5: '02139',
	searchNpi: true,
};

const usualPrincipalFields = {
	firstName: 'Nathan',
	lastName: 'Smith',
	dob: '1980-12-31',
	principalType: 'OWNER',
	ownershipPercentage: 51.5,
};

export const everyPrincipalField = { ...usualPrincipalFields, ...addedPrincipalFields };

export const license = {
	licenseName: 'Acme Plumbing',
	licenseId: 'PL-1234',
	licenseState: 'IL',
	licenseCategory: 'plumbing',
};

/** "Each license entry needs license_name, license_id, license_state and license_category." */
export const printedLicense = {
	license_name: 'Acme Plumbing',
	license_id: 'PL-1234',
	license_state: 'IL',
	license_category: 'plumbing',
};

export const inquiryForm = {
	minimal: acme,
	full: {
		...acme,
		externalId: 'crm-4711',
		additionalFields: { businessDba: 'Acme Coffee', ...addedFields, tags: 'priority, partner' },
		principals: { row: [{ ...usualPrincipalFields, additionalFields: addedPrincipalFields }, { lastName: 'Jones' }] },
		licenses: { row: [license] },
	},
};

export const fullInquiryBody = {
	...everyBusinessField,
	tags: ['priority', 'partner'],
	principals: [everyPrincipalField, { lastName: 'Jones' }],
	licenses: [printedLicense],
};

export const processRecord = {
	id: uuid,
	taskId: anyText,
	attemptNumber: anyNumber,
	processType: anyText,
	status: anyText,
	phase: anyText,
	createdAt: moment,
};

export const seller = {
	name: 'Acme Trading LLC',
	address_line_1: '1 Main Street',
	city: 'Springfield',
	state: 'IL',
	zip5: '02139',
};
export const moreOfSeller = {
	alt_name: 'Acme Coffee',
	address_line_2: 'Suite 200',
	zip4: '0042',
	dpc: '01',
	ein: '12-3456789',
	phone: '+1 555 010 0100',
	alt_phone: '+1 555 010 0101',
	fax: '+1 555 010 0102',
	email: 'owner@acme.example',
	domain_name: 'acme.example',
};
export const callback = 'https://n8n.example.com/webhook/seller-reports';
export const wakeUrl = like(/^http:\/\/127\.0\.0\.1\/\S+[\w-]{22}/);

export const sellerPaths = {
	sellerStatusPath: '/external/api/v1/seller-detailed/{request_id}/status',
	sellerResultPath: '/external/api/v1/seller-detailed/{request_id}',
};
