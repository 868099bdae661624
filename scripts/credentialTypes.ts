import { type ICredentialType, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { BusinessVerificationApi } from '../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../credentials/BusinessVerificationJwtApi.credentials';
import { BusinessVerificationOAuth2Api } from '../credentials/BusinessVerificationOAuth2Api.credentials';

export const credentialTypes: ICredentialType[] = [
	new BusinessVerificationApi(),
	new BusinessVerificationJwtApi(),
	new BusinessVerificationOAuth2Api(),
];

/** As n8n merges them, without the fields of n8n's own types. */
export function credentialProperties({ extends: parents = [], properties }: ICredentialType): INodeProperties[] {
	const inherited: INodeProperties[] = [];
	for (const parent of credentialTypes.filter(({ name }) => parents.includes(name)))
		NodeHelpers.mergeNodeProperties(inherited, credentialProperties(parent));
	return [...inherited, ...properties];
}
