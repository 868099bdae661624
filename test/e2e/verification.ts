import type { Client, Credential } from './client';
import type { Sandbox } from './suite';
import { node, type WorkflowNode } from './workflow';

export const PACKAGE = 'n8n-nodes-business-verification';

export const KEY_TYPE = 'businessVerificationApi';
export const JWT_TYPE = 'businessVerificationJwtApi';
export const OAUTH2_TYPE = 'businessVerificationOAuth2Api';

const authentication: Record<string, string> = { [KEY_TYPE]: 'apiKey', [JWT_TYPE]: 'jwt', [OAUTH2_TYPE]: 'oAuth2' };

type Place = Pick<Sandbox, 'url' | 'switches'>;
type Access = Pick<Sandbox, 'url' | 'switches' | 'organization'>;

/** What every credential for the sandbox says beside its secret: where the document leaves a path open. */
const openPoints = ({ url, switches }: Place) => ({
	baseUrl: url,
	deploymentSettings: true,
	sellerStatusPath: switches.sellerStatusPath,
	sellerResultPath: switches.sellerResultPath,
});

export const keyData = (sandbox: Access) => ({ ...openPoints(sandbox), apiKey: sandbox.organization.apiKey });

export const pastedTokenData = (sandbox: Access) => ({
	...openPoints(sandbox),
	accessToken: sandbox.organization.jwt,
});

/** A client that logs in itself. */
export const clientLoginData = (sandbox: Access) => ({
	...openPoints(sandbox),
	grantType: 'clientCredentials',
	accessTokenUrl: `${sandbox.url}/oauth/token`,
	clientId: sandbox.organization.clientId,
	clientSecret: sandbox.organization.clientSecret,
	authentication: 'body',
});

export const createKeyCredential = async (api: Client, sandbox: Access) =>
	api.createCredential('Business Verification (key)', KEY_TYPE, keyData(sandbox));

/** Our action node, ready to use the given credential. */
export function verificationNode(
	credential: Credential,
	parameters: Record<string, unknown>,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return node(
		more.name ?? 'Business Verification',
		`${PACKAGE}.businessVerification`,
		{ authentication: authentication[credential.type], ...parameters },
		{ credentials: { [credential.type]: { id: credential.id, name: credential.name } }, ...more },
	);
}
