import { fingerprint } from '../agents/calls';
import { at } from '../kit/operation';
import { few } from '../kit/objects';
import { Failure, type Json, type Question, type Service, tried } from '../kit/service';
import { type CreatedInquiry, defaultSort } from '../document/answers';
import { largestPage } from '../document/vocabulary';
import { routes } from '../document/routes';
import type { InquiryChoice } from '../fields/shared';
import { createdSaid, externalIdOf, inquiryIdOf, inquiryIn, namesIn, onOneLine } from './record';
import { orNone, readInquiry } from './completion';

/** The search also matches parts of IDs and other fields, so every match is compared, within these limits. */
const mostMatches = 20 * largestPage;
const mostReads = 200;

interface Wish {
	externalId: string;
	/** As entered, to see whether an existing inquiry is of the same business. Undefined if the ID is made of the data. */
	name?: string;
	ifExists: 'create' | 'reuse' | 'stop';
	/** Seconds until an inquiry counts as not created if its request got no answer and the search does not find it. */
	lookUpWait: number;
}

export interface Made {
	inquiry: CreatedInquiry;
	reused: boolean;
	/** IDs of other inquiries with the same external ID. */
	namesakes: string[];
	/** Whether the inquiry was submitted under the name that was entered. Undefined if nothing shows it. */
	isNamed: boolean | undefined;
}

/** What this process keeps for an external ID, because the list may show an inquiry late. */
interface Recent {
	inquiry?: CreatedInquiry;
	/** The name it was submitted with, hashed. */
	name?: string;
	/** When a request got no answer. */
	askedAt?: number;
}

/**
 * Within this process, `service.exclusive` lets one item at a time check for an external ID and create. The created
 * inquiry, or the time of a request without an answer, is kept in `service.recent`. Another process may create the same
 * one at the same moment, so `createOnce` searches again.
 */
export async function createByExternalId(
	service: Service,
	question: Question<CreatedInquiry>,
	wish: Wish,
): Promise<Made> {
	const { externalId, ifExists } = wish;
	return await service.exclusive(recentKey(externalId), async () => {
		// An inquiry made by an earlier try of this execution is this item's, not an existing one.
		const isNew = ifExists === 'create' || service.wasSent();
		const [existing, ...others] = isNew ? [] : await lookUp(service, wish);
		const open = isNew ? undefined : unconfirmedIn(service).get(externalId);
		// The list may show it later still, and then both would be billed.
		if (existing === undefined && open !== undefined) throw open;
		if (existing === undefined) return await createOnce(service, question, wish);
		if (ifExists === 'reuse') return await reused(service, wish, existing, others);
		const ids = idsOf([existing, ...others]).join(', ');
		throw new Failure(`An inquiry with external ID '${externalId}' exists: ${ids}`, {
			parameter: 'externalId',
			description: "Enter another 'External ID', or choose 'Reuse the Inquiry'.",
		});
	});
}

/** By external ID: writes of this run that got no answer. */
const unconfirmedIn = (service: Service) => service.ofRun(() => new Map<string, Failure>());

const recentKey = (externalId: string) => `externalId ${externalId}`;

const recentOf = (service: Service, externalId: string): Recent => service.recent.get(recentKey(externalId)) ?? {};

/** What this process created under the external ID, or what the search shows. */
async function lookUp(service: Service, wish: Wish, waits = true): Promise<CreatedInquiry[]> {
	const { inquiry, askedAt } = recentOf(service, wish.externalId);
	if (inquiry !== undefined) return [await readAgain(service, inquiry)];
	if (askedAt !== undefined && waits) await service.pause(askedAt + wish.lookUpWait * 1000 - service.uptime());
	return await findByExternalId(service, wish.externalId, 'externalId');
}

async function createOnce(service: Service, question: Question<CreatedInquiry>, wish: Wish): Promise<Made> {
	const answer = await tried(service.send(question));
	if (answer instanceof Failure) return await findLost(service, wish, answer);
	// A failed search must not make a failure of an inquiry that was created and billed.
	const found =
		wish.ifExists === 'create' ? [] : await findByExternalId(service, wish.externalId, 'externalId').catch(() => []);
	return created(service, wish, answer, found);
}

/** None existed before, so an inquiry found now is the one whose answer was lost, unless its name says otherwise. */
async function findLost(service: Service, wish: Wish, failure: Failure): Promise<Made> {
	const isConflict = failure.details.httpCode === 409;
	if (failure.details.submission === 'unknown') unconfirmedIn(service).set(wish.externalId, failure);
	if (failure.details.submission !== 'unknown' && !isConflict) throw failure;
	const { inquiry: ofAnother } = recentOf(service, wish.externalId);
	if (ofAnother === undefined && !isConflict)
		service.recent.set(recentKey(wish.externalId), { askedAt: service.uptime() });
	if (wish.ifExists === 'create') throw failure;
	// For an agent, this does not wait, because its client would give up. Its next call waits before it searches.
	const found = await lookUp(service, wish, service.intentions === undefined).catch(() => []);
	if (found.length === 0) throw failure;
	// Another item or process may have made it meanwhile. This one's, without an answer, may be billed beside it.
	const isOwn =
		ofAnother === undefined &&
		(wish.name === undefined || (await wasSubmittedAs(service, found[0], wish.name, {})) !== false);
	if (!isOwn) {
		if (!isConflict || wish.ifExists === 'stop') throw failure;
		return await reused(service, wish, found[0], found.slice(1));
	}
	service.found(found[0]);
	return created(service, wish, found[0], found);
}

function created(service: Service, wish: Wish, inquiry: CreatedInquiry, found: CreatedInquiry[]): Made {
	const name = wish.name && nameKey(wish.name);
	service.recent.set(recentKey(wish.externalId), { inquiry: brief(inquiry), name });
	return { inquiry, reused: false, namesakes: idsOf(found).filter((id) => id !== inquiry.id), isNamed: true };
}

async function reused(
	service: Service,
	{ externalId, name }: Wish,
	inquiry: CreatedInquiry,
	others: CreatedInquiry[],
): Promise<Made> {
	const isNamed = name === undefined || (await wasSubmittedAs(service, inquiry, name, recentOf(service, externalId)));
	return { inquiry, reused: true, namesakes: idsOf(others), isNamed };
}

/**
 * Two records of a user may share an external ID by mistake. The inquiry in the API documentation has no name, so unless
 * the service shows one, or this process made the inquiry, one search by the name tells.
 */
async function wasSubmittedAs(service: Service, inquiry: Json, name: string, recent: Recent) {
	const known = [...namesIn(inquiry).map(nameKey), recent.name];
	if (known.includes(nameKey(name))) return true;
	const request = { ...at(routes.inquiries), query: { search: name }, limit: largestPage, idOf: inquiryIdOf };
	const rows = await tried(service.list(request));
	if (rows instanceof Failure) return undefined;
	if (rows.some((row) => inquiryIdOf(row) === inquiry.id)) return true;
	return rows.length < largestPage ? false : undefined;
}

/** The same for other spellings, in case, blanks and punctuation. */
const nameKey = (businessName: string) => fingerprint({ businessName });

const idsOf = (inquiries: readonly CreatedInquiry[]) => inquiries.map(({ id }) => id);

const brief = ({ id, status, externalId, createdAt }: CreatedInquiry) => ({ id, status, externalId, createdAt });

/** Reads the inquiry as it is now. It may be too new to be shown. */
export const readAgain = (service: Service, inquiry: CreatedInquiry): Promise<CreatedInquiry> =>
	orNone(service.send(readInquiry(inquiry.id)), inquiry);

/**
 * The ID of the inquiry that a user chose. Of several with one external ID, a read takes the newest and says so, and an
 * addition, which is billed, is refused. Nothing is submitted here, so what this process has just created counts, too.
 */
export async function chosenId(service: Service, chosen: InquiryChoice, isBilled = false): Promise<string> {
	if ('id' in chosen) return chosen.id;
	const { externalId } = chosen;
	return await service.shared(recentKey(externalId), async () => {
		const { inquiry: made } = recentOf(service, externalId);
		const shown = await findByExternalId(service, externalId, 'inquiryId');
		const found = made === undefined || shown.some(({ id }) => id === made.id) ? shown : [made, ...shown];
		if (found.length === 0)
			throw new Failure(`No inquiry with external ID '${externalId}' was found`, {
				parameter: 'inquiryId',
				description:
					"External IDs are compared exactly. For an ID of the service, choose 'By ID'. If the business was never submitted, 'Inquiry: Create' submits it, which is billed.",
			});
		const [newest, ...others] = found.map(said);
		const several = `${found.length} inquiries have the external ID '${externalId}'`;
		if (others.length > 0 && isBilled)
			throw new Failure(`${several}: ${few([newest, ...others])}`, {
				parameter: 'inquiryId',
				description: "Choose 'By ID' and enter one of these IDs. The first is the newest.",
			});
		if (others.length > 0) service.remark(`${several}. The newest, ${newest}, was taken, not ${few(others)}.`);
		return found[0].id;
	});
}

/** Of several: the ID alone would not tell a person which one it is. */
const said = (inquiry: CreatedInquiry): string =>
	`${inquiry.id} (${[...namesIn(inquiry).slice(0, 1).map(onOneLine), createdSaid(inquiry)].join(', ')})`;

/** Newest first. Each match is read if rows show no external IDs. */
async function findByExternalId(service: Service, externalId: string, parameter: keyof typeof unsure) {
	const query = { ...defaultSort, search: externalId };
	const rows = await service.list({ ...at(routes.inquiries), query, limit: mostMatches, idOf: inquiryIdOf });
	const cannotTell = (why: string) =>
		new Failure(`Could not check for an existing inquiry with external ID '${externalId}': ${why}`, {
			parameter,
			description: unsure[parameter],
			cause: 'configuration-invalid',
		});
	const matches = rows.map(inquiryIn);
	const found: CreatedInquiry[] = [];
	// A null in a row counts only if some row has an external ID, because rows may be summaries without it.
	const tellsIds = matches.some((match) => externalIdOf(match) !== undefined);
	let reads = 0;
	for (const match of matches) {
		const { id } = match;
		const isTold = tellsIds && 'externalId' in match;
		if (isTold && !isCalled(match, externalId)) continue;
		if (id === undefined || (!isTold && ++reads > mostReads))
			throw cannotTell(isTold ? 'a listed inquiry has no ID' : 'the list shows no external IDs');
		const inquiry = isTold ? match : inquiryIn(await service.send(readInquiry(id)));
		if (isCalled(inquiry, externalId)) found.push({ ...inquiry, id });
	}
	if (found.length === 0 && matches.length >= mostMatches)
		throw cannotTell(`it matches ${mostMatches} inquiries or more`);
	return found;
}

export const isCalled = (inquiry: Json, externalId: string): boolean => externalIdOf(inquiry) === externalId;

/** By the parameter that has the external ID: what to do if the search cannot tell. */
const unsure = {
	externalId:
		"Search for it with 'Get Many'. 'Create Anyway' or another 'External ID' submits it, and bills it again if it exists.",
	inquiryId: "Search for it with 'Get Many', and enter its ID.",
};
