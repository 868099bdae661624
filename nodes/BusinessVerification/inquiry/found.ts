import { at } from '../kit/operation';
import { Failure, type Json, type Question, type Service } from '../kit/service';
import type { CreatedInquiry } from '../document/answers';
import { largestPage } from '../document/vocabulary';
import { routes } from '../document/routes';
import { inquiryIdOf } from './record';
import { readInquiry } from './end';

/** The search also matches parts and other fields, so every match is compared: on so many pages, and by so many reads. */
const mostMatches = 20 * largestPage;
const mostReads = 200;

interface Wish {
	externalId: string;
	ifExists: 'create' | 'reuse' | 'stop';
	/** Seconds until an inquiry whose creation got no answer counts as not created when the search does not show it. */
	lookupGrace: number;
}

export interface Made {
	inquiry: CreatedInquiry;
	reused: boolean;
	/** Other inquiries that the service holds under this external ID. */
	namesakes: string[];
}

/**
 * Inside this process one item at a time decides about an external ID. What it made is remembered, and so is that an
 * outcome is unknown, because the list may show both late. Another process may decide at the same moment: nothing but a
 * look afterwards can tell.
 */
export async function createByExternalId(
	service: Service,
	question: Question<CreatedInquiry>,
	{ externalId, ifExists, lookupGrace }: Wish,
): Promise<Made> {
	const key = `externalId ${externalId}`;
	const look = async (): Promise<CreatedInquiry[]> => {
		const { inquiry, askedAt } = (service.recent.get(key) ?? {}) as { inquiry?: CreatedInquiry; askedAt?: number };
		if (inquiry !== undefined) return [await readAnew(service, inquiry)];
		if (askedAt !== undefined) await service.pause(askedAt + lookupGrace * 1000 - service.now());
		return await findByExternalId(service, externalId);
	};
	const made = (inquiry: CreatedInquiry): CreatedInquiry => {
		service.recent.set(key, { inquiry: brief(inquiry) });
		return inquiry;
	};
	const create = async (): Promise<Made> => {
		try {
			const inquiry = made(await service.send(question));
			// What is made is made, also where it cannot be looked at.
			const found = ifExists === 'create' ? [] : await findByExternalId(service, externalId).catch(() => []);
			return { inquiry, reused: false, namesakes: idsOf(found).filter((id) => id !== inquiry.id) };
		} catch (error) {
			if (!(error instanceof Failure) || error.details.submission !== 'unknown') return Promise.reject(error);
			service.recent.set(key, { askedAt: service.now() });
			// Nothing was there before, so what is there now is this one.
			const [inquiry, ...others] = ifExists === 'create' ? [] : await look().catch(() => []);
			if (inquiry === undefined) return Promise.reject(error);
			return { inquiry: made(inquiry), reused: false, namesakes: idsOf(others) };
		}
	};
	return await service.exclusive(key, async () => {
		// An earlier try of this execution made it: it is this item's own, and not one that existed.
		if (ifExists === 'create' || service.wasSent()) return await create();
		const [inquiry, ...others] = await look();
		if (inquiry === undefined) return await create();
		if (ifExists === 'reuse') return { inquiry, reused: true, namesakes: idsOf(others) };
		const ids = idsOf([inquiry, ...others]).join(', ');
		throw new Failure(`An inquiry with the external ID '${externalId}' exists: ${ids}`, {
			parameter: 'externalId',
			description: "Nothing was submitted. Choose another 'External ID', or 'Reuse the Inquiry'.",
		});
	});
}

const idsOf = (inquiries: readonly CreatedInquiry[]) => inquiries.map(({ id }) => id);

const brief = ({ id, status, externalId, createdAt }: CreatedInquiry) => ({ id, status, externalId, createdAt });

/** It may have ended since. What this process was told it made exists, also where a read does not show it yet. */
const readAnew = (service: Service, inquiry: CreatedInquiry): Promise<CreatedInquiry> =>
	service.send(readInquiry(inquiry.id)).catch(() => inquiry);

async function findByExternalId(service: Service, externalId: string): Promise<CreatedInquiry[]> {
	const query = { search: externalId };
	const matches = await service.list({ ...at(routes.inquiries), query, limit: mostMatches, idOf: inquiryIdOf });
	const found: CreatedInquiry[] = [];
	// List rows may be summaries: a null is believed only where some row tells an external ID.
	const tellsIds = matches.some((row) => (row.externalId ?? null) !== null);
	let reads = 0;
	for (const row of matches) {
		const id = inquiryIdOf(row);
		if (tellsIds && 'externalId' in row) {
			if (!isCalled(row, externalId)) continue;
			if (id === undefined) throw cannotTell(externalId, 'one is listed without an ID');
			found.push({ ...row, id });
		} else if (found.length === 0) {
			if (id === undefined || ++reads > mostReads) throw cannotTell(externalId, 'the list shows no external IDs');
			const inquiry = await service.send(readInquiry(id));
			if (isCalled(inquiry, externalId)) found.push({ ...inquiry, id });
		}
	}
	if (found.length === 0 && matches.length >= mostMatches) {
		throw cannotTell(externalId, `it matches ${mostMatches} inquiries or more`);
	}
	return found;
}

export const isCalled = (inquiry: Json, externalId: string): boolean => String(inquiry.externalId) === externalId;

const cannotTell = (externalId: string, why: string): Failure =>
	new Failure(`Whether an inquiry with the external ID '${externalId}' exists cannot be told: ${why}`, {
		parameter: 'externalId',
		description: "Nothing was submitted. Choose another 'External ID', or 'Create Anyway'.",
		cause: 'configuration-invalid',
	});
