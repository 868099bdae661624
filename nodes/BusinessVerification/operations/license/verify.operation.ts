import { at, operation, sendingOptions } from '../../kit/operation';
import { Failure, type Service } from '../../kit/service';
import { present, without } from '../../kit/objects';
import { lenderIn, profile, verifications } from '../../document/answers';
import { routes } from '../../document/routes';
import { spendingLimit, submitAgain } from '../../fields/shared';
import { licenseVerification } from '../../fields/verification';
import { ifRefusedAccess } from '../../seller/search';
import { needsLicenseeId } from '../../document/sellers';

export const verify = operation({
	name: 'Verify',
	action: 'Verify license or check license of seller',
	description: "Verify a seller's license. Each run is a new, billed order.",
	endpoint: routes.licenseVerification,
	bills: 'one verification for each license',
	forModels:
		'Orders verification of a home services or healthcare license of a seller, known by the seller_id of its Seller Report. For a license of an inquiry, use Add license to inquiry.',
	asks: ['seller_id', 'licensee_name', 'licensee_state', 'licensee_category', 'licensee_id'],
	fields: { ...licenseVerification, options: sendingOptions({ spendingLimit, submitAgain }) },
	run: async (input, service, own) => {
		const { additionalFields, licensee_subcategory, ...licensee } = without(input, 'options');
		if (needsLicenseeId(licensee.licensee_category) && licensee.licensee_id === undefined) {
			throw new Failure("'License ID' is required for home services", { parameter: 'licensee_id' });
		}
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
		service.advise('Ordered: do not order it again.', 'Fields stay blank while the verification is in progress.');
		return payloads.length > 0 ? payloads : { payloads: 0 };
	},
	exampleInput: { licensee_category: 'homeServices', licensee_id: 'PL-1234' },
	example: { license_id: 'PL-1234', status: null },
});

const way =
	"If the service did not receive the fields, choose the other 'License Verification Request' in the credential.";

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
