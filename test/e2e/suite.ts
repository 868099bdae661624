import type { HostName } from '../../host/install.mjs';
import type { startSandbox } from '../../sandbox';
import type { Browser } from './browser';
import type { Client } from './client';
import type { N8n } from './n8n';
import type { ProfileName } from './profiles';

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** As given on the command line, for suites that can be run larger. */
export interface Size {
	runs?: number;
	rows?: number;
}

/** What a check may use. The sandbox and the browser start when they are first asked for. */
export interface World {
	host: HostName;
	/** The profile that n8n runs with, if one was asked for. */
	profile?: ProfileName;
	size: Size;
	n8n: N8n;
	api: Client;
	sandbox(): Promise<Sandbox>;
	browser(): Promise<Browser>;
}

/** The name says what must hold; a check fails by throwing. */
export type Checks = Record<string, () => Promise<void>>;

interface Prepared {
	env: Record<string, string>;
	tarballs?: string[];
	/** Of other processes of n8n, by their names: a failure may have its reason there. */
	logs?(): Record<string, string>;
	close(): Promise<void>;
}

export interface Suite {
	/** Settings of n8n that this suite needs beside the usual ones. */
	env?: Record<string, string>;
	/** What has to run before n8n does. n8n gets the package unless other tarballs are named, or none. */
	prepare?(host: HostName): Promise<Prepared>;
	/** They run in this order; a later check may build on an earlier one. */
	checks(world: World): Checks;
}

/** Some of a suite's checks, by their names. */
export function only(checks: Checks, names: string[]): Checks {
	const unknown = names.filter((name) => checks[name] === undefined);
	if (unknown.length > 0) throw new Error(`There is no check called ${unknown.join(' or ')}`);
	return Object.fromEntries(names.map((name) => [name, checks[name]]));
}
