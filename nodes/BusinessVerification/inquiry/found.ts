import { at } from '../kit/operation';
import { Failure, type Json, type Question, type Service, tried } from '../kit/service';
import type { CreatedInquiry } from '../document/answers';
import { largestPage } from '../document/vocabulary';
import { routes } from '../document/routes';
import { externalIdOf, inquiryIdOf, inquiryIn } from './record';
import { orNone, readInquiry } from './completion';

/** The search also matches parts of IDs and other fields, so every match is compared, within these limits. */
const mostMatches = 20 * largestPage;
const mostReads = 200;

interface Wish {
	externalId: string;
	ifExists: 'create' | 'reuse' | 'stop';
	/** Seconds until an inquiry counts as not created if its request got no answer and the search does not find it. */
	lookUpWait: number;
}

export interface Made {
	inquiry: CreatedInquiry;
	reused: boolean;
	/** IDs of other inquiries with the same external ID. */
	namesakes: string[];
}

/**
 * Within this process, `service.exclusive` lets one item at a time check for an external ID and create. The created
 * inquiry, or the time of a request without an answer, is kept in `service.recent`, because the list may show an
 * inquiry late. Another process may create the same one at the same moment, so `createOnce` searches again.
 */
export async function createByExternalId(
	service: Service,
	question: Question<CreatedInquiry>,
	wish: Wish,
): Promise<Made> {
	const { externalId, ifExists } = wish;
	return await service.exclusive(recentKey(wish), async () => {
		// An inquiry made by an earlier try of this execution is this item's, not an existing one.
		const isNew = ifExists === 'create' || service.wasSent();
		const [existing, ...others] = isNew ? [] : await lookUp(service, wish);
		if (existing === undefined) return await createOnce(service, question, wish);
		if (ifExists === 'reuse') return { inquiry: existing, reused: true, namesakes: idsOf(others) };
		const ids = idsOf([existing, ...others]).join(', ');
		throw new Failure(`An inquiry with external ID '${externalId}' exists: ${ids}`, {
			parameter: 'externalId',
			description: "Nothing was submitted. Enter another 'External ID', or choose 'Reuse the Inquiry'.",
		});
	});
}

const recentKey = ({ externalId }: Wish) => `externalId ${externalId}`;

/** What this process created under the external ID, or what the search shows. */
async function lookUp(service: Service, wish: Wish, waits = true): Promise<CreatedInquiry[]> {
	const { inquiry, askedAt } = (service.recent.get(recentKey(wish)) ?? {}) as {
		inquiry?: CreatedInquiry;
		askedAt?: number;
	};
	if (inquiry !== undefined) return [await readAgain(service, inquiry)];
	if (askedAt !== undefined && waits) await service.pause(askedAt + wish.lookUpWait * 1000 - service.uptime());
	return await findByExternalId(service, wish.externalId);
}

async function createOnce(service: Service, question: Question<CreatedInquiry>, wish: Wish): Promise<Made> {
	const answer = await tried(service.send(question));
	if (answer instanceof Failure) return await findLost(service, wish, answer);
	// A failed search must not make a failure of an inquiry that was created and billed.
	const found = wish.ifExists === 'create' ? [] : await findByExternalId(service, wish.externalId).catch(() => []);
	return remembered(service, wish, answer, found);
}

/** None existed before, so an inquiry found now is the one whose answer was lost. */
async function findLost(service: Service, wish: Wish, failure: Failure): Promise<Made> {
	if (failure.details.submission !== 'unknown') throw failure;
	service.recent.set(recentKey(wish), { askedAt: service.uptime() });
	if (wish.ifExists === 'create') throw failure;
	// For an agent, this does not wait, because its client would give up. Its next call waits before it searches.
	const found = await lookUp(service, wish, service.intentions === undefined).catch(() => []);
	if (found.length === 0) throw failure;
	return remembered(service, wish, found[0], found);
}

function remembered(service: Service, wish: Wish, inquiry: CreatedInquiry, found: CreatedInquiry[]): Made {
	service.recent.set(recentKey(wish), { inquiry: brief(inquiry) });
	return { inquiry, reused: false, namesakes: idsOf(found).filter((id) => id !== inquiry.id) };
}

const idsOf = (inquiries: readonly CreatedInquiry[]) => inquiries.map(({ id }) => id);

const brief = ({ id, status, externalId, createdAt }: CreatedInquiry) => ({ id, status, externalId, createdAt });

/** Reads the inquiry as it is now. It may be too new to be shown. */
export const readAgain = (service: Service, inquiry: CreatedInquiry): Promise<CreatedInquiry> =>
	orNone(service.send(readInquiry(inquiry.id)), inquiry);

async function findByExternalId(service: Service, externalId: string): Promise<CreatedInquiry[]> {
	const query = { search: externalId };
	const rows = await service.list({ ...at(routes.inquiries), query, limit: mostMatches, idOf: inquiryIdOf });
	const matches = rows.map(inquiryIn);
	const found: CreatedInquiry[] = [];
	// A null in a row counts only if some row has an external ID, because rows may be summaries without it.
	const tellsIds = matches.some((match) => externalIdOf(match) !== undefined);
	let reads = 0;
	for (const match of matches) {
		const { id } = match;
		if (tellsIds && 'externalId' in match) {
			if (!isCalled(match, externalId)) continue;
			if (id === undefined) throw cannotTell(externalId, 'a listed inquiry has no ID');
			found.push({ ...match, id });
		} else if (found.length === 0) {
			if (id === undefined || ++reads > mostReads) throw cannotTell(externalId, 'the list shows no external IDs');
			const inquiry = inquiryIn(await service.send(readInquiry(id)));
			if (isCalled(inquiry, externalId)) found.push({ ...inquiry, id });
		}
	}
	if (found.length === 0 && matches.length >= mostMatches) {
		throw cannotTell(externalId, `it matches ${mostMatches} inquiries or more`);
	}
	return found;
}

export const isCalled = (inquiry: Json, externalId: string): boolean => externalIdOf(inquiry) === externalId;

const cannotTell = (externalId: string, why: string): Failure =>
	new Failure(`Could not check for an existing inquiry with external ID '${externalId}': ${why}`, {
		parameter: 'externalId',
		description:
			"Nothing was submitted. Search for it with 'Get Many'. 'Create Anyway' or another 'External ID' submits it, and bills it again if it exists.",
		cause: 'configuration-invalid',
	});
