import type { INodeListSearchItems, ResourceMapperFields } from 'n8n-workflow';
import { at, type Load, type Search } from '../kit/operation';
import { largestPage } from '../document/vocabulary';
import { batchIdOf, lenderIn, profile } from '../document/answers';
import { inquiryIn } from '../inquiry/record';
import { routes } from '../document/routes';

const pageSize = 50;
/** Batches in which nobody has to scroll for a match. A service that ignores the offset shows the same page forever. */
const furthest = 5_000;

/** The label has several fields, because the API documentation does not promise a business name in an inquiry. */
const searchInquiries: Search = async (service, filter, position = '0') => {
	const offset = Number(position);
	const query = { ...(filter ? { search: filter } : {}), limit: pageSize, offset };
	const rows = await service.rows(at(routes.inquiries).path, query);
	return {
		results: rows
			.map(inquiryIn)
			.flatMap(({ id, externalId, businessName, businessDba, status, createdAt }) =>
				labelled(id, [externalId, businessName ?? businessDba, status, minute(createdAt)]),
			),
		paginationToken: rows.length === pageSize ? String(offset + pageSize) : undefined,
	};
};

const searchBatches: Search = async (service, filter, position = '0') => {
	const offset = Number(position);
	// The batch list has no search, so pages of the maximum size are filtered here.
	const limit = filter ? largestPage : pageSize;
	const rows = await service.rows(at(routes.batches).path, { limit, offset });
	const all = rows.flatMap((row) => labelled(batchIdOf(row), [row.batchName, row.status, minute(row.createdAt)]));
	const results = filter ? all.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) : all;
	const next = rows.length === limit ? String(offset + limit) : undefined;
	// The editor asks for more when a person scrolls, and an empty list cannot be scrolled.
	if (filter && results.length === 0 && next !== undefined && offset < furthest)
		return await searchBatches(service, filter, next);
	return { results, paginationToken: next };
};

const getLenders: Load = async (service) => {
	const { lender, availableLenders } = await service.send({ ...at(routes.profile), kind: 'read', answer: profile });
	const lenders = [lender, ...(Array.isArray(availableLenders) ? availableLenders : [])].map(lenderIn);
	const known = new Map(lenders.flatMap((one) => (one === undefined ? [] : [[one.id, String(one.name)]])));
	return [...known].map(([value, name]) => ({ name, value }));
};

/** Two principals and two licenses can be mapped manually. Others are read only with 'Read From Headers'. */
async function getImportColumns(): Promise<ResourceMapperFields> {
	const { labelOf, listTargets } = await import('../sheet/targets');
	return {
		fields: listTargets().map((target) => ({
			id: target.name,
			displayName: labelOf(target),
			// An empty field is matched by its header.
			required: false,
			removed: target.group !== 'inquiry',
			display: true,
			defaultMatch: false,
			canBeUsedToMatch: false,
			type: 'string',
		})),
	};
}

export const sheetColumns = { getImportColumns };

export const searches = { searchInquiries, searchBatches };
export const loads = { getLenders };

/**
 * The end of the ID is added, because several records may have the same name. A record without an ID is left out,
 * because it cannot be chosen.
 */
function labelled(id: unknown, parts: unknown[]): INodeListSearchItems[] {
	if (id === undefined || id === null) return [];
	const value = String(id);
	const shownParts = parts.filter((part) => typeof part === 'string' && part !== '');
	return [
		{
			name: shownParts.length > 0 ? [...shownParts, `…${value.split('-').at(-1)!.slice(-6)}`].join(' · ') : value,
			value,
		},
	];
}

const minute = (moment: unknown) => (typeof moment === 'string' ? moment.slice(0, 16).replace('T', ' ') : undefined);
