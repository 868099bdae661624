import { UserError } from 'n8n-workflow';
import { failureOf, lostBecause, unanswered } from '../../nodes/BusinessVerification/engine/answers';
import type { Request } from '../../nodes/BusinessVerification/kit/service';

const friendly =
	'The connection to the server was closed unexpectedly, perhaps it is offline. You can retry the request immediately or wait and retry later.';

/** What n8n makes of an error of its HTTP client: 2.8 drops the cause and keeps the code as `httpCode`; 2.41 keeps the cause. */
const oldest = (message: string, httpCode: string | null, messages: string[], description?: string) => ({
	message,
	httpCode,
	messages,
	description,
});
const newest = (message: string, httpCode: string | null, messages: string[], cause: object) => ({
	message,
	httpCode,
	messages,
	cause,
});
const client = (message: string, code?: string) =>
	Object.assign(new Error(message), code === undefined ? {} : { code });

it.each<[string, unknown, unknown]>([
	[
		'dropped, oldest',
		oldest(friendly, 'ECONNRESET', ['socket hang up', 'socket hang up']),
		{ code: 'ECONNRESET', sent: true, reason: 'socket hang up' },
	],
	[
		'dropped, newest',
		newest(friendly, 'ECONNRESET', ['socket hang up'], client('socket hang up', 'ECONNRESET')),
		{ code: 'ECONNRESET', sent: true, reason: 'socket hang up' },
	],
	[
		'too late, oldest',
		oldest('The connection was aborted, perhaps the server is offline', 'ECONNABORTED', ['timeout of 1000ms exceeded']),
		{ code: 'ECONNABORTED', sent: true },
	],
	[
		'refused, oldest',
		oldest('The service refused the connection - perhaps it is offline', 'ECONNREFUSED', [
			'connect ECONNREFUSED 127.0.0.1:1',
		]),
		{ code: 'ECONNREFUSED', sent: false },
	],
	[
		'refused on every address, newest',
		newest(
			'The service refused the connection - perhaps it is offline',
			'ECONNREFUSED',
			['connect ECONNREFUSED ::1'],
			Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
		),
		{ code: 'ECONNREFUSED', sent: false },
	],
	[
		'unreachable while connecting',
		client('connect EHOSTUNREACH 192.0.2.1:443', 'EHOSTUNREACH'),
		{ code: 'EHOSTUNREACH', sent: false },
	],
	['unreachable while reading', client('read EHOSTUNREACH', 'EHOSTUNREACH'), { code: 'EHOSTUNREACH', sent: true }],
	['no connection in time', client('connect ETIMEDOUT 192.0.2.1:443', 'ETIMEDOUT'), { code: 'ETIMEDOUT', sent: false }],
	['silence after connecting', client('read ETIMEDOUT', 'ETIMEDOUT'), { code: 'ETIMEDOUT', sent: true }],
	[
		'a certificate nobody vouches for',
		client('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
		{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', sent: false },
	],
	[
		'an answer that is no HTTP',
		oldest('Parse Error: Expected HTTP/', 'HPE_INVALID_CONSTANT', ['Parse Error: Expected HTTP/']),
		{ code: 'HPE_INVALID_CONSTANT', sent: true },
	],
	['aborted without a code', oldest('aborted', null, ['aborted']), { code: '', sent: true, reason: 'aborted' }],
	['no error at all', undefined, { code: '', sent: true, reason: 'no answer' }],
])('%s', (_, error, expected) => {
	expect(lostBecause(error)).toMatchObject(expected as object);
	expect(lostBecause(error).withheld).toBeUndefined();
});

it.each([
	['oldest', oldest('Credentials for a are not sent to b', null, ['Credentials for a are not sent to b'], 'Why')],
	[
		'newest',
		newest(
			'Credentials for a are not sent to b',
			null,
			[],
			new UserError('Credentials for a are not sent to b', { description: 'Why' }),
		),
	],
])('a refusal of our own credential, %s', (_, error) => {
	expect(lostBecause(error)).toMatchObject({
		sent: false,
		withheld: {
			message: 'Credentials for a are not sent to b',
			description: 'Why',
			cause: 'configuration-invalid',
		},
	});
});

test('a certificate that nobody vouches for is a matter of settings', () => {
	const read: Request = { method: 'GET', path: '/v1/inquiries/', kind: 'read' };
	const { message, details } = failureOf(
		read,
		unanswered(client('self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT')),
		String,
	);
	expect(message).toBe('The service could not be reached: certificate not trusted');
	expect(details).toMatchObject({
		cause: 'configuration-invalid',
		description: expect.stringContaining('NODE_EXTRA_CA'),
	});
});
