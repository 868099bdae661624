import { guarding } from '../../kit/field';
import { at, operation, sendingOptions } from '../../kit/operation';
import { Failure, type Service } from '../../kit/service';
import { present, without } from '../../kit/objects';
import { lenderIn, profile, verifications } from '../../document/answers';
import { routes } from '../../document/routes';
import { spendingLimit, submitAgain } from '../../fields/shared';
import {
	licensee_category,
	licensee_id,
	licensee_name,
	licensee_state,
	seller_id,
	verificationDetails,
} from '../../fields/verification';
import { ifRefusedAccess } from '../../seller/search';
import { needsLicenseeId } from '../../document/sellers';

export const verify = operation({
	name: 'Verify',
	action: 'Verify license',
	description: 'Order the verification of the license of a seller, which may be billed. Every run orders again.',
	endpoint: routes.licenseVerification,
	bills: 'one verification for each license',
	forModels:
		'Orders verification of a home services or healthcare license of a seller, known by the seller_id of its Seller Report. For a license of an inquiry, use Add license to inquiry.',
	asks: ['seller_id', 'licensee_name', 'licensee_state', 'licensee_category', 'licensee_id'],
	fields: {
		seller_id,
		licensee_name,
		licensee_state,
		licensee_category,
		licensee_id,
		// A blank lender would be the profile's own, and get the order of another.
		additionalFields: guarding(verificationDetails, ([name]) => name === 'LenderId'),
		options: sendingOptions({ spendingLimit, submitAgain }),
	},
	run: async (input, service, own) => {
		const { additionalFields, ...licensee } = without(input, 'options');
		if (needsLicenseeId(licensee.licensee_category) && licensee.licensee_id === undefined) {
			throw new Failure("'License ID' is required for home services", { parameter: 'licensee_id' });
		}
		const { LenderId = await ownLender(service), licensee_subcategory, ...place } = additionalFields;
		const { licenseRequest, licenseSubcategoryName, listItemsField } = service.settings;
		const fields = present({
			LenderId,
			...licensee,
			...place,
			[licenseSubcategoryName]: licensee_subcategory || undefined,
		});
		const payloads = await service.send({
			...own(),
			// Shown with method GET although it submits: the credential says how the fields travel. Sent once, either way.
			...(licenseRequest === 'body' ? { method: 'POST', body: fields } : { query: fields }),
			kind: 'write',
			answer: verifications(listItemsField),
			ifRefused: { ...ifRefusedAccess, 400: way, 404: way, 405: way, 422: way },
			ifUnknown: 'Ask the operator of the service whether the verification was ordered before you submit it again.',
		});
		service.advise('Ordered: do not order it again.', 'Fields stay blank while the verification is in progress.');
		return payloads.length > 0 ? payloads : { payloads: 0 };
	},
	exampleInput: { licensee_category: 'homeServices', licensee_id: 'PL-1234' },
	example: { license_id: 'PL-1234', status: null },
});

const way = "If the fields did not arrive, choose the other 'License Verification Request' in the credential.";

async function ownLender(service: Service): Promise<string> {
	const question = { ...at(routes.profile), kind: 'read', answer: profile } as const;
	const { lender } = await service.shared('profile', () => service.send(question));
	const own = lenderIn(lender);
	if (own !== undefined) return own.id;
	throw new Failure("The profile names no lender, so 'Lender' has to be chosen", {
		parameter: 'additionalFields.LenderId',
		cause: 'configuration-invalid',
	});
}
