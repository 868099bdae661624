import { sellerSearchFields } from '../document';
import { form } from './form';

/** The seller search in the document's names, which are the names on the wire. */
export const { callback, name, address_line_1, city, state, zip5, ...sellerDetails } = form(sellerSearchFields, {
	name: { description: 'Name of the merchant', placeholder: 'e.g. Acme Trading LLC' },
	alt_name: { description: 'Another name of the merchant', placeholder: 'e.g. Acme Coffee' },
	zip4: { placeholder: 'e.g. 0042' },
	alt_phone: { placeholder: 'e.g. +1 555 010 0101' },
	dpc: { description: 'Sent as you enter it. The service does not explain this field.', placeholder: 'e.g. 01' },
	ein: { description: 'Employer identification number' },
	fax: { placeholder: 'e.g. +1 555 010 0102' },
	callback: {
		description:
			"Production URL of a 'Business Verification Seller Trigger', copied from its panel. The service must be able to reach it.",
		placeholder: 'e.g. https://n8n.example.com/webhook/report',
	},
});

export const sellerRequired = { name, address_line_1, city, state, zip5 };
