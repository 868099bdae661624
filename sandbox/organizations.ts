import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from './clock';
import type { Tokens } from './tokens';

interface Lender {
	id: string;
	name: string;
	featureFlags: Record<string, boolean>;
	hasScorecardConfigs: boolean;
}

/** A caller's organization (a lender), its one user and its credentials. Tests may change any of it. */
export interface Organization extends Lender {
	apiKey: string;
	/** A token as an identity provider would show it for pasting. It outlasts any clock a test may set. */
	jwt: string;
	clientId: string;
	clientSecret: string;
	/** The audience that tells its client from one of the same name in another realm. */
	audience: string | undefined;
	/** For /external/api/v1 when the switch externalAuth is header. */
	externalKey: string;
	keyRecord: {
		name: string;
		isTest: boolean;
		isActive: boolean;
		discoveryLimit: number;
		discoveryCount: number;
		createdAt: number;
		expiresAt: number;
	};
	user: { id: string; email: string; firstName: string; lastName: string; isTestProfile: boolean };
	termsAcceptedAt: number | null;
	availableLenders: Lender[];
	/** "250 by default; the maximum is configurable per lender" */
	batchLimit: number;
	/** A seller that a Seller Report has already named, so that licenses can be verified at once. */
	sellerId: string;
}

const DAY = 86_400_000;
const YEAR = 365 * DAY;

export class Organizations {
	private all: Organization[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly tokens: Tokens,
	) {}

	add(given: Partial<Organization> = {}): Organization {
		const now = this.clock.now();
		const id = given.id ?? randomUUID();
		const name = given.name ?? `Lender ${this.all.length + 1}`;
		const lender = { id, name, featureFlags: { scorecards: true }, hasScorecardConfigs: true };
		const organization: Organization = {
			...lender,
			apiKey: `bvk_${randomBytes(18).toString('base64url')}`,
			jwt: this.tokens.issue(id, 10 * YEAR),
			clientId: `client-${randomBytes(6).toString('hex')}`,
			clientSecret: randomBytes(18).toString('base64url'),
			audience: undefined,
			externalKey: randomBytes(18).toString('base64url'),
			keyRecord: {
				name: 'Default key',
				isTest: false,
				isActive: true,
				discoveryLimit: 1_000_000,
				discoveryCount: 0,
				createdAt: now - 90 * DAY,
				expiresAt: now + 10 * YEAR,
			},
			user: {
				id: randomUUID(),
				email: `analyst@lender-${this.all.length + 1}.example`,
				firstName: 'Robin',
				lastName: 'Analyst',
				isTestProfile: false,
			},
			termsAcceptedAt: now - 30 * DAY,
			availableLenders: [lender],
			batchLimit: 250,
			sellerId: randomUUID(),
			...given,
		};
		this.all.push(organization);
		return organization;
	}

	get default(): Organization {
		return this.all[0];
	}

	byId(id: string): Organization | undefined {
		return this.all.find((organization) => organization.id === id);
	}

	find(matches: (organization: Organization) => boolean): Organization | undefined {
		return this.all.find(matches);
	}

	/** Only the default one stays, as it was at the start: credentials made from it go on working. */
	reset(start: Organization): void {
		Object.assign(this.default, structuredClone(start));
		this.all.length = 1;
	}
}
