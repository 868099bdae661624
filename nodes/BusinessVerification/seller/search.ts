import { webAddress } from '../../../credentials/address';
import { form } from '../fields/form';
import { type Address, Failure, type Json, type Question, type Service, type Settings } from '../kit/service';
import { collection, optionalText } from '../kit/field';
import { present } from '../kit/objects';
import { sellerReport, sellerSearch, type SellerSearch, sellerStatus } from '../document/answers';
import { filled } from '../kit/operation';
import { proofInText, proofsIn } from './signing';
import { sellerSearchFields, isSearchComplete } from '../document/sellers';

/** A public service never reaches this machine, so nothing is ordered. Of other addresses there are doubts at most. */
export function doubtsOrRefusal(url: string, { baseUrl }: Settings, isEntered = false): string | undefined {
	const receiver = isEntered ? 'the callback URL' : 'this n8n';
	if (thisMachine.test(hostOf(url) ?? '') && privateHost(baseUrl) === undefined) {
		throw new Failure(`The service cannot reach ${receiver}: ${privateHost(url)}`, {
			description: `${howToBeReached} ${isEntered ? copyAgain : 'In queue mode, set it on the workers too.'}`,
			parameter: isEntered ? 'callback' : undefined,
			cause: 'configuration-invalid',
		});
	}
	return doubtsAbout(url, receiver);
}

/** A warning if the service probably cannot reach the URL. */
export function doubtsAbout(url: string, receiver: string): string | undefined {
	const reason = privateHost(url);
	if (reason === undefined) return undefined;
	return `The service probably cannot reach ${receiver}: ${reason}. ${howToBeReached}`;
}

const howToBeReached = "Set WEBHOOK_URL to n8n's public address.";
const copyAgain = "Then copy the production URL of the seller trigger into 'Callback URL' again.";

/** Why the service probably cannot reach a URL. Names are not resolved, because n8n may see others than the service. */
export function privateHost(url: string): string | undefined {
	const host = hostOf(url);
	if (host === undefined) return `'${url}' is not a complete URL`;
	return localHost.test(host) ? `${host} is a local address` : undefined;
}

const hostOf = (url: string) => webAddress(url)?.hostname.replace(/\.$/, '');

const thisMachine = /^(.*\.)?localhost$|^127\.|^0\.0\.0\.0$|^\[::1\]$/;

/** Names without a domain or of a local network, this machine, and private networks. */
const localHost =
	/^[^.:]+$|\.(localhost|local|internal|lan|home\.arpa)$|^(0|127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1\]|f[cd]..:)/;

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
		'Your reference, such as the ID of a CRM record. It is returned with the report and cannot be changed on the way.',
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

/** The report of a search that was complete when it was accepted, and that may have called back before n8n could listen. */
export async function reportAtOnce(
	service: Service,
	requestId: string | null,
	answer: Json,
): Promise<Json | undefined> {
	const { settings } = service;
	if (!isSearchComplete(answer)) return undefined;
	if (settings.sellerResultPath === '' || requestId === null) {
		service.remark(
			"The search was complete at once. To get the report in this case, set 'Seller Result Path' under 'Deployment Settings' in the credential.",
		);
		return undefined;
	}
	// The search was accepted, so if this read fails, the report still arrives by callback.
	return await service.send(readResult(requestId, settings)).catch(() => undefined);
}
