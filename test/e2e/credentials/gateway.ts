import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../suite';

/**
 * A gateway in front of the service, as deployments with an identity provider have one: it takes the tokens of the
 * provider and hands each request on as one of the organization.
 */
export async function startGateway({ url, organization }: Sandbox) {
	const revoked = new Set<string>();
	const seen: Array<{ method?: string; path?: string; token?: string; status: number }> = [];
	let proxySays401 = 0;

	const server = createServer(async (incoming, outgoing) => {
		const { method, url: path } = incoming;
		const { host: _gateway, ...headers } = incoming.headers;
		const token = headers.authorization?.replace(/^Bearer /, '');
		const body: Buffer[] = [];
		for await (const chunk of incoming) body.push(chunk as Buffer);
		const answer = (status: number, type: string, content: string | Buffer) => {
			seen.push({ method, path, token, status });
			outgoing.writeHead(status, { 'content-type': type }).end(content);
		};
		if (token === undefined || token.split('.').length !== 3 || revoked.has(token)) {
			return answer(401, 'application/json', '{"detail":"the token is not good"}');
		}
		const onward = request(
			`${url}${path}`,
			{ method, headers: { ...headers, authorization: `Bearer ${organization.jwt}` } },
			async (response) => {
				const content: Buffer[] = [];
				for await (const chunk of response) content.push(chunk as Buffer);
				if (method === 'POST' && proxySays401-- > 0) return answer(401, 'text/html', '<html>Sign in</html>');
				answer(response.statusCode!, String(response.headers['content-type']), Buffer.concat(content));
			},
		);
		onward.on('error', () => outgoing.destroy());
		onward.end(Buffer.concat(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		/** Every token seen so far is refused from now on. */
		revokeAll: () => seen.forEach(({ token }) => token !== undefined && revoked.add(token)),
		/** The next submission is processed, and its answer replaced by a page of a proxy. */
		hideNextSubmission: () => void (proxySays401 = 1),
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
