import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	type Icon,
	UserError,
} from 'n8n-workflow';
import { authenticateRequest, type Header } from './authenticate';
import { baseUrlField, openPointFields, text } from './fields';
import { profileTest } from './profileTest';

export class BusinessVerificationApi implements ICredentialType {
	name = 'businessVerificationApi';

	displayName = 'Business Verification API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'Authorization',
			description: 'Header in which the key is sent',
		},
		{
			displayName: 'Header Value',
			name: 'headerValue',
			type: 'string',
			default: 'Bearer {key}',
			description: 'What the header says; {key} stands for the key',
		},
		...openPointFields,
	];

	test: ICredentialTestRequest = profileTest;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authenticateRequest(credentials, requestOptions, () => keyHeader(credentials));
	}
}

function keyHeader(credentials: ICredentialDataDecryptedObject): Header {
	const key = text(credentials.apiKey);
	const template = text(credentials.headerValue);
	if (!key) {
		throw new UserError("'API Key' of the credential is empty", {
			description: 'Enter the key that the service gave you.',
		});
	}
	if (!template.includes('{key}')) {
		throw new UserError("'Header Value' of the credential does not say where the key goes", {
			description: 'Write {key} in its place, e.g. Bearer {key}.',
		});
	}
	return { name: text(credentials.headerName), value: template.replaceAll('{key}', () => key) };
}
