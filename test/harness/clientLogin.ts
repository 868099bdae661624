import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Organization, Sandbox } from '../../sandbox';

/** The OAuth2 credential of a client that was never used, as n8n stores it. n8n writes tokens into this object. */
export const clientLogin = (
	{ url, organization }: Pick<Sandbox, 'url' | 'organization'>,
	{ clientId, clientSecret }: Organization = organization,
): ICredentialDataDecryptedObject => ({
	baseUrl: url,
	grantType: 'clientCredentials',
	accessTokenUrl: `${url}/oauth/token`,
	clientId,
	clientSecret,
	authentication: 'body',
	oauthTokenData: {},
});
