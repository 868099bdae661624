import { withExpiry } from '../../nodes/BusinessVerification/engine/failures';
import { keyAdvice } from '../../credentials/address';
import { expiredOn } from '../../credentials/authenticate';
import { Failure } from '../../nodes/BusinessVerification/kit/service';

const tokenWith = (claims: unknown) =>
	`e30.${Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)).toString('base64url')}.sign`;
/** 14 November 2023 */
const past = 1_700_000_000;
const future = 32_503_680_000;
const advice = 'Check it.';
const orTheClient =
	"Open the credential: check 'Base URL' and the client, and connect it again if you logged in there.";
const orConnect = 'The credential lacks this permission, or its login has ended: then connect it again.';

const expired = 'The token expired on 14 Nov 2023';
const orNew = 'Enter a new one in the credential.';

it.each<[string, unknown, number, boolean, string, string]>([
	['a pasted token', { exp: past }, 401, false, expired, orNew],
	['a login', { exp: past }, 401, true, expired, 'Open the credential and connect it again.'],
	['one that is refused with 403', { exp: past }, 403, false, expired, orNew],
	['a valid login', { exp: future }, 401, true, 'no', advice],
	['a valid login refused with 403', { exp: future }, 403, true, 'no', orConnect],
	['a login that is no JWT', '', 403, true, 'no', orConnect],
	['a pasted one that is no JWT', 'claims', 403, false, 'no', advice],
	['one without a time', { exp: 'soon' }, 401, false, 'no', advice],
	['one of no time', { exp: -1e300 }, 401, false, 'no', advice],
	['one that was not refused', { exp: past }, 422, false, 'no', advice],
])('of %s', (_, claims, httpCode, isLogin, message, description) => {
	const failure = new Failure('no', { httpCode, description: advice, cause: 'credential-invalid' });
	const told = withExpiry(failure, tokenWith(claims), isLogin);
	expect([told.message, told.details]).toEqual([message, { httpCode, description, cause: 'credential-invalid' }]);
});

it.each([
	[{ exp: past }, '14 Nov 2023'],
	[{ exp: future }, undefined],
	['claims', undefined],
])('the day on which %j has expired is %s', (claims, day) => {
	expect(expiredOn(tokenWith(claims))).toBe(day);
});

it('a refused token is not asked for the header of a key', () => {
	const told = (token: string, isLogin: boolean) =>
		withExpiry(new Failure('no', { httpCode: 401, description: `${keyAdvice} Read more.` }), token, isLogin).details;
	expect(told('', false).description).toBe(`${keyAdvice} Read more.`);
	expect(told('no-jwt', false).description).toBe(
		"Check that the token is a current one for the service at 'Base URL'. Read more.",
	);
	expect(told('no-jwt', true).description).toBe(`${orTheClient} Read more.`);
});
