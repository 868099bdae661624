export interface IdentityProvider {
	authUrl: string;
	tokenUrl: string;
	/** The grants that were asked for, in order. */
	grants: string[];
	stop(): Promise<void>;
}

export function startIdentityProvider(): Promise<IdentityProvider>;
