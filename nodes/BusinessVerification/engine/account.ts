import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { baseUrlField, callbackFields, openPoints } from '../../../credentials/credentialFields';
import { extraHeaders } from '../../../credentials/headers';
import type { Settings } from '../definition';

/** What the rest of the engine asks of a credential. */

/** The same for the same account of the same service, and for no other; many people may log in with one client. */
export const scopeOf = (
	{ baseUrl, apiKey, accessToken, clientId }: ICredentialDataDecryptedObject,
	login?: string | null,
) =>
	createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey, accessToken, clientId, login]))
		.digest('base64url');

const settingFields = [baseUrlField, ...callbackFields, ...openPoints];

/** Where the deployment settings are folded away, n8n hands on none of them, and their defaults hold. */
export const settingsOf = (credential: ICredentialDataDecryptedObject): Settings =>
	Object.fromEntries(
		settingFields.map(({ name, default: initial }) => [name, String(credential[name] || initial)]),
	) as unknown as Settings;

const secretSettings = settingFields.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name);

/** What no message may repeat. */
export const secretsOf = (credential: ICredentialDataDecryptedObject): string[] => [
	...['apiKey', 'accessToken', 'clientSecret', ...secretSettings].map((name) => bare(credential[name])),
	...headerSecrets(credential),
];

/** A secret is often pasted with the word that belongs before it. */
const bare = (value: unknown) =>
	String(value ?? '')
		.trim()
		.replace(/^(Bearer|Basic)\s+/i, '');

const namesSecret = /key|token|secret|auth|password|cookie|signature/i;

/** A further header may hold a key as well; a short value such as a region does not, unless its name says so. */
function headerSecrets(credential: ICredentialDataDecryptedObject): string[] {
	try {
		return extraHeaders(credential)
			.map(({ name, value }) => ({ name, value: bare(value) }))
			.filter(({ name, value }) => value.length >= 8 || namesSecret.test(name))
			.map(({ value }) => value);
	} catch {
		return [];
	}
}
