import assert from 'node:assert/strict';
import { answerJson, LocalServer } from '../../credentials/identityProvider';
import type { Checks, World } from '../suite';
import { clientLoginData, JWT_TYPE, KEY_TYPE, keyData, OAUTH2_TYPE, pastedTokenData } from '../verification';

/** The test behind the credential's form; its messages are tested in test/credentials. */
export function formChecks({ api, sandbox }: World): Checks {
	return {
		'whoever opens a credential does not get its secrets': async () => {
			const ofAll = {
				callbackSecret: 'secret of our callbacks, 1',
				previousCallbackSecret: 'secret of our callbacks, 0',
				externalAuthentication: 'header',
				externalHeaderName: 'X-Key',
				externalHeaderValue: 'secret of sellers',
			};
			const place = await sandbox();
			const kinds = {
				[KEY_TYPE]: keyData(place),
				[JWT_TYPE]: pastedTokenData(place),
				[OAUTH2_TYPE]: clientLoginData(place),
			};
			for (const [type, data] of Object.entries(kinds)) {
				const saved = { ...data, ...ofAll };
				const shown = await api.shownCredential(await api.createCredential('Opened', type, saved));
				assert.equal(shown.baseUrl, saved.baseUrl);
				const { apiKey, jwt, clientSecret } = place.organization;
				for (const secret of [
					apiKey,
					jwt,
					clientSecret,
					...Object.values(ofAll).filter((text) => text.startsWith('secret')),
				])
					assert.ok(!JSON.stringify(shown).includes(secret), `${type} shows ${secret}`);
			}
		},
		'a redirect fails the test of a credential, and nothing arrives at its target': async () => {
			const target = await new LocalServer((_, response) => answerJson(response, 200, { id: 'someone' })).start();
			const location = `${target.url}/v1/users/me`;
			const asked = await new LocalServer((_, response) => void response.writeHead(307, { location }).end()).start();
			try {
				const data = { ...keyData(await sandbox()), baseUrl: asked.url };
				const verdict = await api.testCredential(await api.createCredential('Tested', KEY_TYPE, data));
				assert.equal(verdict.status, 'Error', verdict.message);
				assert.match(verdict.message, /redirects/);
				assert.ok(!verdict.message.includes(String(data.apiKey)), verdict.message);
			} finally {
				for (const host of [asked, target]) await host.stop();
			}
			assert.ok(asked.received.length > 0);
			assert.equal(target.received.length, 0);
		},
	};
}
