import type { Batch } from './batches';
import type { Inquiry } from './inquiries';
import type { Switches } from './switches';

/** How the service writes down what it was given and what it knows. */

const CUT = 40;

export function externalIdAs({ externalIdStored }: Switches, { externalId }: Inquiry): string | number | null {
	if (externalId === null || externalIdStored === 'dropped') return null;
	if (externalIdStored === 'upperCase') return externalId.toUpperCase();
	if (externalIdStored === 'cut') return externalId.slice(0, CUT);
	return externalIdStored === 'number' && /^\d+$/.test(externalId) ? Number(externalId) : externalId;
}

export function batchNameAs({ batchNameStored }: Switches, { name }: Pick<Batch, 'name'>): string | null {
	switch (batchNameStored) {
		case 'same':
			return name;
		case 'cut':
			return name.slice(0, CUT);
		case 'upperCase':
			return name.toUpperCase();
		case 'ascii':
			return name.replace(/[^ -~]/g, '');
		case 'stamped':
			return `${name} (2)`;
		case 'dropped':
			return null;
	}
}
