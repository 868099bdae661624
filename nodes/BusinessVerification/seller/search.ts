import { webAddress } from '../../../credentials/address';
import { form } from '../fields/form';
import { type Address, Failure, type Json, type Question, type Settings } from '../kit/service';
import { optionalText } from '../kit/field';
import { collection } from '../kit/collections';
import { present } from '../kit/objects';
import { sellerReport, sellerSearch, type SellerSearch, sellerStatus } from '../document/answers';
import { filled } from '../kit/operation';
import { proofInText, proofsIn } from './signing';
import { sellerSearchFields } from '../document/sellers';

/** From elsewhere, a service never reaches this machine, so the search would be billed and no report could arrive. */
export function refuseThisMachine(callbackUrl: string, { baseUrl }: Settings): void {
	const host = hostOf(callbackUrl);
	if (!thisMachine.test(host) || thisMachine.test(hostOf(baseUrl))) return;
	throw new Failure(`The service cannot reach the callback URL: ${host} is this machine`, {
		description:
			"Set WEBHOOK_URL to n8n's public address, in queue mode on the workers too, and copy the URL of a seller trigger again.",
		cause: 'configuration-invalid',
	});
}

const hostOf = (url: string) => webAddress(url)?.hostname.replace(/\.$/, '') ?? '';

const thisMachine = /^(.*\.)?localhost$|^127\.|^0\.0\.0\.0$|^\[::1\]$/;

/** The API documentation does not show the authentication of these endpoints, so a refusal is probably about that. */
const otherAuthentication =
	"These endpoints may need different authentication: see 'Seller and License Authentication' under 'Deployment Settings' in the credential.";

export const ifRefusedAccess = { 401: otherAuthentication, 403: otherAuthentication };

/** The fields of the seller search, with the names of the API. */
const { callback, name, address_line_1, city, state, zip5, ...otherSellerFields } = form(sellerSearchFields, {
	name: { description: 'Name of the seller', placeholder: 'e.g. Acme Trading LLC' },
	alt_name: { description: 'Another name of the seller', placeholder: 'e.g. Acme Coffee' },
	zip4: { placeholder: 'e.g. 0042' },
	alt_phone: { placeholder: 'e.g. +1 555 010 0101' },
	dpc: { description: 'Sent as you enter it. The service does not explain this field.', placeholder: 'e.g. 01' },
	ein: { description: 'Employer identification number' },
	fax: { placeholder: 'e.g. +1 555 010 0102' },
	callback: {
		description:
			"Production URL of a 'Business Verification Seller Report Trigger'. The service must be able to reach it.",
		placeholder: 'e.g. https://n8n.example.com/webhook/report',
	},
});

export { callback };

export const sellerRequired = { name, address_line_1, city, state, zip5 };

export const moreSellerFields = collection('Additional Fields', otherSellerFields);

export const ref = optionalText('Reference', {
	description:
		"Your reference, such as the ID of a CRM record. It is returned with the report, and does not prevent another billed search. For 'Submit', this needs a 'Callback Secret', so that nobody can change it on the way.",
	placeholder: 'e.g. crm-4711',
});

export const searchRequest = (
	fields: Json,
	additionalFields: Json,
	extraBody: Json | undefined,
	callback: string,
	own: () => Address,
): Question<SellerSearch> => ({
	...own(),
	body: { ...fields, ...present(additionalFields), ...extraBody, callback },
	kind: 'write',
	secrets: proofsIn(callback),
	answer: sellerSearch,
	ifRefused: ifRefusedAccess,
	ifUnknown:
		'If it was processed, its report will still arrive at the callback URL. Wait for it before you search again.',
});

/** The API documentation names these operations without path or method, so the credential has settings for them. */
function requestAbout<T>(
	what: 'Status' | 'Result',
	path: string,
	requestId: string,
	{ sellerLookupMethod: method }: Settings,
	answer: Question<T>['answer'],
): Question<T> {
	if (path === '') {
		throw new Failure(`'Seller ${what} Path' in the credential is not set`, {
			parameter: 'operation',
			description: `Ask your service provider for the path, and enter it under 'Deployment Settings' in the credential, with {request_id} where the ID belongs.`,
			cause: 'configuration-invalid',
		});
	}
	const named = path.includes('{request_id}') ? undefined : { request_id: requestId };
	return {
		method,
		path: filled(path, { request_id: requestId }),
		namesRecord: true,
		...(method === 'GET' ? { query: named } : { body: named }),
		kind: 'read',
		secrets: [proofInText],
		answer,
		ifRefused: {
			...ifRefusedAccess,
			404: `Also check 'Seller ${what} Path' under 'Deployment Settings' in the credential.`,
			405: "Choose the other 'Seller Status and Result Method' under 'Deployment Settings' in the credential.",
		},
	};
}

export const readStatus = (requestId: string, settings: Settings) =>
	requestAbout('Status', settings.sellerStatusPath, requestId, settings, sellerStatus);

export const readResult = (requestId: string, settings: Settings) =>
	requestAbout('Result', settings.sellerResultPath, requestId, settings, sellerReport);
