import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Checks, World } from '../suite';
import { clientLoginData, JWT_TYPE, KEY_TYPE, keyData, OAUTH2_TYPE, pastedTokenData } from '../verification';

/** A host for as long as a check needs it; resolves to how many requests it received. */
async function withHost(answer: RequestListener, check: (url: string) => Promise<void>): Promise<number> {
	let received = 0;
	const server = createServer((request, response) => {
		received++;
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await check(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
	return received;
}

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
			const arrived = await withHost(
				(_request, response) => void response.writeHead(200).end('{"id":"someone"}'),
				async (target) => {
					const asked = await withHost(
						(_request, response) => void response.writeHead(307, { location: `${target}/v1/users/me` }).end(),
						async (baseUrl) => {
							const data = { ...keyData(await sandbox()), baseUrl };
							const verdict = await api.testCredential(await api.createCredential('Tested', KEY_TYPE, data));
							assert.equal(verdict.status, 'Error', verdict.message);
							assert.match(verdict.message, /redirects/);
							assert.ok(!verdict.message.includes(String(data.apiKey)), verdict.message);
						},
					);
					assert.ok(asked > 0);
				},
			);
			assert.equal(arrived, 0);
		},
	};
}
