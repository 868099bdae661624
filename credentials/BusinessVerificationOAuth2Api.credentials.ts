import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';
import { baseUrlField, callbackFields, choiceSetting, deploymentFields, field, hidden } from './credentialFields';

/**
 * Logs in by n8n's own OAuth2. What it gets is a token, with which requests go out like any other: n8n's way of sending
 * with OAuth2 asks no credential where a request goes and repeats it after any 401 (docs/decisions/oauth2.md).
 */
export class BusinessVerificationOAuth2Api implements ICredentialType {
	name = 'businessVerificationOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Business Verification OAuth2 API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		choiceSetting(
			'Grant Type',
			'grantType',
			{
				authorizationCode: ['Authorization Code', 'You log in at the identity provider'],
				pkce: ['Authorization Code with PKCE', 'You log in, and the login cannot be taken over'],
				clientCredentials: ['Client Credentials', 'The client logs in, without a person'],
			},
			{ default: 'pkce' },
		),
		// n8n forgets a scope that is typed into its own field when somebody logs in.
		field('Scopes', 'scopes', {
			placeholder: 'e.g. openid offline_access',
			description:
				'Separated by spaces. Many identity providers give a token that can be renewed only with offline_access.',
		}),
		hidden('Scope', 'scope', { default: '={{ $self["scopes"] }}' }),
		baseUrlField,
		...callbackFields,
		...deploymentFields(),
		// The HTTP Request node obeys this on every host; older hosts do not know `restrictToSupportedNodes`.
		hidden('Allowed HTTP Request Domains', 'allowedHttpRequestDomains', { default: 'none' }),
	];
}
