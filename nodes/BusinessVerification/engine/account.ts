import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Json, Settings } from '../definition/service';

/** What the rest of the engine asks of a credential. */

export const keyType = 'businessVerificationApi';
export const jwtType = 'businessVerificationJwtApi';
export const loginType = 'businessVerificationOAuth2Api';

const types: Record<string, string> = { jwt: jwtType, oAuth2: loginType };

export const credentialType = (authentication: unknown) => types[String(authentication)] ?? keyType;

/** The same for the same account of the same service, and for no other; many people may log in with one client. */
export const scopeOf = (
	{ baseUrl, apiKey, accessToken, clientId }: ICredentialDataDecryptedObject,
	login?: string | null,
) =>
	createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey, accessToken, clientId, login]))
		.digest('base64url');

const secretFields = [
	'apiKey',
	'accessToken',
	'clientSecret',
	'externalHeaderValue',
	'callbackSecret',
	'previousCallbackSecret',
	'signingSecret',
];

/** What no message may repeat. A token is often pasted with the word that belongs before it. */
export const secretsOf = (credential: ICredentialDataDecryptedObject): string[] => [
	...secretFields.map((name) =>
		String(credential[name] ?? '')
			.trim()
			.replace(/^Bearer\s+/i, ''),
	),
	...headerSecrets(credential.extraHeaders),
];

const namesSecret = /key|token|secret|auth|password|cookie|signature/i;

/** A further header may hold a key as well; a short value such as a region does not, unless its name says so. */
function headerSecrets(setting: unknown): string[] {
	try {
		const headers = (typeof setting === 'string' ? JSON.parse(setting) : setting) as Json | null | undefined;
		return Object.entries(headers ?? {})
			.map(([name, value]) => ({
				name,
				value: String(value)
					.trim()
					.replace(/^(Bearer|Basic)\s+/i, ''),
			}))
			.filter(({ name, value }) => value.length >= 8 || namesSecret.test(name))
			.map(({ value }) => value);
	} catch {
		return [];
	}
}

export function settingsOf(credential: ICredentialDataDecryptedObject): Settings {
	const text = (name: string, initial = '') => String(credential[name] || initial);
	return {
		baseUrl: text('baseUrl'),
		sellerStatusPath: text('sellerStatusPath'),
		sellerResultPath: text('sellerResultPath'),
		sellerLookupMethod: text('sellerLookupMethod', 'GET') as Settings['sellerLookupMethod'],
		licenseRequest: text('licenseRequest', 'query') as Settings['licenseRequest'],
		licenseSubcategoryName: text(
			'licenseSubcategoryName',
			'licensee_subcategory',
		) as Settings['licenseSubcategoryName'],
		batchItemsField: text('batchItemsField', 'inquiries'),
		listItemsField: text('listItemsField'),
		callbackSecret: text('callbackSecret'),
		previousCallbackSecret: text('previousCallbackSecret'),
	};
}
