import type { Columns, Found, Load, Search } from '../definition/lookup';
import type { Json } from '../definition/service';
import { listTargets } from '../import/targets';

const pageSize = 50;
/** The batch list has no search: this many of them are looked through. */
const batchesSearched = 500;

/** The document does not promise a business name in an inquiry, so a label is made of whatever tells it apart. */
const searchInquiries: Search = async (service, filter, offset) => {
	const query = { ...(filter ? { search: filter } : {}), limit: pageSize, offset };
	const rows = await service.rows('/v1/inquiries/', query);
	return {
		results: rows.map((row) =>
			labelled(row.id, [row.businessName ?? row.businessDba, row.externalId, row.status, day(row.createdAt)]),
		),
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
	const lenders = [profile.lender, ...((profile.availableLenders as unknown[] | undefined) ?? [])] as Array<
		Json | undefined
	>;
	const known = new Map(
		lenders.filter((lender) => lender?.id !== undefined).map((lender) => [String(lender?.id), String(lender?.name)]),
	);
	return [...known].map(([value, name]) => ({ name, value }));
};

/** The first principal and license are offered at once; more of them come by header. */
const getImportColumns: Columns = () =>
	listTargets(2, 2).map(({ name, group, number, field }) => ({
		id: name,
		displayName: group === 'inquiry' ? words(field.key) : `${words(group)} ${number}: ${words(field.key)}`,
		required: name === 'businessCity' || name === 'businessState',
		isExtra: group !== 'inquiry',
	}));

const acronyms = /\b(dba|ein|sos|id|npi|dob)\b/gi;

/** `businessCity` and `license_id` as people read them. */
function words(key: string): string {
	const spaced = key.replace(/_/g, ' ').replace(/([a-z])([A-Z0-9])/g, '$1 $2');
	const named = spaced.replace(acronyms, (word) => word.toUpperCase()).replace(/\bzip( 5)?\b/i, 'ZIP Code');
	return named.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());
}

export const columns = { getImportColumns };

export const searches = { searchInquiries, searchBatches };
export const loads = { getLenders };

function labelled(id: unknown, parts: unknown[]): Found {
	const said = parts.filter((part) => typeof part === 'string' && part !== '');
	return { name: said.length > 0 ? said.join(' · ') : String(id), value: String(id) };
}

const day = (moment: unknown) => (typeof moment === 'string' ? moment.slice(0, 10) : undefined);
