import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock';

/** The identity provider: issues and checks JWTs that expire by the sandbox's clock. */
export class Tokens {
	/** How often the token endpoint was called, in vain or not. */
	fetches = 0;
	private readonly secret = randomBytes(32);
	private serial = 0;
	private revokedUpTo = 0;

	constructor(private readonly clock: Clock) {}

	issue(organizationId: string, lifetimeMs: number): string {
		const now = this.clock.now();
		const claims = {
			iss: 'identity-provider',
			sub: organizationId,
			iat: Math.floor(now / 1000),
			exp: Math.floor((now + lifetimeMs) / 1000),
			jti: randomUUID(),
			serial: ++this.serial,
		};
		const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
		return `${unsigned}.${this.sign(unsigned)}`;
	}

	/** Whose token it is, or why it is not good. */
	check(token: string): { organizationId: string } | { problem: string } {
		const [head, body, signature, ...more] = token.split('.');
		if (!signature || more.length > 0) return { problem: 'is malformed' };
		const expected = Buffer.from(this.sign(`${head}.${body}`));
		const given = Buffer.from(signature);
		if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
			return { problem: 'was not issued by the identity provider' };
		}
		const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
			sub: string;
			exp: number;
			serial: number;
		};
		if (claims.exp * 1000 <= this.clock.now()) return { problem: 'has expired' };
		if (claims.serial <= this.revokedUpTo) return { problem: 'was revoked' };
		return { organizationId: claims.sub };
	}

	/** Every token issued so far is refused from now on, before it expires. */
	revokeAll(): void {
		this.revokedUpTo = this.serial;
	}

	reset(): void {
		this.revokedUpTo = 0;
		this.fetches = 0;
	}

	private sign(unsigned: string): string {
		return createHmac('sha256', this.secret).update(unsigned).digest('base64url');
	}
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
