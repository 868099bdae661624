import { randomUUID } from 'node:crypto';
import type { Call, Endpoint } from '../endpoint';
import { held, subcategories } from '../practitioners';
import { Refusal, type Problem } from '../refusal';
import type { Service } from '../service';
import type { Switches } from '../switches';
import { demand, fiveDigits, nullable, objectOf, oneOf, optional, required, text, uuid } from '../validation';
import type { Kind, Shape } from '../validation';

const path = '/external/api/v1/license-verification';

/** "when … licensee_subcategory is null or empty": the one field that may be sent blank. */
const subcategory: Kind = (value) => (value === '' ? undefined : oneOf(subcategories)(value));

const shape = (switches: Switches): Shape => ({
	LenderId: required(uuid),
	seller_id: required(text, 'the id from the Seller Report'),
	licensee_name: required(text),
	licensee_state: required(text),
	licensee_id: optional(text),
	licensee_category: required(oneOf(['homeServices', 'healthcare'])),
	licensee_addr1: optional(text),
	licensee_city: optional(text),
	licensee_zip5: optional(fiveDigits),
	[switches.licenseSubcategoryName]: nullable(subcategory),
});

const homeServicesRule = ({ licensee_category, licensee_id }: Record<string, unknown>): Problem[] =>
	licensee_category === 'homeServices' && !licensee_id
		? [{ loc: ['licensee_id'], text: 'is missing: "required for homeServices"' }]
		: [];

/** "shown with method GET although it submits data; how the fields are carried (query or body) is not shown" */
export const licenseEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path,
		authentication: 'external',
		answers: 'writeAnswer',
		query: (switches) => (switches.licenseRequest === 'query' ? shape(switches) : {}),
		body: (switches) => (switches.licenseRequest === 'body' ? 'json' : undefined),
		serve: verify,
	},
	{
		// HTTP clients that cannot send a body with GET have no other way where the fields go into the body.
		method: 'POST',
		path,
		authentication: 'external',
		answers: 'writeAnswer',
		body: 'json',
		serve(service, call) {
			if (service.switches.licenseRequest === 'body') return verify(service, call);
			throw new Refusal(405, 'The license-verification path is shown with method GET', { allow: 'GET' });
		},
	},
];

function verify(service: Service, call: Call) {
	const inBody = service.switches.licenseRequest === 'body';
	const fields = (inBody ? call.body : call.query) as Record<string, string | undefined>;
	demand(fields, objectOf(shape(service.switches), homeServicesRule), inBody ? 'body' : 'query');

	const lender = [call.organization, ...call.organization.availableLenders].find(({ id }) => id === fields.LenderId);
	if (!lender) throw new Refusal(404, 'LenderId is none of the caller’s lenders');
	const { seller_id: sellerId = '' } = fields;
	if (sellerId !== call.organization.sellerId && !service.sellers.isReported(call.organization.id, sellerId)) {
		throw new Refusal(404, 'seller_id is not "the id from the Seller Report"');
	}
	const licenses = licensesToVerify(service.switches, fields);
	const payloads = Array.from({ length: licenses }, blankPayload);
	service.record({
		kind: 'licenseVerification',
		id: payloads[0]?.verification_id ?? randomUUID(),
		organizationId: call.organization.id,
		key: fields.licensee_id ?? fields.licensee_name ?? null,
		count: licenses,
	});
	return payloadsAs(service.switches, payloads);
}

/** The number of verification orders, by "Healthcare license rules" 1 to 3; a given license id names one license. */
function licensesToVerify(switches: Switches, fields: Record<string, string | undefined>): number {
	if (fields.licensee_id) return 1;
	const wanted = fields[switches.licenseSubcategoryName];
	return held.filter((its) => !wanted || its === wanted).length;
}

/** "Response: a list of verification payloads, one per submitted or found license." */
function payloadsAs({ licenseAnswer }: Switches, payloads: Payload[]): unknown {
	switch (licenseAnswer) {
		case 'list':
			return payloads;
		case 'object':
			return payloads.length === 1 ? payloads[0] : payloads;
		case 'objectWithList':
			return payloads.length === 1 ? { ...payloads[0], disciplinary_actions: [] } : payloads;
		case 'wrapped':
			return { verifications: payloads };
		case 'twoLists':
			return { licenses: payloads.map(({ license_number }) => ({ license_number })), verifications: payloads };
		case 'errorKeys':
			return payloads.map((payload) => ({ ...payload, error: null, errors: [] }));
		case 'withoutId':
			return payloads.map(({ verification_id: _, ...payload }) => payload);
		case 'none':
			return [];
	}
}

/** "Their fields are blank at first while verification is in progress." */
const blankPayload = () => ({
	verification_id: randomUUID(),
	licensee_name: '',
	license_number: '',
	license_status: '',
	expiration_date: '',
});
type Payload = ReturnType<typeof blankPayload>;
