import { Failure } from '../../definition/failure';
import type { Json, Request, Service } from '../../definition/service';
import { idOf } from './record';
import { readInquiry } from './watching';

/** More matches than this mean that the external ID is a common word; the look-up then gives up plainly. */
const candidates = 25;

/** Inside this process one item at a time decides about an external ID; what it made is remembered, because the list may show it late. */
export async function createUnlessKnown(
	service: Service,
	request: Request,
	externalId: string,
	ifExists: 'reuse' | 'stop',
): Promise<{ inquiry: Json; reused: boolean }> {
	const key = `externalId ${externalId}`;
	return await service.exclusive(key, async () => {
		// An earlier try of this execution made it: it is this item's own, and not one that existed.
		if (service.wasSent()) return { inquiry: (await service.send(request)) as Json, reused: false };
		const known = (await madeLately(service, key)) ?? (await findByExternalId(service, externalId));
		if (known !== undefined) {
			if (ifExists === 'reuse') return { inquiry: known, reused: true };
			throw new Failure(`An inquiry with the external ID '${externalId}' exists: ${String(known.id)}`, {
				parameter: 'externalId',
				description: "Nothing was submitted. Choose another 'External ID', or 'Reuse the Inquiry'.",
			});
		}
		const inquiry = (await service.send(request)) as Json;
		service.recent.set(key, { id: inquiry.id });
		return { inquiry, reused: false };
	});
}

/** Read anew, for it may have ended, or be gone, since. */
async function madeLately(service: Service, key: string): Promise<Json | undefined> {
	const made = service.recent.get(key);
	if (made === undefined) return undefined;
	return (await service.send(readInquiry(String(made.id))).catch(absentIfUnknown)) as Json | undefined;
}

function absentIfUnknown(error: unknown): undefined {
	if (!(error instanceof Failure && error.details.httpCode === 404)) throw error;
}

/** The service's search also matches parts and other fields, so every match is compared. */
async function findByExternalId(service: Service, externalId: string): Promise<Json | undefined> {
	const rows = await service.list({ path: '/v1/inquiries/', query: { search: externalId }, limit: candidates, idOf });
	for (const row of rows) {
		// List rows may be summaries without the external ID.
		const inquiry = 'externalId' in row ? row : ((await service.send(readInquiry(String(row.id)))) as Json);
		if (inquiry.externalId === externalId) return inquiry;
	}
	return undefined;
}
