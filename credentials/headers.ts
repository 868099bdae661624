import { type ICredentialDataDecryptedObject, type IHttpRequestOptions, jsonParse, UserError } from 'n8n-workflow';
import { text } from './credentialFields';

export interface Header {
	name: string;
	value: string;
}

export function bearer(token: string): Header {
	return { name: 'Authorization', value: `Bearer ${token}` };
}

export function extraHeaders({ extraHeaders: setting }: ICredentialDataDecryptedObject): Header[] {
	const parsed =
		typeof setting === 'string' ? jsonParse<unknown>(setting.trim() || '{}', { fallbackValue: null }) : (setting ?? {});
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new UserError("'Extra Headers' of the credential is not a JSON object", {
			description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
		});
	}
	return Object.entries(parsed).map(([name, value]) => ({ name: name.trim(), value: text(value) }));
}

/** Header names are case-insensitive: of two spellings of one name the later one stays alone. */
export function withHeaders(present: IHttpRequestOptions['headers'], added: Header[]): IHttpRequestOptions['headers'] {
	const headers = { ...present };
	for (const { name, value } of added) {
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
			throw new UserError('A header name of the credential is empty or contains a forbidden character', {
				description: "Check 'Header Name' and 'Extra Headers' of the credential.",
			});
		}
		if (value === '' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
			throw new UserError(`The value of the header '${name}' is empty or contains a forbidden character`, {
				description: 'Check the credential: line breaks are often copied along with a key.',
			});
		}
		for (const other of Object.keys(headers)) {
			if (other.toLowerCase() === name.toLowerCase()) delete headers[other];
		}
		headers[name] = value;
	}
	return headers;
}
