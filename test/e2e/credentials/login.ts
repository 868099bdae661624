import assert from 'node:assert/strict';
import { newInquiry } from '../../harness/newInquiry';
import { type Credential, outputJson } from '../client';
import type { Checks, World } from '../suite';
import { clientLoginData, OAUTH2_TYPE, verificationNode } from '../verification';
import { chain, itemsNode, manualTrigger } from '../workflow';
import { startGateway } from './gateway';
import { httpRequestNode } from './httpRequest';
import { type IdentityProvider, startIdentityProvider } from './identityProvider.mjs';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** The OAuth2 credential, from the login to a token that was revoked. */
export function loginChecks({ api, sandbox }: World): Checks {
	async function within(
		grantType: string,
		check: (used: { provider: IdentityProvider; gateway: Gateway; credential: Credential }) => Promise<void>,
	) {
		const service = await sandbox();
		service.reset();
		const provider = await startIdentityProvider();
		const gateway = await startGateway(service);
		try {
			const credential = await api.createCredential('Login', OAUTH2_TYPE, {
				baseUrl: gateway.url,
				grantType,
				authUrl: provider.authUrl,
				accessTokenUrl: provider.tokenUrl,
				clientId: 'the-client',
				clientSecret: 's3cret',
				scopes: 'openid offline_access',
				authentication: 'body',
			});
			if (grantType !== 'clientCredentials') await api.connect(credential);
			await check({ provider, gateway, credential });
		} finally {
			gateway.stop();
			await provider.stop();
		}
	}

	async function run(credential: Credential, parameters: Record<string, unknown>, items = 2) {
		const used = verificationNode(credential, parameters, { onError: 'continueErrorOutput' });
		const input = itemsNode(Array.from({ length: items }, (_, n) => ({ name: `Acme ${n}` })));
		const workflow = await api.createWorkflow(chain('Login', [manualTrigger(), input, used]));
		const execution = await api.run(workflow.id);
		assert.equal(execution.error?.message, undefined);
		return { good: outputJson(execution, used.name), failed: outputJson(execution, used.name, 1) };
	}

	const profile = { resource: 'user', operation: 'getProfile' };
	const renewal: Record<string, string> = {
		authorizationCode: 'refresh_token',
		pkce: 'refresh_token',
		clientCredentials: 'client_credentials',
	};
	const checks: Checks = {};

	for (const [grantType, again] of Object.entries(renewal)) {
		checks[`OAuth2 ${grantType}: one token for many requests, renewed once when it is revoked`] = () =>
			within(grantType, async ({ provider, gateway, credential }) => {
				assert.equal((await run(credential, profile, 20)).good.length, 20);
				assert.deepEqual(provider.grants, [again === 'refresh_token' ? 'authorization_code' : again]);
				gateway.revokeAll();
				assert.equal((await run(credential, profile, 20)).good.length, 20);
				assert.deepEqual(provider.grants.slice(1), [again]);
			});

		checks[`OAuth2 ${grantType}: a submission is billed once, whatever is answered`] = () =>
			within(grantType, async ({ gateway, credential }) => {
				const { ledger, faults } = await sandbox();
				gateway.hideNextSubmission();
				const hidden = await run(credential, newInquiry, 1);
				assert.equal(hidden.failed.length, 1);
				assert.equal(ledger.count('inquiry'), 1);

				faults.add({ method: 'POST', path: '/v1/inquiries/', after: true, status: 500 });
				const unknown = await run(credential, newInquiry, 1);
				assert.equal((unknown.failed[0]?.error as { submission?: string }).submission, 'unknown');
				assert.equal(ledger.count('inquiry'), 2);

				// Refused for its token, so never processed: it goes out once more with the next one.
				gateway.revokeAll();
				assert.equal((await run(credential, newInquiry, 3)).good.length, 3);
				assert.equal(ledger.count('inquiry'), 5);
			});
	}

	checks['OAuth2 clientCredentials: a client with an audience, from its first run'] = async () => {
		const service = await sandbox();
		service.reset();
		const audience = 'https://kyb.example.com';
		const organization = service.addOrganization({ audience });
		const credential = await api.createCredential('Audience', OAUTH2_TYPE, {
			...clientLoginData({ ...service, organization }),
			sendAdditionalBodyProperties: true,
			additionalBodyProperties: JSON.stringify({ audience }),
		});
		assert.equal((await run(credential, profile)).good.length, 2);
		assert.equal(service.tokens.fetches, 1);
	};

	checks['OAuth2: the HTTP Request node may not use it, and nothing is sent'] = () =>
		within('clientCredentials', async ({ provider, gateway, credential }) => {
			const http = httpRequestNode(credential, 'POST', `${gateway.url}/v1/inquiries/`);
			const workflow = await api
				.createWorkflow(chain('HTTP Request', [manualTrigger(), http]))
				.catch(({ message }: Error) => message);
			// Newer versions do not even save it.
			if (typeof workflow !== 'string') assert.equal((await api.run(workflow.id)).status, 'error');
			assert.deepEqual([provider.grants, gateway.seen], [[], []]);
		});
	return checks;
}
