import type { InquiryItem } from '../document';

type Field = 'externalId' | 'businessEin' | 'businessName' | 'businessDba';

interface Repeated {
	row: number;
	field: Field;
}

/** Tells rows of one sheet that are the same business, by the most that each says of itself: its external ID, else its EIN, else its name and full address. */
export class Duplicates {
	private readonly byId = new Map<string, number>();
	private readonly byEin = new Map<string, number>();
	private readonly byName = new Map<string, number>();

	/** Remembers the row, or says which earlier one it repeats and by what. */
	see(item: InquiryItem, row: number): Repeated | undefined {
		const { externalId, businessEin, businessName, businessDba } = item;
		// Exactly as written: the short IDs of some CRMs differ by case only.
		if (externalId !== undefined) return seen(this.byId, externalId, row, 'externalId');
		if (businessEin !== undefined) return seen(this.byEin, businessEin.replace(/\D/g, ''), row, 'businessEin');
		const parts = [businessName ?? businessDba, item.businessAddressLine1, item.businessAddressLine2];
		parts.push(item.businessCity, item.businessState, item.businessZip);
		const field = businessName === undefined ? 'businessDba' : 'businessName';
		return seen(this.byName, parts.join('\n').toLowerCase(), row, field);
	}
}

function seen(rows: Map<string, number>, key: string, row: number, field: Field): Repeated | undefined {
	const earlier = rows.get(key);
	if (earlier !== undefined) return { row: earlier, field };
	rows.set(key, row);
	return undefined;
}

export function repetition(field: Field, row: number): string {
	if (field === 'externalId') return `is the external ID of row ${row} too`;
	return field === 'businessEin'
		? `is the EIN of row ${row} too`
		: `is the business of row ${row} too: same name and address`;
}
