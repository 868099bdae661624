import { failureOf } from '../../nodes/BusinessVerification/engine/failures';

const tokenWith = (claims: unknown) =>
	`e30.${Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)).toString('base64url')}.sign`;
/** 14 November 2023 */
const past = 1_700_000_000;
const future = 32_503_680_000;
const orCurrent = "Check that the token is a current one for the service at 'Base URL'.";
const orKey =
	"Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.";
const orTheClient =
	"Open the credential: check 'Base URL' and the client, and connect it again if you logged in there.";
const orConnect = 'The credential lacks this permission, or its login has ended: then connect it again.';
const orPermission = 'The credential lacks this permission, or is not valid.';

const expired = 'The token expired on 14 Nov 2023: no';
const refused = 'The service does not accept the credential: no';
const forbidden = 'The service does not allow this: no';
const orNew = 'Enter a new one in the credential.';

it.each<[string, string, number, boolean, string, string]>([
	['a pasted token', tokenWith({ exp: past }), 401, false, expired, orNew],
	['a login', tokenWith({ exp: past }), 401, true, expired, 'Open the credential and connect it again.'],
	['one that is refused with 403', tokenWith({ exp: past }), 403, false, expired, orNew],
	['a valid login', tokenWith({ exp: future }), 401, true, refused, orTheClient],
	['a valid login refused with 403', tokenWith({ exp: future }), 403, true, forbidden, orConnect],
	['a login that is no JWT', 'no-jwt', 403, true, forbidden, orConnect],
	['a pasted one that is no JWT', tokenWith('claims'), 403, false, forbidden, orPermission],
	['one without a time', tokenWith({ exp: 'soon' }), 401, false, refused, orCurrent],
	['one of no time', tokenWith({ exp: -1e300 }), 401, false, refused, orCurrent],
	['a key', '', 401, false, refused, orKey],
	['a key that is refused with 403', '', 403, false, forbidden, orPermission],
])('of %s', (_, token, status, isLogin, message, description) => {
	const answer = { status, headers: {}, body: 'no', token: isLogin ? token : undefined };
	const failure = failureOf({ method: 'GET', path: '/v1/', kind: 'read' }, answer, String, isLogin ? '' : token);
	expect([failure.message, failure.details]).toEqual([
		message,
		{ httpCode: status, description, cause: 'credential-invalid' },
	]);
});
