import type { InquiryItem } from '../document';

type By = 'externalId' | 'businessEin' | 'businessName';

/** Tells rows of one sheet that are the same business, by the most that each says of itself: its external ID, else its EIN, else its name and full address. */
export class Duplicates {
	private readonly rows = new Map<string, number>();

	/** Remembers the row, or says which earlier one it repeats and by what. */
	see(item: InquiryItem, row: number): { row: number; field: By } | undefined {
		const { field, key } = whatTells(item);
		const earlier = this.rows.get(key);
		if (earlier !== undefined) return { row: earlier, field };
		this.rows.set(key, row);
		return undefined;
	}
}

function whatTells({ externalId, businessEin, ...item }: InquiryItem): { field: By; key: string } {
	// Exactly as written: the short IDs of some CRMs differ by case only.
	if (externalId !== undefined) return { field: 'externalId', key: `id ${externalId}` };
	if (businessEin !== undefined) return { field: 'businessEin', key: `ein ${businessEin.replace(/\D/g, '')}` };
	const { businessName, businessDba, businessAddressLine1, businessAddressLine2 } = item;
	const parts = [businessName ?? businessDba, businessAddressLine1, businessAddressLine2];
	parts.push(item.businessCity, item.businessState, item.businessZip);
	return { field: 'businessName', key: `name ${parts.join('\n').toLowerCase()}` };
}
