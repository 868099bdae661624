import { text } from '../definition/field';

/** A license in the names of the document's add request. */
export const licenseFields = {
	licenseName: text('License Name', { description: 'Name the license was issued to' }),
	licenseId: text('License ID', { description: 'Number of the license' }),
	licenseState: text('License State', { placeholder: 'e.g. IL' }),
	licenseCategory: text('License Category', {
		description: "Category in the service's own words; its list of values is not published",
	}),
};

export const licenseSubcategory = text('License Subcategory', {
	description: "Subcategory in the service's own words",
});
