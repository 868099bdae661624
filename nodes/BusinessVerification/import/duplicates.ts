import type { InquiryItem } from './rows';

/** Tells rows of one sheet that are the same business: by external ID, else by name, state and city. */
export class Duplicates {
	private readonly byExternalId = new Map<string, number>();
	private readonly byBusiness = new Map<string, number>();

	/** Remembers the row, or says which earlier one it repeats and by what. */
	see(item: InquiryItem, row: number): { row: number; field: 'externalId' | 'businessName' } | undefined {
		const { externalId } = item;
		const earlier =
			externalId === undefined
				? remember(this.byBusiness, businessKey(item), row)
				: // Exactly as written: the short IDs of some CRMs differ by case only.
					remember(this.byExternalId, externalId, row);
		return earlier === undefined
			? undefined
			: { row: earlier, field: externalId === undefined ? 'businessName' : 'externalId' };
	}
}

function remember(rows: Map<string, number>, key: string, row: number): number | undefined {
	const earlier = rows.get(key);
	if (earlier === undefined) rows.set(key, row);
	return earlier;
}

const businessKey = ({ businessName, businessDba, businessState, businessCity }: InquiryItem): string =>
	`${businessName ?? businessDba}\n${businessState}\n${businessCity}`.toLowerCase();
