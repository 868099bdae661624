import {
	type Icon,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { authenticatedBy, profileTest, type Proof, secretHeader } from './authenticate';
import { baseUrlField, deploymentFields, field, secret, settingText } from './credentialFields';

const headerName = 'Authorization';
const headerValue = 'Bearer {key}';

export class BusinessVerificationApi implements ICredentialType {
	name = 'businessVerificationApi';

	displayName = 'Business Verification API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		secret('API Key', 'apiKey', { required: true }),
		...deploymentFields([
			field('Header Name', 'headerName', {
				default: headerName,
				description: 'Header in which the key is sent',
			}),
			field('Header Value', 'headerValue', {
				default: headerValue,
				description: 'Value of the header. {key} stands for the key.',
			}),
		]),
	];

	test: ICredentialTestRequest = profileTest;

	authenticate = authenticatedBy(keyHeader);
}

function keyHeader(credentials: ICredentialDataDecryptedObject): Proof {
	const template = settingText(credentials.headerValue ?? headerValue);
	// A key written here would not be redacted.
	if (!template.includes('{key}')) {
		throw new UserError("'Header Value' in the credential does not contain {key}", {
			description: 'Write {key} where the key belongs, e.g. Bearer {key}.',
		});
	}
	const name = settingText(credentials.headerName ?? headerName);
	return { headers: [secretHeader('API Key', credentials.apiKey, name, template)] };
}
