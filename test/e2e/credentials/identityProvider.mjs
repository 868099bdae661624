import { randomUUID } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';

/** An identity provider on this machine: authorization code, with PKCE where it is asked for, refresh and client credentials. */
export async function startIdentityProvider() {
	const server = new OAuth2Server();
	await server.issuer.keys.generate('RS256');
	await server.start(0, '127.0.0.1');
	const url = `http://127.0.0.1:${server.address().port}`;
	const grants = [];
	// Two tokens of one second would be the same text.
	server.service.on('beforeTokenSigning', ({ payload }) => void (payload.jti = randomUUID()));
	server.service.on('beforeResponse', (_answer, request) => void grants.push(request.body.grant_type));
	return {
		authUrl: `${url}/authorize`,
		tokenUrl: `${url}/token`,
		grants,
		stop: () => server.stop(),
	};
}
