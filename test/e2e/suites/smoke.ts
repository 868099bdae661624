import assert from 'node:assert/strict';
import { outputJson, type Credential } from '../client';
import { n8n3Checks } from '../n8n3';
import type { Suite } from '../suite';
import {
	clientLoginData,
	createKeyCredential,
	JWT_TYPE,
	KEY_TYPE,
	keyData,
	OAUTH2_TYPE,
	PACKAGE,
	pastedTokenData,
	verificationNode,
} from '../verification';
import { chain, itemsNode, manualTrigger } from '../workflow';

/** The thinnest path through everything: the packed package in a real n8n, talking to the sandbox. */
const smoke: Suite = {
	checks(world) {
		const { api, n8n, sandbox, profile } = world;
		const credentials: Record<string, Credential> = {};

		const profileWith = async (credential: Credential) => {
			const node = verificationNode(credential, { resource: 'user', operation: 'getProfile' });
			const items = itemsNode([{ n: 1 }, { n: 2 }]);
			const workflow = await api.createWorkflow(chain('Profile', [manualTrigger(), items, node]));
			const execution = await api.run(workflow.id);
			assert.equal(execution.error?.message, undefined);
			assert.equal(execution.status, 'success');
			return outputJson(execution, node.name).map(({ email }) => email);
		};

		return {
			'n8n lists the types under the name of the package': async () => {
				const nodes = (await api.nodeTypes()).map(({ name }) => name).filter((name) => name.startsWith(PACKAGE));
				assert.deepEqual(nodes.sort(), [
					`${PACKAGE}.businessVerification`,
					`${PACKAGE}.businessVerificationSellerTrigger`,
					`${PACKAGE}.businessVerificationTool`,
					`${PACKAGE}.businessVerificationTrigger`,
				]);
				const types = (await api.credentialTypes()).map(({ name }) => name);
				const ours = types.filter((name) => name.startsWith('businessVerification'));
				assert.deepEqual(ours.sort(), [KEY_TYPE, JWT_TYPE, OAUTH2_TYPE]);
			},

			'credentials of each kind are saved, and those that n8n tests pass': async () => {
				const service = await sandbox();
				credentials.key = await createKeyCredential(api, service);
				credentials.pasted = await api.createCredential('Pasted', JWT_TYPE, pastedTokenData(service));
				for (const [kind, credential] of Object.entries(credentials)) {
					const { status, message } = await api.testCredential(credential);
					assert.equal(status, 'OK', `${kind}: ${message}`);
				}
				credentials.client = await api.createCredential('Client', OAUTH2_TYPE, clientLoginData(service));
			},

			'a wrong key fails its test': async () => {
				const data = { ...keyData(await sandbox()), apiKey: 'not-the-key' };
				const wrong = await api.createCredential('Wrong', KEY_TYPE, data);
				const { status, message } = await api.testCredential(wrong);
				assert.equal(status, 'Error');
				assert.match(message, /does not accept the credential/);
			},

			'the profile is read with each credential': async () => {
				const { organization } = await sandbox();
				const { email } = organization.user;
				for (const [kind, credential] of Object.entries(credentials)) {
					assert.deepEqual(await profileWith(credential), [email, email], kind);
				}
			},

			'another process of n8n on the same data does the same': async () => {
				await n8n.kill();
				await n8n.launch();
				const { organization } = await sandbox();
				const { email } = organization.user;
				assert.deepEqual(await profileWith(credentials.client), [email, email]);
			},

			...(profile === 'n8n3' && n8n3Checks(world)),
		};
	},
};

export default smoke;
