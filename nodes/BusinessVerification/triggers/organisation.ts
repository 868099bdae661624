import { createHash } from 'node:crypto';
import { routes } from '../document/routes';
import { Failure } from '../definition/failure';
import { at } from '../definition/route';
import type { Json } from '../definition/service';
import type { Sender } from '../engine/request';

export interface Owner {
	organisation: string;
	account: string;
}

const short = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

/**
 * Whose data a credential shows. A renewed key is another secret of the same organisation, so the service is asked, once
 * for each secret. Where it refuses to say, an organisation is known by its secret alone.
 */
export async function ownerOf({ exchange, settings, scope }: Sender, saved: Owner | undefined): Promise<Owner> {
	const account = short(scope);
	if (saved?.account === account) return { organisation: saved.organisation, account };
	const profile = await exchange({ ...at(routes.profile), kind: 'read' }).then(
		({ body }) => (body ?? {}) as { id?: unknown; lender?: Json | null },
		(error: unknown) => (isWithheld(error) ? undefined : Promise.reject(error)),
	);
	return { organisation: short(settings.baseUrl, profile?.lender?.id ?? profile?.id ?? account), account };
}

const isWithheld = (error: unknown) =>
	error instanceof Failure && [403, 404, 405, 501].includes(error.details.httpCode ?? 0);
