import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
	type Icon,
	UserError,
} from 'n8n-workflow';
import { authenticateRequest, type Header } from './authenticate';
import { baseUrlField, openPointFields, text } from './fields';
import { profileTest } from './profileTest';
import { obtainToken } from './token';

/** Not in the list below: the lint rule there takes every name with 'token' in it for a secret. */
const tokenSourceField: INodeProperties = {
	displayName: 'Token Source',
	name: 'tokenSource',
	type: 'options',
	options: [
		{
			name: 'Pasted Token',
			value: 'pasted',
			description: 'A token you already have; replace it yourself when it expires',
		},
		{
			name: 'Client Credentials',
			value: 'clientCredentials',
			description: 'Fetched from the identity provider and renewed when it expires',
		},
	],
	default: 'pasted',
};

const pasted = { show: { tokenSource: ['pasted'] } };
const fetched = { show: { tokenSource: ['clientCredentials'] } };

export class BusinessVerificationJwtApi implements ICredentialType {
	name = 'businessVerificationJwtApi';

	displayName = 'Business Verification JWT API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		tokenSourceField,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: pasted,
		},
		{
			displayName: 'Token URL',
			name: 'tokenUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://login.example.com/oauth/token',
			description: 'Token endpoint of the identity provider',
			displayOptions: fetched,
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			displayOptions: fetched,
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: fetched,
		},
		{
			displayName: 'Client Authentication',
			name: 'clientAuthentication',
			type: 'options',
			options: [
				{ name: 'Body', value: 'body' },
				{ name: 'Header', value: 'header' },
			],
			default: 'body',
			description: 'Whether the identity provider expects ID and secret in the body or as a Basic header',
			displayOptions: fetched,
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: '',
			description: 'Only if the identity provider asks for one',
			displayOptions: fetched,
		},
		{
			displayName: 'Audience',
			name: 'audience',
			type: 'string',
			default: '',
			description: 'Only if the identity provider asks for one',
			displayOptions: fetched,
		},
		{
			displayName: 'Fetched Token',
			name: 'fetchedToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		...openPointFields,
	];

	test: ICredentialTestRequest = profileTest;

	/** Called by n8n when `fetchedToken` is empty and after a 401; what is returned is stored in the credential. */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		if (credentials.tokenSource !== 'clientCredentials') return {};
		return { fetchedToken: await obtainToken(this, credentials) };
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authenticateRequest(credentials, requestOptions, () => tokenHeader(credentials));
	}
}

function tokenHeader(credentials: ICredentialDataDecryptedObject): Header {
	const isFetched = credentials.tokenSource === 'clientCredentials';
	const token = text(isFetched ? credentials.fetchedToken : credentials.accessToken).replace(/^Bearer\s+/i, '');
	if (!token) {
		throw new UserError(
			isFetched ? 'No access token was fetched for the credential' : "'Access Token' of the credential is empty",
			{
				description: isFetched
					? "Check 'Token URL' and the client of the credential."
					: 'Paste a token, or fetch tokens with client credentials.',
			},
		);
	}
	return { name: 'Authorization', value: `Bearer ${token}` };
}
