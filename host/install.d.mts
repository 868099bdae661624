export type HostName = 'newest' | 'oldest';

export interface InstalledHost {
	/** The Node to run this n8n with. */
	node: string;
	/** n8n's own start script. */
	bin: string;
	/** Puts that Node first for the processes that n8n starts. */
	env: { PATH: string };
	version: string;
}

export const HOSTS: HostName[];
export function pinned(which: HostName): { n8n: string; nodeMajor: number };
export function isInstalled(which: HostName): boolean;
export function installHost(which: HostName): Promise<InstalledHost>;
export function withoutProjectSettings(): NodeJS.ProcessEnv;
