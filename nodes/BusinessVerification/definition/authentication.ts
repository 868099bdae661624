import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

export const keyType = 'businessVerificationApi';
export const jwtType = 'businessVerificationJwtApi';
export const loginType = 'businessVerificationOAuth2Api';

const types: Record<string, string> = { apiKey: keyType, jwt: jwtType, oAuth2: loginType };

export const credentials: INodeCredentialDescription[] = Object.entries(types).map(([picked, name]) => ({
	name,
	required: true,
	displayOptions: { show: { authentication: [picked] } },
}));

export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'JWT', value: 'jwt' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiKey',
};

export const credentialType = (context: { getNode(): INode }): string =>
	types[String(context.getNode().parameters.authentication)] ?? keyType;
