import { choice, collection, guarding, loaded, named, optional, shown } from '../kit/field';
import { form } from './form';
import { healthcareSubcategories, licenseeCategories, verificationFields } from '../document/sellers';

const description = "Recommended for healthcare if 'License ID' is empty, to find the right person";

const all = form(verificationFields, {
	seller_id: { description: "The 'seller_id' of the Seller Report", placeholder: 'e.g. seller-1' },
	licensee_name: { placeholder: 'e.g. Acme Plumbing' },
	licensee_state: { placeholder: 'e.g. IL' },
	licensee_id: { description: 'Number of the license. Required for home services.', placeholder: 'e.g. PL-1234' },
	licensee_addr1: { description },
	licensee_city: { description },
	licensee_zip5: { description },
});

const [, healthcare] = licenseeCategories;

const subcategories = named(['', ...healthcareSubcategories], {
	'': 'All: Each License Found Is Billed',
	counseling_psychology_therapy: 'Counseling, Psychology, Therapy',
	dietary_nutrition: 'Dietary, Nutrition',
	pt_ot: 'Physical and Occupational Therapy',
	speech_language_hearing: 'Speech, Language, Hearing',
});

const { seller_id, licensee_name, licensee_state, licensee_addr1, licensee_city, licensee_zip5 } = all;

export const licenseVerification = {
	seller_id,
	licensee_name,
	licensee_state,
	licensee_category: choice(
		'Licensee Category',
		named(licenseeCategories),
		'Kind of license. Home services need a license ID.',
	),
	// n8n cannot mark a field as required for one category alone, so the operation refuses a blank one.
	licensee_id: optional(all.licensee_id),
	// Not under 'Additional Fields', because leaving it at 'All' may order several verifications.
	licensee_subcategory: shown(
		{ licensee_category: [healthcare] },
		choice(all.licensee_subcategory.property.displayName, subcategories, 'Verify only licenses of this subcategory'),
	),
	additionalFields: guarding(
		collection('Additional Fields', {
			licensee_addr1,
			licensee_city,
			licensee_zip5,
			LenderId: loaded(all.LenderId.property.displayName, 'getLenders'),
		}),
		// A blank lender would mean the profile's lender, so the order would go to the wrong one.
		([name]) => name === 'LenderId',
	),
};
