import { UserError } from 'n8n-workflow';
import { lostBecause, unanswered } from '../../nodes/BusinessVerification/engine/attempt';
import { failureOf } from '../../nodes/BusinessVerification/engine/failures';
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

const offline = 'The service refused the connection - perhaps it is offline';
const aborted = 'The connection was aborted, perhaps the server is offline';
const hungUp = client('socket hang up', 'ECONNRESET');
const noAnswer = ['timeout of 1000ms exceeded'];
const refused = 'connect ECONNREFUSED 127.0.0.1:1';
const parsed = 'Parse Error: Expected HTTP/';

it.each<[string, unknown, string, 'sent' | 'not sent', string]>([
	['dropped, oldest', oldest(friendly, 'ECONNRESET', ['hang up', 'hang up']), 'ECONNRESET', 'sent', 'hang up'],
	['dropped, newest', newest(friendly, 'ECONNRESET', ['hang up'], hungUp), 'ECONNRESET', 'sent', 'socket hang up'],
	['too late, oldest', oldest(aborted, 'ECONNABORTED', noAnswer), 'ECONNABORTED', 'sent', noAnswer[0]],
	['refused, oldest', oldest(offline, 'ECONNREFUSED', [refused]), 'ECONNREFUSED', 'not sent', refused],
	[
		'refused, newest',
		newest(offline, null, [refused], client('', 'ECONNREFUSED')),
		'ECONNREFUSED',
		'not sent',
		refused,
	],
	['unreachable while connecting', client('connect EHOSTUNREACH'), 'EHOSTUNREACH', 'not sent', 'connect EHOSTUNREACH'],
	['unreachable later', client('read EHOSTUNREACH', 'EHOSTUNREACH'), 'EHOSTUNREACH', 'sent', 'read EHOSTUNREACH'],
	['no connection in time', client('connect ETIMEDOUT ::1'), 'ETIMEDOUT', 'not sent', 'connect ETIMEDOUT ::1'],
	['silence after connecting', client('read ETIMEDOUT', 'ETIMEDOUT'), 'ETIMEDOUT', 'sent', 'read ETIMEDOUT'],
	['a name not looked up', client('getaddrinfo EAI_AGAIN a'), 'EAI_AGAIN', 'not sent', 'getaddrinfo EAI_AGAIN a'],
	['no way to the network', client('connect ENETUNREACH ::1'), 'ENETUNREACH', 'not sent', 'connect ENETUNREACH ::1'],
	...['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']
		.concat(
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'UNABLE_TO_GET_ISSUER_CERT',
			'ERR_TLS_CERT_ALTNAME_INVALID',
		)
		.map((code): [string, unknown, string, 'not sent', string] => [
			`no trusted connection: ${code}`,
			client('', code),
			code,
			'not sent',
			'no answer',
		]),
	['no HTTP', oldest(parsed, 'HPE_INVALID_CONSTANT', [parsed]), 'HPE_INVALID_CONSTANT', 'sent', parsed],
	['aborted without a code', oldest('aborted', null, ['aborted'], ''), '', 'sent', 'aborted'],
	['no error at all', undefined, '', 'sent', 'no answer'],
])('%s', (_, error, code, sent, reason) => {
	expect(lostBecause(error)).toEqual({ code, sent: sent === 'sent', reason, withheld: undefined });
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
		withheld: { message: 'Credentials for a are not sent to b', description: 'Why', cause: 'configuration-invalid' },
	});
});

const temporary = 'temporarily-unavailable';
const unreachable = "Check 'Base URL' in the credential, that the service is up, and that n8n can connect to it.";
const late = "If the service needs longer, raise 'Timeout' where the node has it.";

const untrusted = 'The service could not be reached: certificate not trusted';
const authority = 'If the service uses a CA of your own, set NODE_EXTRA_CA_CERTS for n8n.';

it.each<[Error, string, string | undefined, string]>([
	[client('self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'), untrusted, authority, 'configuration-invalid'],
	[client('', 'ENOTFOUND'), 'The service could not be reached: host not found', unreachable, temporary],
	[client('timeout', 'ECONNABORTED'), 'The service did not respond in time', late, temporary],
	[client('read ETIMEDOUT', 'ETIMEDOUT'), 'The service did not respond in time', late, temporary],
	[client('hang up', 'EPIPE'), 'The connection was lost before the service responded: HANG UP', undefined, temporary],
])('%s is reported with what to do', (error, message, description, cause) => {
	const read: Request = { method: 'GET', path: '/v1/inquiries/', kind: 'read' };
	const failure = failureOf(read, unanswered(error), (said) => said.toUpperCase());
	expect([failure.message, failure.details]).toEqual([message, { cause, description }]);
});
