import { licenseFields } from '../document';
import { form } from './form';

/** A license in the names of the document's add request. */
export const license = form(licenseFields, {
	licenseName: { description: 'Name that the license was issued to', placeholder: 'e.g. Acme Plumbing' },
	licenseId: { description: 'Number of the license', placeholder: 'e.g. PL-1234' },
	licenseState: { placeholder: 'e.g. IL' },
	licenseCategory: {
		description: 'Category of the license, as the service spells it',
		placeholder: 'e.g. plumbing',
	},
	licenseSubcategory: {
		description: 'Subcategory of the license, as the service spells it',
		placeholder: 'e.g. residential',
	},
});
