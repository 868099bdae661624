import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Checks, World } from '../suite';
import { KEY_TYPE, keyData } from '../verification';

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
		'a redirect fails the test of a credential, and nothing arrives at its target': async () => {
			for (const status of [301, 302, 303, 307, 308]) {
				const arrived = await withHost(
					(_request, response) => void response.writeHead(200).end('{"id":"someone"}'),
					async (target) => {
						const asked = await withHost(
							(_request, response) => void response.writeHead(status, { location: `${target}/v1/users/me` }).end(),
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
			}
		},
	};
}
