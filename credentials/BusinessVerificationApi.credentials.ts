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
import { baseUrlField, deploymentFields, field, secret, settingText, testedField } from './credentialFields';

const headerName = 'Authorization';
const headerValue = 'Bearer {key}';

export class BusinessVerificationApi implements ICredentialType {
	name = 'businessVerificationApi';

	displayName = 'Business Verification API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		secret('API Key', 'apiKey', {
			required: true,
			hint: "Sent in the header Authorization, as 'Bearer' and the key. For another header, such as X-API-Key, turn on 'Deployment Settings'.",
		}),
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
		testedField,
	];

	test: ICredentialTestRequest = profileTest;

	preAuthentication = lendHelper;

	authenticate = authenticatedBy(keyHeader);
}

/** Keys are often pasted with the word before them in the header. */
function withoutWord(key: string, template: string): string {
	const [before] = template.toLowerCase().split('{key}');
	return key.toLowerCase().startsWith(before) ? key.slice(before.length).trim() : key;
}

function keyHeader(credentials: ICredentialDataDecryptedObject): Proof {
	const template = settingText(credentials.headerValue ?? headerValue);
	const key = withoutWord(settingText(credentials.apiKey), template);
	if (!key) {
		throw new UserError("'API Key' in the credential is empty", {
			description: 'Enter the key that the service gave you.',
		});
	}
	if (!template.includes('{key}')) {
		throw new UserError("'Header Value' in the credential does not contain {key}", {
			description: 'Write {key} where the key belongs, e.g. Bearer {key}.',
		});
	}
	const value = template.replaceAll('{key}', () => key);
	return { headers: [{ name: settingText(credentials.headerName ?? headerName), value }] };
}
