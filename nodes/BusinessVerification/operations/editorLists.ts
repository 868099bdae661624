import type { INodeListSearchItems, ResourceMapperFields } from 'n8n-workflow';
import { at, type Load, type Search } from '../kit/operation';
import { largestPage } from '../document/vocabulary';
import { batchIdOf, lenderIn, profile } from '../document/answers';
import { createdSaid, inquiryIn, namesIn } from '../inquiry/record';
import { routes } from '../document/routes';

const pageSize = 50;

/** The label has several fields, because the API documentation does not promise a business name in an inquiry. */
const searchInquiries: Search = async (service, filter, position = '0') => {
	const offset = Number(position);
	const query = { ...(filter ? { search: filter } : {}), limit: pageSize, offset };
	const rows = await service.rows(at(routes.inquiries).path, query);
	return {
		results: rows.map(inquiryIn).flatMap((inquiry) => {
			const { id, externalId, status } = inquiry;
			return labelled(id, [externalId, namesIn(inquiry)[0], status, createdSaid(inquiry)]);
		}),
		paginationToken: rows.length === pageSize ? String(offset + pageSize) : undefined,
	};
};

const searchBatches: Search = async (service, filter, position = '0') => {
	const offset = Number(position);
	// The batch list has no search, so pages of the maximum size are filtered here.
	const limit = filter ? largestPage : pageSize;
	const rows = await service.rows(at(routes.batches).path, { limit, offset });
	const all = rows.flatMap((row) => labelled(batchIdOf(row), [row.batchName, row.status, createdSaid(row)]));
	const results = filter ? all.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) : all;
	return { results, paginationToken: rows.length === limit ? String(offset + limit) : undefined };
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

/** With the ID, because several records may have the same name. One without an ID is left out: it cannot be chosen. */
function labelled(id: unknown, parts: unknown[]): INodeListSearchItems[] {
	if (id === undefined || id === null) return [];
	const said = [...parts, String(id)].filter((part) => typeof part === 'string' && part !== '');
	return [{ name: said.join(' · '), value: String(id) }];
}
