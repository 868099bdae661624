import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Checks, World } from '../suite';
import { fetchedTokenData, JWT_TYPE, KEY_TYPE, keyData, pastedTokenData } from '../verification';

/** The test behind the credential's form: what it accepts, what it refuses, and with which words. */
export function formChecks({ api, sandbox }: World): Checks {
	const verdict = async (type: string, data: Record<string, unknown>) =>
		api.testCredential(await api.createCredential('Tested', type, data));

	async function passes(type: string, data: Record<string, unknown>) {
		const { status, message } = await verdict(type, data);
		assert.equal(`${status}: ${message}`, 'OK: Connection successful!');
	}

	async function fails(type: string, data: Record<string, unknown>, words: RegExp) {
		const { status, message } = await verdict(type, data);
		assert.equal(status, 'Error', message);
		assert.match(message, words);
		for (const secret of [data.apiKey, data.accessToken, data.clientSecret]) {
			if (typeof secret === 'string' && secret.trim() !== '') assert.ok(!message.includes(secret), message);
		}
	}

	/** Another host than the service, for as long as a check needs it; resolves to the headers it received. */
	async function withHost(answer: RequestListener, check: (url: string) => Promise<void>) {
		const received: IncomingHttpHeaders[] = [];
		const server = createServer((request, response) => {
			received.push(request.headers);
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

	const key = async (change: Record<string, unknown> = {}) => ({ ...keyData(await sandbox()), ...change });

	return {
		'however the base URL is written': async () => {
			const { url } = await sandbox();
			for (const baseUrl of [url, `${url}/`, `${url}/v1`, `  ${url}/v1/ `])
				await passes(KEY_TYPE, await key({ baseUrl }));
		},

		'a token, pasted with or without its scheme, and a fetched one': async () => {
			const service = await sandbox();
			const pasted = pastedTokenData(service);
			await passes(JWT_TYPE, pasted);
			await passes(JWT_TYPE, { ...pasted, accessToken: `Bearer ${pasted.accessToken}\n` });
			await passes(JWT_TYPE, fetchedTokenData(service));
		},

		'a wrong key, a wrong token and a wrong client secret are refused': async () => {
			const service = await sandbox();
			await fails(KEY_TYPE, await key({ apiKey: 'not-the-key' }), /refused the credential/);
			await fails(JWT_TYPE, { ...pastedTokenData(service), accessToken: 'not.the.token' }, /refused the credential/);
			const fetched = { ...fetchedTokenData(service), clientSecret: 'not-the-secret' };
			await fails(JWT_TYPE, fetched, /token URL returned status 4\d\d/);
		},

		'empty fields are named': async () => {
			const service = await sandbox();
			await fails(KEY_TYPE, await key({ apiKey: ' ' }), /'API Key' in the credential is empty/);
			await fails(KEY_TYPE, await key({ baseUrl: ' ' }), /'Base URL' in the credential is not a web address/);
			await fails(JWT_TYPE, { ...fetchedTokenData(service), tokenUrl: ' ' }, /'Token URL' in the credential/);
		},

		'plain http to another machine is refused before anything is sent': async () => {
			await fails(KEY_TYPE, await key({ baseUrl: 'http://kyb.example.com' }), /plain http/);
			const fetched = fetchedTokenData(await sandbox());
			await fails(JWT_TYPE, { ...fetched, tokenUrl: 'http://login.example.com/token' }, /plain http/);
		},

		'a host that is not the service': async () => {
			await withHost(
				(_request, response) => void response.writeHead(404).end(),
				async (baseUrl) => fails(KEY_TYPE, await key({ baseUrl }), /returned status 404\. Check .Base URL./),
			);
			for (const body of ['{"ok":true}', '[{}]', 'null', '""', '']) {
				await withHost(
					(_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
					async (baseUrl) => fails(KEY_TYPE, await key({ baseUrl }), /did not return a user profile/),
				);
			}
		},

		'a web page that says 200': async () => {
			await withHost(
				(_request, response) =>
					void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
				async (baseUrl) => fails(KEY_TYPE, await key({ baseUrl }), /did not return a user profile/),
			);
		},

		'a host that cannot be reached': async () => {
			let gone = '';
			await withHost(
				() => undefined,
				async (url) => void (gone = url),
			);
			await fails(KEY_TYPE, await key({ baseUrl: gone }), /cannot be reached: connection refused\. Check 'Base URL'/);
			const { url } = await sandbox();
			const fetched = { ...fetchedTokenData(await sandbox()), baseUrl: gone };
			await fails(JWT_TYPE, fetched, /cannot be reached: connection refused\. Check 'Base URL'/);
			await fails(
				KEY_TYPE,
				await key({ baseUrl: url.replace('http://', '') }),
				/not a web address\. Enter a full address that starts with https/,
			);
			await fails(
				JWT_TYPE,
				{ ...fetched, baseUrl: url, tokenUrl: `${gone}/token` },
				/token URL at \S+ cannot be reached: connection refused\. Check/,
			);
		},

		'a redirect, and nothing arrives at its target': async () => {
			for (const status of [301, 302, 303, 307, 308]) {
				const arrived = await withHost(
					(_request, response) => void response.writeHead(200).end('{"id":"someone"}'),
					async (target) => {
						await withHost(
							(_request, response) => void response.writeHead(status, { location: `${target}/v1/users/me` }).end(),
							async (baseUrl) => fails(KEY_TYPE, await key({ baseUrl }), /redirects/),
						);
					},
				);
				assert.deepEqual(arrived, []);
			}
		},
	};
}
