export interface IdentityProvider {
	authUrl: string;
	tokenUrl: string;
	/** The grants that were asked for, in order. */
	grants: string[];
	/** What the next answer of the token endpoint is instead. */
	refuseNext(status: number, body: object): void;
	stop(): Promise<void>;
}

export function startIdentityProvider(): Promise<IdentityProvider>;
