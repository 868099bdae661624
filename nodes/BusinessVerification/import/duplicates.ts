import type { InquiryItem } from '../document';

type Field = 'externalId' | 'businessEin' | 'businessName' | 'businessDba';

/** Tells rows of one sheet that are the same business, by the most that each says of itself: its external ID, else its EIN, else its name and full address. */
export class Duplicates {
	private readonly rows = new Map<string, number>();

	/** Remembers the row, or says which earlier one it repeats and by what. */
	see(item: InquiryItem, row: number): { row: number; field: Field } | undefined {
		const { field, key } = whatTells(item);
		const earlier = this.rows.get(key);
		if (earlier !== undefined) return { row: earlier, field };
		this.rows.set(key, row);
		return undefined;
	}
}

export function repetition(field: Field, row: number): string {
	if (field === 'externalId') return `is the external ID of row ${row} too`;
	return field === 'businessEin'
		? `is the EIN of row ${row} too`
		: `is the business of row ${row} too: same name and address`;
}

function whatTells({ externalId, businessEin, businessName, businessDba, ...item }: InquiryItem) {
	// Exactly as written: the short IDs of some CRMs differ by case only.
	if (externalId !== undefined) return { field: 'externalId', key: `id ${externalId}` } as const;
	if (businessEin !== undefined) return { field: 'businessEin', key: `ein ${businessEin.replace(/\D/g, '')}` } as const;
	const parts = [businessName ?? businessDba, item.businessAddressLine1, item.businessAddressLine2];
	parts.push(item.businessCity, item.businessState, item.businessZip);
	const field = businessName === undefined ? 'businessDba' : 'businessName';
	return { field, key: `name ${parts.join('\n').toLowerCase()}` } as const;
}
