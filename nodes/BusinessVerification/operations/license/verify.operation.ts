import { choice, fieldOf, guarding, named, optional, shown } from '../../kit/field';
import { collection } from '../../kit/collections';
import { at, operation, sendingOptions } from '../../kit/operation';
import { isBlank } from '../../kit/value';
import { Failure, type Service } from '../../kit/service';
import { present, without } from '../../kit/objects';
import { lenderIn, profile, verifications } from '../../document/answers';
import { routes } from '../../document/routes';
import { spendingLimit, submitAgain } from '../../fields/shared';
import { form } from '../../fields/form';
import { ifRefusedAccess } from '../../seller/search';
import {
	healthcareSubcategories,
	licenseeCategories,
	needsLicenseeId,
	verificationFields,
} from '../../document/sellers';

const findsPerson = "Recommended for healthcare if 'License ID' is empty, to find the right person";

const documented = form(verificationFields, {
	seller_id: {
		description: "The 'sellerId' of a seller search: 'seller_id' in its report",
		placeholder: 'e.g. seller-1',
	},
	licensee_name: { description: 'Name that the license was issued to', placeholder: 'e.g. Acme Plumbing' },
	licensee_state: { description: 'State that issued the license', placeholder: 'e.g. IL' },
	licensee_id: { description: 'Number of the license. Required for home services.', placeholder: 'e.g. PL-1234' },
	licensee_addr1: { description: findsPerson },
	licensee_city: { description: findsPerson },
	licensee_zip5: { description: findsPerson },
});

const [, healthcare] = licenseeCategories;

const subcategories = {
	'': ['All', 'Each license found is verified and billed'],
	...named(healthcareSubcategories, { pt_ot: 'Physical and Occupational Therapy' }),
} as const;

const { seller_id, licensee_name, licensee_state, licensee_addr1, licensee_city, licensee_zip5 } = documented;

const category = choice(
	'Licensee Category',
	named(licenseeCategories),
	'Kind of license. Home services need a license ID.',
);

const licenseVerification = {
	seller_id,
	licensee_name,
	licensee_state,
	// A blank one, also from a model, would be the first, and another license ordered.
	licensee_category: {
		...category,
		read: (value, report) => (isBlank(value) ? report('is required') : category.read(value, report)),
	} satisfies typeof category,
	// n8n cannot mark a field as required for one category alone, so the operation refuses a blank one. For healthcare,
	// an expression that finds none would order each license of whoever matches.
	licensee_id: guarding(optional(documented.licensee_id)),
	// Not under 'Additional Fields', because leaving it at 'All' may order several verifications, and so would a blank one.
	licensee_subcategory: guarding(
		shown(
			{ licensee_category: [healthcare] },
			choice(
				documented.licensee_subcategory.property.displayName,
				subcategories,
				'Verify only licenses of this subcategory',
			),
		),
	),
	additionalFields: guarding(
		collection('Additional Fields', {
			licensee_addr1,
			licensee_city,
			licensee_zip5,
			// n8n's guidelines prescribe the label and the description of a list that the service fills.
			LenderId: fieldOf('options', `${documented.LenderId.property.displayName} Name or ID`, documented.LenderId.read, {
				typeOptions: { loadOptionsMethod: 'getLenders' },
				description:
					'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			}),
		}),
		// A blank lender would mean the profile's lender, so the order would go to the wrong one.
		([name]) => name === 'LenderId',
	),
};

export const verify = operation({
	name: 'Verify',
	action: 'Verify license of seller',
	description:
		"Order the verification of a seller's license. Each run is a new, billed order. Fields are blank while it is in progress.",
	endpoint: routes.licenseVerification,
	bills: 'one verification for each license',
	forModels:
		'Orders verification of a home services or healthcare license of a seller, known by the seller_id of its Seller Report. For a license of an inquiry, use Add license to inquiry.',
	asks: ['seller_id', 'licensee_name', 'licensee_state', 'licensee_category', 'licensee_id'],
	fields: { ...licenseVerification, options: sendingOptions({ spendingLimit, submitAgain }) },
	check: ({ licensee_category, licensee_id }) => {
		if (needsLicenseeId(licensee_category) && licensee_id === undefined)
			throw new Failure("'License ID' is required for home services", { parameter: 'licensee_id' });
	},
	run: async (input, service, own) => {
		const { additionalFields, licensee_subcategory, ...licensee } = without(input, 'options');
		const { LenderId = await ownLender(service), ...address } = additionalFields;
		const { licenseRequest, licenseSubcategoryName, listItemsField } = service.settings;
		const fields = present({
			LenderId,
			...licensee,
			...address,
			[licenseSubcategoryName]: licensee_subcategory || undefined,
		});
		const payloads = await service.send({
			...own(),
			// A write although the API documentation shows GET: it submits. The credential sets the method.
			...(licenseRequest === 'body' ? { method: 'POST', body: fields } : { query: fields }),
			kind: 'write',
			answer: verifications(listItemsField),
			ifRefused: { ...ifRefusedAccess, 400: way, 404: way, 405: way, 422: way },
			ifUnknown: 'Ask your service provider whether the verification was ordered before you submit it again.',
		});
		if (payloads.length === 0) {
			service.remark('The service named no license. Check the name, the state, the address and the subcategory.');
			service.advise('The service named no license: the user checks the name, the state and the address.');
			return { payloads: 0 };
		}
		service.remark(
			'Ordered. Fields are blank while the verification is in progress. Ask your service provider how to get the result: another run is another order.',
		);
		service.advise('Ordered: do not order it again.', 'Fields stay blank while the verification is in progress.');
		return payloads;
	},
	exampleInput: { licensee_category: 'homeServices', licensee_id: 'PL-1234' },
	example: { license_id: 'PL-1234', status: null },
});

const way =
	"If the service did not receive the fields, choose the other 'License Verification Request' under 'Deployment Settings' in the credential.";

async function ownLender(service: Service): Promise<string> {
	const question = { ...at(routes.profile), kind: 'read', answer: profile } as const;
	const { lender } = await service.shared('profile', () => service.send(question));
	const own = lenderIn(lender);
	if (own !== undefined) return own.id;
	throw new Failure("The user profile has no lender. Choose one in 'Lender'", {
		parameter: 'additionalFields.LenderId',
		cause: 'configuration-invalid',
	});
}
