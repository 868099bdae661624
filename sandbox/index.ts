import type { AddressInfo } from 'node:net';
import type { Callbacks } from './callbacks';
import type { Clock } from './clock';
import type { Faults } from './faults';
import type { Ledger } from './ledger';
import type { Organization } from './organizations';
import type { RequestLog } from './requests';
import { Script } from './script';
import { createServer } from './server';
import { Service } from './service';
import type { Switches } from './switches';
import type { Tokens } from './tokens';

export type { Fault } from './faults';
export type { Submission, SubmissionKind } from './ledger';
export type { Organization } from './organizations';
export type { Switches, SwitchName } from './switches';

export interface SandboxOptions {
	/** 0, the default, takes a free one. */
	port?: number;
	switches?: Partial<Switches>;
	/** Parts of the default organization that must be known beforehand, such as its apiKey. */
	organization?: Partial<Organization>;
}

/** The running mock service. README.md shows a first use. */
export interface Sandbox {
	/** Without a slash at the end. */
	readonly url: string;
	/** The default organization; its key, token and client are good. */
	readonly organization: Organization;
	addOrganization(given?: Partial<Organization>): Organization;
	readonly switches: Switches;
	readonly faults: Faults;
	readonly ledger: Ledger;
	readonly requests: RequestLog;
	readonly clock: Clock;
	readonly tokens: Tokens;
	readonly inquiries: Script;
	readonly callbacks: Callbacks;
	/** As it was at the start, credentials included. */
	reset(): void;
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, switches, organization } = options;
	const service = new Service(switches, organization);
	const server = createServer(service);
	await server.listen({ port, host: '127.0.0.1' });
	const address = server.server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${address.port}`,
		organization: service.organizations.default,
		addOrganization: (given) => service.organizations.add(given),
		switches: service.switches,
		faults: service.faults,
		ledger: service.ledger,
		requests: service.requests,
		clock: service.clock,
		tokens: service.tokens,
		inquiries: new Script(service),
		callbacks: service.callbacks,
		reset: () => service.reset(),
		async close() {
			service.clock.stop();
			service.callbacks.stop();
			await server.close();
		},
	};
}
