import type { Found, Load, Search } from '../definition/lookup';
import type { Json } from '../definition/service';

const pageSize = 50;
/** The batch list has no search: this many of them are looked through. */
const batchesSearched = 500;

/** The document does not promise a business name in an inquiry, so a label is made of whatever tells it apart. */
const searchInquiries: Search = async (service, filter, offset) => {
	const query = { ...(filter ? { search: filter } : {}), limit: pageSize, offset };
	const rows = await service.rows('/v1/inquiries/', query);
	return {
		results: rows.map((row) => labelled(row.id, [row.businessName ?? row.businessDba, row.externalId, row.status, day(row.createdAt)])),
		...(rows.length === pageSize ? { next: offset + pageSize } : {}),
	};
};

const searchBatches: Search = async (service, filter, offset) => {
	const limit = filter ? batchesSearched : pageSize;
	const rows = await service.rows('/v1/batch-inquiries/', { limit, offset });
	const results = rows.map((row) => labelled(row.batchId, [row.batchName, row.status, day(row.createdAt)]));
	return {
		results: filter ? results.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) : results,
		...(rows.length === limit ? { next: offset + limit } : {}),
	};
};

const getLenders: Load = async (service) => {
	const profile = (await service.send({ method: 'GET', path: '/v1/users/me', kind: 'read' })) as Json;
	const lenders = [profile.lender, ...((profile.availableLenders as unknown[] | undefined) ?? [])] as Array<Json | undefined>;
	const known = new Map(lenders.filter((lender) => lender?.id !== undefined).map((lender) => [String(lender?.id), String(lender?.name)]));
	return [...known].map(([value, name]) => ({ name, value }));
};

export const searches = { searchInquiries, searchBatches };
export const loads = { getLenders };

function labelled(id: unknown, parts: unknown[]): Found {
	const said = parts.filter((part) => typeof part === 'string' && part !== '');
	return { name: said.length > 0 ? said.join(' · ') : String(id), value: String(id) };
}

const day = (moment: unknown) => (typeof moment === 'string' ? moment.slice(0, 10) : undefined);

