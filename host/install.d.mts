/** 'newest' or 'oldest', a folder that holds an n8n, or a container image. */
export type HostName = string;

export interface InstalledHost {
	/** The Node to run this n8n with. */
	node: string;
	/** n8n's own start script. */
	bin: string;
	/** Puts that Node first for the processes that n8n starts. */
	env: { PATH: string };
	version: string;
	/** Ends what outlives its process. */
	end?(folder: string): void;
}

export const HOSTS: HostName[];
export function pinned(which: HostName): { n8n: string; nodeMajor: number };
export function isInstalled(which: HostName): boolean;
export function installHost(which: HostName): Promise<InstalledHost>;
export function installTool(which: 'tool' | 'registry', program: string): Promise<string>;
export function withoutProjectSettings(): NodeJS.ProcessEnv;
