import type { ResourceMapperFields } from 'n8n-workflow';
import { at, type Found, type Load, type Search } from '../kit/operation';
import { largestPage } from '../document/vocabulary';
import { lenderIn, profile } from '../document/answers';
import { routes } from '../document/routes';
import { labelOf, listTargets } from '../sheet/columns';

const pageSize = 50;
/** The document does not promise a business name in an inquiry, so a label is made of whatever tells it apart. */
const searchInquiries: Search = async (service, filter, offset) => {
	const query = { ...(filter ? { search: filter } : {}), limit: pageSize, offset };
	const rows = await service.rows(at(routes.inquiries).path, query);
	return {
		results: rows.map(({ id, externalId, businessName, businessDba, status, createdAt }) =>
			labelled(id, [externalId, businessName ?? businessDba, status, minute(createdAt)]),
		),
		...(rows.length === pageSize ? { next: offset + pageSize } : {}),
	};
};

const searchBatches: Search = async (service, filter, offset) => {
	// The batch list has no search: so many of them are looked through.
	const limit = filter ? largestPage : pageSize;
	const rows = await service.rows(at(routes.batches).path, { limit, offset });
	const results = rows.map((row) => labelled(row.batchId, [row.batchName, row.status, minute(row.createdAt)]));
	return {
		results: filter ? results.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) : results,
		...(rows.length === limit ? { next: offset + limit } : {}),
	};
};

const getLenders: Load = async (service) => {
	const { lender, availableLenders } = await service.send({ ...at(routes.profile), kind: 'read', answer: profile });
	const lenders = [lender, ...(Array.isArray(availableLenders) ? availableLenders : [])].map(lenderIn);
	const known = new Map(lenders.flatMap((one) => (one === undefined ? [] : [[one.id, String(one.name)]])));
	return [...known].map(([value, name]) => ({ name, value }));
};

/** Two principals and licenses can be mapped by hand, behind "Add field" at first; more of them come by header. */
const getImportColumns = (): Promise<ResourceMapperFields> =>
	Promise.resolve({
		fields: listTargets().map((target) => ({
			id: target.name,
			displayName: labelOf(target),
			// A field that is left empty is read from its header.
			required: false,
			removed: target.group !== 'inquiry',
			display: true,
			defaultMatch: false,
			canBeUsedToMatch: false,
			type: 'string',
		})),
	});

export const sheetColumns = { getImportColumns };

export const searches = { searchInquiries, searchBatches };
export const loads = { getLenders };

/** The last part of an ID tells apart what is called alike. */
function labelled(id: unknown, parts: unknown[]): Found {
	const value = String(id);
	const said = parts.filter((part) => typeof part === 'string' && part !== '');
	return { name: said.length > 0 ? [...said, `…${value.split('-').at(-1)}`].join(' · ') : value, value };
}

const minute = (moment: unknown) => (typeof moment === 'string' ? moment.slice(0, 16).replace('T', ' ') : undefined);
