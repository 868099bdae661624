import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type ICredentialType, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { credentialKinds } from '../credentials/types';

const load = createRequire(__filename);

/** The class of each row of the table, from the file of its name. */
export const credentialTypes: ICredentialType[] = credentialKinds.map(({ name }) => {
	const className = name[0].toUpperCase() + name.slice(1);
	const loaded = load(join(__dirname, `../credentials/${className}.credentials.ts`)) as Record<
		string,
		new () => ICredentialType
	>;
	return new loaded[className]();
});

/** As n8n merges them, without the fields of n8n's own types. */
export function credentialProperties({ extends: parents = [], properties }: ICredentialType): INodeProperties[] {
	const inherited: INodeProperties[] = [];
	for (const parent of credentialTypes.filter(({ name }) => parents.includes(name)))
		NodeHelpers.mergeNodeProperties(inherited, credentialProperties(parent));
	return [...inherited, ...properties];
}
