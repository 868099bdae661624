import { optional } from '../definition/field';
import { collection } from '../definition/groups';
import { choice, loaded, named } from '../definition/options';
import { healthcareSubcategories, licenseeCategories, verificationFields } from '../document/licenses';
import { form } from './form';

const picksPractitioner = {
	description: 'Recommended for healthcare without a license ID, to pick the right practitioner',
};

const all = form(verificationFields, {
	seller_id: { description: "The 'seller_id' of the Seller Report" },
	licensee_name: { placeholder: 'e.g. Acme Plumbing' },
	licensee_state: { placeholder: 'e.g. IL' },
	licensee_id: { description: 'Required for home services, recommended for healthcare', placeholder: 'e.g. PL-1234' },
	licensee_addr1: picksPractitioner,
	licensee_city: picksPractitioner,
	licensee_zip5: picksPractitioner,
});

/** A license of a seller, as it is submitted for verification. */
export const { seller_id, licensee_name, licensee_state } = all;
export const licensee_category = choice('Licensee Category', named(licenseeCategories), { default: 'homeServices' });
export const licensee_id = optional(all.licensee_id);
export const verificationDetails = collection('Additional Fields', {
	LenderId: loaded(all.LenderId.property.displayName, 'getLenders'),
	licensee_addr1: all.licensee_addr1,
	licensee_city: all.licensee_city,
	licensee_zip5: all.licensee_zip5,
	licensee_subcategory: choice(
		all.licensee_subcategory.property.displayName,
		named(healthcareSubcategories, {
			counseling_psychology_therapy: 'Counseling, Psychology, Therapy',
			dietary_nutrition: 'Dietary, Nutrition',
			pt_ot: 'Physical and Occupational Therapy',
			speech_language_hearing: 'Speech, Language, Hearing',
		}),
		{
			default: 'physicians',
			description:
				'Only licenses of this subcategory are verified; without it every license found is, each as an order of its own',
		},
	),
});
