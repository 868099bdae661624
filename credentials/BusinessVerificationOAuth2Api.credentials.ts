import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';
import { baseUrlField, choiceSetting, deploymentFields, field, hidden } from './credentialFields';

/**
 * n8n's OAuth2 login provides the token, but the node sends requests itself. Requests that n8n sends with OAuth2 are
 * not checked for their target, and are repeated after any 401 (docs/development/decisions/oauth2.md).
 */
export class BusinessVerificationOAuth2Api implements ICredentialType {
	name = 'businessVerificationOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Business Verification OAuth2 API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		baseUrlField,
		choiceSetting('Grant Type', 'grantType', {
			pkce: 'Authorization Code with PKCE',
			authorizationCode: 'Authorization Code',
			clientCredentials: 'Client Credentials',
		}),
		// Not n8n's `scope` field, because n8n drops its value when a user logs in.
		field('Scopes', 'scopes', {
			placeholder: 'e.g. openid offline_access',
			description: 'Scopes, separated by spaces. Many identity providers renew tokens only with offline_access.',
		}),
		hidden('Scope', 'scope', { default: '={{ $self["scopes"] }}' }),
		...deploymentFields(),
		// Not `restrictToSupportedNodes`, which older n8n versions do not know.
		hidden('Allowed HTTP Request Domains', 'allowedHttpRequestDomains', { default: 'none' }),
	];
}
