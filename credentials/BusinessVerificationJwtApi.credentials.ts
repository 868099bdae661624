import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { authenticatedBy, profileTest, type Proof, secretHeader } from './authenticate';
import { baseUrlField, deploymentFields, secret } from './credentialFields';

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
	];

	test: ICredentialTestRequest = profileTest;

	authenticate = authenticatedBy(tokenHeader);
}

const tokenHeader = ({ accessToken }: ICredentialDataDecryptedObject): Proof => ({
	headers: [secretHeader('Access Token', accessToken)],
});
