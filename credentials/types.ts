import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** A type of credentials. Its class is in the file of its name. */
interface CredentialKind {
	name: string;
	/** The value and the name of 'Authentication' in a node. */
	picked: string;
	label: string;
	/** Only if n8n logs in, stores the tokens and renews them: the type of pasted ones, as which they are sent. */
	sentAs?: string;
}

/** A new type is a row here and a class (CONTRIBUTING.md). The first is the default. */
export const credentialKinds: CredentialKind[] = [
	{ name: 'businessVerificationApi', picked: 'apiKey', label: 'API Key' },
	{ name: 'businessVerificationJwtApi', picked: 'jwt', label: 'JWT' },
	{ name: 'businessVerificationOAuth2Api', picked: 'oAuth2', label: 'OAuth2', sentAs: 'businessVerificationJwtApi' },
];

export const credentials: INodeCredentialDescription[] = credentialKinds.map(({ name, picked }) => ({
	name,
	required: true,
	displayOptions: { show: { authentication: [picked] } },
}));

export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: credentialKinds.map(({ picked, label }) => ({ name: label, value: picked })),
	default: credentialKinds[0].picked,
};

/** The one that a node with these parameters uses. */
export const chosenKind = ({ parameters }: Pick<INode, 'parameters'>): CredentialKind =>
	credentialKinds.find(({ picked }) => picked === parameters.authentication) ?? credentialKinds[0];
