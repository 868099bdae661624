import { Raw, type Endpoint } from '../endpoint';
import { Refusal } from '../refusal';

/** RFC 6749 section 5.2 says what these look like. */
const oauthError = (status: number, error: string, description: string) =>
	new Refusal(status, description, {}, { error, error_description: description });

/** Name and secret as RFC 6749 allows them: in the form, or by Basic authentication. */
function clientOf(form: URLSearchParams, authorization: unknown): { id: string | null; secret: string | null } {
	if (typeof authorization !== 'string') return { id: form.get('client_id'), secret: form.get('client_secret') };
	if (form.has('client_secret')) throw oauthError(400, 'invalid_request', 'credentials were sent in two ways');
	const [id, secret] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
		.toString()
		.split(':');
	return { id: decodeURIComponent(id), secret: decodeURIComponent(secret ?? '') };
}

const known = ['grant_type', 'client_id', 'client_secret', 'scope', 'audience', 'resource'];

const lifetimeMs = 3_600_000;

/** The identity provider that issues JWTs ("a JWT issued by an identity provider"); the document names no more. */
export const tokenEndpoints: Endpoint[] = [
	{
		method: 'POST',
		path: '/oauth/token',
		authentication: 'none',
		body: 'text',
		serve(service, { body, headers }) {
			service.tokens.fetches += 1;
			if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
				throw oauthError(400, 'invalid_request', 'the body must be application/x-www-form-urlencoded');
			}
			const form = new URLSearchParams(String(body));
			const unknown = [...form.keys()].filter((name) => !known.includes(name));
			if (unknown.length > 0) throw oauthError(400, 'invalid_request', `unknown field ${unknown.join(', ')}`);
			// RFC 6749, section 3.2: as if they were omitted.
			for (const [name, value] of [...form]) if (value === '') form.delete(name);
			if (form.get('grant_type') !== 'client_credentials') {
				throw oauthError(400, 'unsupported_grant_type', 'grant_type must be client_credentials');
			}
			const { id, secret } = clientOf(form, headers.authorization);
			const client = service.organizations.find(
				({ clientId, clientSecret, audience = form.get('audience') }) =>
					clientId === id && clientSecret === secret && audience === form.get('audience'),
			);
			if (!client) throw oauthError(401, 'invalid_client', 'client id or secret is wrong');
			const answer = {
				access_token: service.tokens.issue(client.id, lifetimeMs),
				token_type: 'Bearer',
				expires_in: lifetimeMs / 1000,
			};
			return new Raw('application/json; charset=utf-8', JSON.stringify(answer), { 'cache-control': 'no-store' });
		},
	},
];
