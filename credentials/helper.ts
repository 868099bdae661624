import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';

const lent = new WeakMap<ICredentialDataDecryptedObject, IHttpRequestHelper>();

/**
 * n8n hands its HTTP helper to `preAuthentication`, which does not know where the request goes, and the request to
 * `authenticate`, which gets no helper. Both get the same object of a credential: what one was given waits there for
 * the other, so that nothing is asked before it is certain that the request goes to the service.
 */
export const lendHelper = (credentials: ICredentialDataDecryptedObject, helper: IHttpRequestHelper) =>
	void lent.set(credentials, helper);

export const helperFor = (credentials: ICredentialDataDecryptedObject) => lent.get(credentials);
