import {
	type Icon,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { bearer, type Header, profileTest, authenticateRequest, settingText } from './sending';
import { beforeAndAfter, fetchedHeader } from './tokens';
import {
	baseUrlField,
	callbackFields,
	choiceSetting,
	deploymentFields,
	field,
	hidden,
	secret,
} from './credentialFields';

export class BusinessVerificationJwtApi implements ICredentialType {
	name = 'businessVerificationJwtApi';

	displayName = 'Business Verification JWT API';

	icon: Icon = { light: 'file:../icons/businessVerification.svg', dark: 'file:../icons/businessVerification.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-business-verification/n8n-nodes-business-verification#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		choiceSetting('Token Source', 'tokenSource', {
			pasted: ['Pasted Token', 'A token that you paste, and replace when it expires'],
			clientCredentials: ['Client Credentials', 'Fetched from the identity provider and renewed when it expires'],
		}),
		secret('Access Token', 'accessToken', { required: true, displayOptions: { show: { tokenSource: ['pasted'] } } }),
		...[
			field('Token URL', 'tokenUrl', {
				required: true,
				placeholder: 'e.g. https://login.example.com/oauth/token',
				description: 'Token endpoint of the identity provider',
			}),
			field('Client ID', 'clientId', { required: true }),
			secret('Client Secret', 'clientSecret', { required: true }),
			choiceSetting(
				'Client Authentication',
				'clientAuthentication',
				{ body: 'Body', header: 'Header' },
				{ description: 'Where to send the client ID and secret: in the body or in a Basic header' },
			),
			field('Scope', 'scope', { description: 'Only if the identity provider asks for one' }),
			field('Audience', 'audience', { description: 'Only if the identity provider asks for one' }),
		].map((one) => ({ ...one, displayOptions: { show: { tokenSource: ['clientCredentials'] } } })),
		...callbackFields,
		...deploymentFields(),
		// Always empty, so that n8n calls `preAuthentication` before every request.
		hidden('Fetched Token', 'fetchedToken', { typeOptions: { expirable: true, password: true } }),
	];

	test: ICredentialTestRequest = profileTest;

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		return await beforeAndAfter(credentials, this);
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const isFetched = credentials.tokenSource === 'clientCredentials';
		return await authenticateRequest(credentials, requestOptions, (isRead) =>
			isFetched ? fetchedHeader(credentials, isRead) : pastedHeader(credentials),
		);
	}
}

function pastedHeader(credentials: ICredentialDataDecryptedObject): Header {
	const token = settingText(credentials.accessToken).replace(/^Bearer\s+/i, '');
	if (!token) {
		throw new UserError("'Access Token' in the credential is empty", {
			description: 'Paste a token, or fetch tokens with client credentials.',
		});
	}
	return bearer(token);
}
