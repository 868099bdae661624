import { licenseFields } from '../document';
import { form } from './form';

/** A license in the names of the document's add request. */
export const license = form(licenseFields, {
	licenseName: { description: 'Name the license was issued to', placeholder: 'e.g. Acme Plumbing' },
	licenseId: { description: 'Number of the license', placeholder: 'e.g. PL-1234' },
	licenseState: { placeholder: 'e.g. IL' },
	licenseCategory: {
		description: "Category in the service's own words; its list of values is not published",
		placeholder: 'e.g. plumbing',
	},
	licenseSubcategory: { description: "Subcategory in the service's own words", placeholder: 'e.g. residential' },
});
