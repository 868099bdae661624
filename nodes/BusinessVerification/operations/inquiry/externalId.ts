import { Failure } from '../../definition/failure';
import { at } from '../../definition/route';
import type { Question, Service } from '../../definition/service';
import type { CreatedInquiry } from '../../document/answers';
import { routes } from '../../document/routes';
import { idOf } from './record';
import { readInquiry } from './watching';

/** More matches than this mean that the external ID is a common word; the look-up then gives up plainly. */
const candidates = 25;

/** Inside this process one item at a time decides about an external ID; what it made is remembered, because the list may show it late. */
export async function createUnlessKnown(
	service: Service,
	question: Question<CreatedInquiry>,
	externalId: string,
	ifExists: 'reuse' | 'stop',
): Promise<{ inquiry: CreatedInquiry; reused: boolean }> {
	const key = `externalId ${externalId}`;
	return await service.exclusive(key, async () => {
		// An earlier try of this execution made it: it is this item's own, and not one that existed.
		if (service.wasSent()) return { inquiry: await service.send(question), reused: false };
		const known = (await madeLately(service, key)) ?? (await findByExternalId(service, externalId));
		if (known !== undefined) {
			if (ifExists === 'reuse') return { inquiry: known, reused: true };
			throw new Failure(`An inquiry with the external ID '${externalId}' exists: ${known.id}`, {
				parameter: 'externalId',
				description: "Nothing was submitted. Choose another 'External ID', or 'Reuse the Inquiry'.",
			});
		}
		const inquiry = await service.send(question);
		service.recent.set(key, { id: inquiry.id });
		return { inquiry, reused: false };
	});
}

/** Read anew, for it may have ended, or be gone, since. */
async function madeLately(service: Service, key: string): Promise<CreatedInquiry | undefined> {
	const made = service.recent.get(key);
	if (made === undefined) return undefined;
	return await service.send(readInquiry(String(made.id))).catch(absentIfUnknown);
}

function absentIfUnknown(error: unknown): undefined {
	if (!(error instanceof Failure && error.details.httpCode === 404)) throw error;
}

/** The service's search also matches parts and other fields, so every match is compared. */
async function findByExternalId(service: Service, externalId: string): Promise<CreatedInquiry | undefined> {
	const rows = await service.list({
		...at(routes.inquiries),
		query: { search: externalId },
		limit: candidates,
		idOf,
	});
	for (const row of rows) {
		const id = idOf(row);
		if (id === undefined || ('externalId' in row && row.externalId !== externalId)) continue;
		// List rows may be summaries without the external ID.
		const inquiry: CreatedInquiry = 'externalId' in row ? { ...row, id } : await service.send(readInquiry(id));
		if (inquiry.externalId === externalId) return inquiry;
	}
	return undefined;
}
