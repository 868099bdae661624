import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	UserError,
} from 'n8n-workflow';
import { authenticateRequest } from './authenticate';
import { bearer, type Header } from './headers';
import { helperFor, lendHelper } from './helper';
import { askForProfile, profilePath } from './profile';
import { dropToken, obtainToken } from './token';

interface Sent {
	token: string;
	isRead: boolean;
}

const lastSent = new WeakMap<ICredentialDataDecryptedObject, Sent>();

export async function fetchedHeader(credentials: ICredentialDataDecryptedObject, isRead: boolean): Promise<Header> {
	const helper = helperFor(credentials);
	if (helper === undefined) throw new UserError('No access token was fetched for the credential');
	const token = await obtainToken(helper, credentials);
	lastSent.set(credentials, { token, isRead });
	return bearer(token);
}

/**
 * n8n calls this before a request, and again after any error of one, be it a 500 or a lost answer: what is returned
 * then makes n8n send the request once more. So the service is asked first whether the token is what it refuses, and
 * only a read is ever let go again. The token itself is never handed to n8n: an empty one makes n8n ask each time.
 */
export async function beforeAndAfter(
	credentials: ICredentialDataDecryptedObject,
	helper: IHttpRequestHelper,
): Promise<IDataObject> {
	lendHelper(credentials, helper);
	const sent = lastSent.get(credentials);
	lastSent.delete(credentials);
	if (sent === undefined || !(await isRefused(sent.token, credentials, helper))) return {};
	dropToken(credentials, sent.token);
	return sent.isRead ? { fetchedToken: '' } : {};
}

async function isRefused(
	token: string,
	credentials: ICredentialDataDecryptedObject,
	helper: IHttpRequestHelper,
): Promise<boolean> {
	const request = await authenticateRequest(credentials, { url: profilePath }, () => bearer(token));
	const answer = await askForProfile(helper, request).catch(() => undefined);
	return answer !== undefined && [401, 403].includes(answer.statusCode);
}
