import { type ICredentialDataDecryptedObject, type IHttpRequestOptions, jsonParse, UserError } from 'n8n-workflow';

export interface Header {
	name: string;
	value: string;
}

/** Removes spaces and line breaks, which are often copied along with a key. */
export function settingText(value: unknown): string {
	return String(value ?? '').trim();
}

export function extraHeaders({ extraHeaders: setting }: ICredentialDataDecryptedObject): Header[] {
	const parsed =
		typeof setting === 'string' ? jsonParse<unknown>(setting.trim() || '{}', { fallbackValue: null }) : (setting ?? {});
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new UserError("'Extra Headers' in the credential is not a JSON object", {
			description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
		});
	}
	return Object.entries(parsed).map(([name, value]) => ({ name: name.trim(), value: settingText(value) }));
}

export function checkedHeader(header: Header): Header {
	if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header.name)) {
		throw new UserError('A header name of the credential is empty or contains a forbidden character', {
			description: "Check 'Header Name', 'Seller and License Header Name', and 'Extra Headers' in the credential.",
		});
	}
	if (header.value === '' || /[^\t\x20-\x7e\x80-\xff]/.test(header.value)) {
		throw new UserError(`The value of the header '${header.name}' is empty or contains a forbidden character`, {
			description: 'Check the credential: line breaks are often copied along with a key.',
		});
	}
	return header;
}

/** Header names are case-insensitive, so an added header replaces one with another spelling. */
export function withHeaders(
	present: IHttpRequestOptions['headers'],
	added: readonly Header[],
): IHttpRequestOptions['headers'] {
	const headers = { ...present };
	for (const { name, value } of added) {
		for (const other of Object.keys(headers)) {
			if (other.toLowerCase() === name.toLowerCase()) delete headers[other];
		}
		headers[name] = value;
	}
	return headers;
}
