import {
	type Icon,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import type { Proof } from './authenticate';
import { authenticatedBy, lendHelper, profileTest } from './profileTest';
import { baseUrlField, deploymentFields, secret, settingText, testedField } from './credentialFields';

export class BusinessVerificationJwtApi implements ICredentialType {
	name = 'businessVerificationJwtApi';

	displayName = 'Business Verification JWT API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		secret('Access Token', 'accessToken', {
			required: true,
			description: 'A token that you paste, and replace when it expires',
		}),
		...deploymentFields(),
		testedField,
	];

	test: ICredentialTestRequest = profileTest;

	preAuthentication = lendHelper;

	authenticate = authenticatedBy(tokenHeader);
}

function tokenHeader(credentials: ICredentialDataDecryptedObject): Proof {
	const token = settingText(credentials.accessToken).replace(/^Bearer\s+/i, '');
	if (!token) {
		throw new UserError("'Access Token' in the credential is empty", {
			description: 'Paste a token, or use the OAuth2 credential, whose tokens n8n renews.',
		});
	}
	return { headers: [{ name: 'Authorization', value: `Bearer ${token}` }] };
}
