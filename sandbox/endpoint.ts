import type { Organization } from './organizations';
import { Refusal } from './refusal';
import type { Service } from './service';
import type { Switches } from './switches';
import type { Shape } from './validation';

type Method = 'GET' | 'POST';

/** A request that may be served: it came from this organization, its query is right, its body has been read. */
export interface Call {
	organization: Organization;
	params: Record<string, string>;
	query: Record<string, string | undefined>;
	body: unknown;
	headers: Record<string, string | string[] | undefined>;
	/** Where the sandbox listens. */
	origin: string;
}

export interface Endpoint {
	method: Method;
	/** As printed in the document. */
	path: string;
	authentication: 'inquiry' | 'external' | 'none';
	/** Query names taken; none when not given. */
	query?: Shape | ((switches: Switches) => Shape);
	body?: 'json' | 'text' | ((switches: Switches) => 'json' | undefined);
	/** The switch that forms its answer; a write is what is paid for. */
	answers?: 'writeAnswer' | 'readAnswer';
	/** By what the switch listRefused calls it. */
	list?: Switches['listRefused'];
	serve(service: Service, call: Call): unknown;
}

/** An answer that is not JSON. */
export class Raw {
	constructor(
		readonly contentType: string,
		readonly payload: Buffer | string,
		readonly headers: Record<string, string> = {},
		readonly status = 200,
	) {}
}

/** Nothing says that a read finds at once what was written just now. */
export const readable = <T extends { createdAt: number }>({ clock, switches }: Service, found: T | undefined) =>
	found && found.createdAt + switches.readDelayMs > clock.now() ? undefined : found;

/** "Data is limited to the caller's organization": another's is not found, just like nothing at all. */
export function owned<T extends { organizationId: string }>(found: T | undefined, call: Call, what: string): T {
	if (!found || found.organizationId !== call.organization.id) {
		throw new Refusal(404, `There is no such ${what} in the caller's organization`);
	}
	return found;
}
