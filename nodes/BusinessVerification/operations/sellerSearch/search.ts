import { type Address, collection, type Json, optionalText, present, type Question } from '../../definition';
import { sellerSearch, type SellerSearch } from '../../document';
import { sellerDetails } from '../../fields/seller';
import { ifRefusedAccess } from '../sellerAccess';

/** What both operations offer below the fields of their own. */
export const additionalFields = collection('Additional Fields', sellerDetails);

export const ref = optionalText('Reference', {
	description:
		'Your own reference, such as the ID of a CRM record. It comes back with the report, and nobody can change it on the way.',
	placeholder: 'e.g. crm-4711',
});

export const searchRequest = (
	fields: Json,
	additionalFields: Json,
	extraBody: Json | undefined,
	callback: string,
	own: () => Address,
): Question<SellerSearch> => ({
	...own(),
	body: { ...fields, ...present(additionalFields), ...extraBody, callback },
	kind: 'write',
	answer: sellerSearch,
	ifRefused: ifRefusedAccess,
	ifUnknown: 'If it was processed, its report still arrives at the callback URL. Wait for it before you search again.',
});
