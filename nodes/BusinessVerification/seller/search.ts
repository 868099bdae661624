import { form } from '../fields/form';
import { type Address, Failure, type Json, type Question, type Service, type Settings } from '../kit/service';
import { collection, optionalText } from '../kit/field';
import { present } from '../kit/objects';
import { sellerReport, sellerSearch, type SellerSearch, sellerStatus } from '../document/answers';
import { filled } from '../kit/operation';
import { sellerIdIn } from './report';
import { proofInText, proofsIn } from './signing';
import { sellerSearchFields, isSearchComplete } from '../document/sellers';

/** What is said of a URL that the service is given, if it could hardly reach it. */
export function doubtsAbout(url: string, place: string): string | undefined {
	const reason = privateHost(url);
	if (reason === undefined) return undefined;
	return `The service probably cannot reach ${place}: ${reason}. Set WEBHOOK_URL to n8n's public address.`;
}

/** Why the service could hardly reach a URL; undefined when nothing speaks against it. Only the text is looked at. */
export function privateHost(url: string): string | undefined {
	if (!URL.canParse(url)) return `'${url}' is not a complete URL`;
	const host = addressOf(new URL(url));
	if (host === '') return `'${url}' names no host`;
	const [, domain] = privateName.exec(host) ?? [];
	if (domain !== undefined) return `names under .${domain} are not known on the internet`;
	const [, reason] = unreachable.find(([pattern]) => pattern.test(host)) ?? [];
	return reason === undefined ? undefined : `${host} ${reason}`;
}

const privateName = /\.(local|internal|intranet|lan|home|corp|private|localdomain|home\.arpa|test|invalid|example)$/;

const unreachable: Array<[RegExp, string]> = [
	[/^(.+\.)?localhost$|^127\.[\d.]+$|^::1$/, 'is a local address'],
	[/^0\.[\d.]+$|^::([\da-f]+(:[\da-f]+)?)?$/, 'is no address to call'],
	[/^169\.254\.[\d.]+$|^fe[89ab][\da-f]:/, 'is a link-local address'],
	[/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.[\d.]+$/, "is behind a provider's address translation"],
	[/^(10|172\.(1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$|^f[cd][\da-f]{2}:/, 'is an address of a private network'],
	[/^(22[4-9]|2[3-5]\d|198\.1[89])\.[\d.]+$|^ff[\da-f]{2}:/, 'is a reserved address'],
	[/^[^.:]+$/, 'is a name without a domain, known inside one network only'],
];

/** The parser has already spelled out 127.1, 0x7f000001 and full-width digits; here an IPv4 address leaves its IPv6 clothes. */
function addressOf({ hostname }: URL): string {
	const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
	const [, high, low] = /^(?:::ffff|64:ff9b.*?):([\da-f]*):([\da-f]+)$/.exec(host) ?? [];
	if (low === undefined) return host;
	return [high, low].flatMap((group) => [parseInt(group || '0', 16) >> 8, parseInt(group || '0', 16) & 0xff]).join('.');
}

/** The document does not show how the seller and license endpoints are authenticated: a refusal there is mostly that. */
const authentication =
	"These endpoints may want another credential than inquiries: see 'Seller and License Authentication' in the credential.";

export const ifRefusedAccess = { 401: authentication, 403: authentication };

/** The seller search in the document's names, which are the names on the wire. */
export const { callback, name, address_line_1, city, state, zip5, ...sellerDetails } = form(sellerSearchFields, {
	name: { description: 'Name of the merchant', placeholder: 'e.g. Acme Trading LLC' },
	alt_name: { description: 'Another name of the merchant', placeholder: 'e.g. Acme Coffee' },
	zip4: { placeholder: 'e.g. 0042' },
	alt_phone: { placeholder: 'e.g. +1 555 010 0101' },
	dpc: { description: 'Sent as you enter it. The service does not explain this field.', placeholder: 'e.g. 01' },
	ein: { description: 'Employer identification number' },
	fax: { placeholder: 'e.g. +1 555 010 0102' },
	callback: {
		description:
			"Production URL of a 'Business Verification Seller Trigger', copied from its panel. The service must be able to reach it.",
		placeholder: 'e.g. https://n8n.example.com/webhook/report',
	},
});

export const sellerRequired = { name, address_line_1, city, state, zip5 };

/** What both operations offer below the fields of their own. */
export const additionalFields = collection('Additional Fields', sellerDetails);

export const ref = optionalText('Reference', {
	description:
		'Your own reference, such as the ID of a CRM record. It comes back with the report, and nobody can change it on the way.',
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
	ifUnknown: 'If it was processed, its report still arrives at the callback URL. Wait for it before you search again.',
});

/** The document names a status and a result operation but neither path nor method: they are settings of the credential. */
function lookUp<T>(
	what: 'Status' | 'Result',
	path: string,
	requestId: string,
	{ sellerLookupMethod: method }: Settings,
	answer: Question<T>['answer'],
): Question<T> {
	if (path === '') {
		throw new Failure(`The path of the seller ${what.toLowerCase()} operation is not set`, {
			parameter: 'operation',
			description: `The service's document does not show it. Enter it as 'Seller ${what} Path' in the credential, with {request_id} where the ID belongs.`,
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
			404: `Check 'Seller ${what} Path' in the credential too: this address is made from it.`,
			405: "Choose the other 'Seller Status and Result Method' in the credential.",
		},
	};
}

export const readStatus = (requestId: string, settings: Settings) =>
	lookUp('Status', settings.sellerStatusPath, requestId, settings, sellerStatus);

export const readResult = (requestId: string, settings: Settings) =>
	lookUp('Result', settings.sellerResultPath, requestId, settings, sellerReport);

/**
 * n8n refuses a callback while the execution is still going to sleep, so a search that ends that soon is looked up. Not
 * after a whole second: a service that takes one would call in the very moment between this look and the sleep.
 */
const settlingMs = 1500;
/** Awake for no more than two seconds in all: until it sleeps, n8n refuses the call that it waits for. */
const longestLookMs = 2000;

export async function earlyReport(
	service: Service,
	requestId: string | null,
	answer: Json,
	sellerIdPath: string,
): Promise<{ report: unknown } | undefined> {
	const { settings } = service;
	if (settings.sellerResultPath === '' || requestId === null) {
		if (isSearchComplete(answer)) {
			service.remark(
				"The search was complete at once. Set 'Seller Result Path' in the credential, and its report is fetched in such a case.",
			);
		}
		return undefined;
	}
	const until = service.now() + longestLookMs;
	// The search was accepted: a look-up that fails leaves the report to the callback.
	const look = async (question: Question<Json>) =>
		await service.send({ ...question, timeout: Math.max(1, until - service.now()), once: true }).catch(() => undefined);
	let isKnownToBeComplete = isSearchComplete(answer);
	if (!isKnownToBeComplete) {
		await service.pause(settlingMs);
		const status = settings.sellerStatusPath === '' ? undefined : await look(readStatus(requestId, settings));
		if (status !== undefined && !isSearchComplete(status)) return undefined;
		isKnownToBeComplete = status !== undefined;
	}
	const report = await look(readResult(requestId, settings));
	if (report === undefined || !holdsMore(report)) return undefined;
	// A report may have a status of its own, an active seller say.
	const isReport = isKnownToBeComplete || report.status === undefined || isSearchComplete(report);
	return isReport || sellerIdIn(report, sellerIdPath) !== undefined ? { report } : undefined;
}

/** Nothing but the status of a request is no report, whatever it says. */
const holdsMore = (answer: Json) =>
	Object.keys(answer).some((name) => !['status', 'request_id', 'requestId'].includes(name));
