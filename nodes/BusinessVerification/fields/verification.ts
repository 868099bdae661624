import { choice, collection, loaded, named, optional, requiredWhere, shown } from '../kit/field';
import { form } from './form';
import { healthcareSubcategories, licenseeCategories, verificationFields } from '../document/sellers';

const description = "Recommended for healthcare if 'License ID' is empty, to find the right person";

const all = form(verificationFields, {
	seller_id: { description: "The 'seller_id' of the Seller Report", placeholder: 'e.g. seller-1' },
	licensee_name: { placeholder: 'e.g. Acme Plumbing' },
	licensee_state: { placeholder: 'e.g. IL' },
	licensee_id: { description: 'Number of the license', placeholder: 'e.g. PL-1234' },
	licensee_addr1: { description },
	licensee_city: { description },
	licensee_zip5: { description },
});

export const { seller_id, licensee_name, licensee_state } = all;
export const licensee_category = choice('Licensee Category', named(licenseeCategories));
const [homeServices, healthcare] = licenseeCategories;
export const licensee_id = requiredWhere(
	{ licensee_category: [homeServices] },
	{ licensee_category: [healthcare] },
	all.licensee_id,
);

const subcategories = named(['', ...healthcareSubcategories], {
	'': 'All: Each License Found Is Billed',
	counseling_psychology_therapy: 'Counseling, Psychology, Therapy',
	dietary_nutrition: 'Dietary, Nutrition',
	pt_ot: 'Physical and Occupational Therapy',
	speech_language_hearing: 'Speech, Language, Hearing',
});

/** Not under 'Additional Fields', because leaving it at 'All' may order several verifications. */
export const licensee_subcategory = shown(
	{ licensee_category: [healthcare] },
	choice(all.licensee_subcategory.property.displayName, subcategories, 'Verify only licenses of this subcategory'),
);

export const verificationDetails = collection('Additional Fields', {
	licensee_addr1: optional(all.licensee_addr1),
	licensee_city: optional(all.licensee_city),
	licensee_zip5: optional(all.licensee_zip5),
	LenderId: loaded(all.LenderId.property.displayName, 'getLenders'),
});
