import { digits, optional, text } from '../../definition/field';
import { collection } from '../../definition/groups';
import { choice, loaded } from '../../definition/options';
import { Failure } from '../../definition/failure';
import { operation } from '../../definition/operation';
import { present } from '../../definition/present';
import { rowsIn } from '../../definition/rows';
import type { Json, Request, Service, Settings } from '../../definition/service';
import { without } from '../../definition/without';
import { sendingOptions } from '../../fields/options';
import { subcategories } from './subcategories';

export const verify = operation({
	name: 'Verify',
	action: 'Verify license',
	description: 'Submit a license of a seller for verification, which may be billed; every run submits again',
	endpoint: 'GET /external/api/v1/license-verification',
	fields: {
		seller_id: text('Seller ID', { description: "The 'seller_id' of the Seller Report" }),
		licensee_name: text('Licensee Name', { placeholder: 'e.g. Acme Plumbing' }),
		licensee_state: text('Licensee State', { placeholder: 'e.g. IL' }),
		licensee_category: choice(
			'Licensee Category',
			[
				{ name: 'Healthcare', value: 'healthcare' },
				{ name: 'Home Services', value: 'homeServices' },
			],
			{ default: 'homeServices' },
		),
		licensee_id: optional(
			text('License ID', {
				description: 'Required for home services, recommended for healthcare',
				placeholder: 'e.g. PL-1234',
			}),
		),
		additionalFields: collection('Additional Fields', {
			LenderId: loaded('Lender', 'getLenders'),
			licensee_addr1: text('Address Line 1', {
				description: 'Recommended for healthcare without a license ID, to pick the right practitioner',
			}),
			licensee_city: text('City', {
				description: 'Recommended for healthcare without a license ID, to pick the right practitioner',
			}),
			licensee_subcategory: choice('Healthcare Subcategory', subcategories, {
				default: 'physicians',
				description:
					'Only licenses of this subcategory are verified; without it every license found is, each as an order of its own',
			}),
			licensee_zip5: digits('ZIP Code', 5, {
				description: 'Recommended for healthcare without a license ID, to pick the right practitioner',
			}),
		}),
		options: sendingOptions(),
	},
	run: async (input, service) => {
		const { additionalFields, ...licensee } = without(input, 'options');
		if (licensee.licensee_category === 'homeServices' && licensee.licensee_id === undefined) {
			throw new Failure("'License ID' is required for home services", { parameter: 'licensee_id' });
		}
		const { LenderId = await ownLender(service), licensee_subcategory, ...place } = additionalFields;
		const fields = { LenderId, ...licensee, ...place, [service.settings.licenseSubcategoryName]: licensee_subcategory };
		const payloads = rowsIn(await service.send(submission(fields, service.settings)), '');
		return payloads.length > 0 ? payloads : { payloads: 0 };
	},
	example: {
		input: {
			seller_id: 'seller-1',
			licensee_name: 'Acme Plumbing',
			licensee_state: 'IL',
			licensee_category: 'homeServices',
			licensee_id: 'PL-1234',
		},
		output: { license_id: 'PL-1234', status: null },
	},
});

/** Shown with method GET although it submits: the credential says how the fields travel. Sent once, whatever the method. */
function submission(fields: Json, { licenseRequest }: Settings): Request {
	const sent = present(fields);
	const common = {
		path: '/external/api/v1/license-verification',
		kind: 'write',
		ifUnknown: 'Ask the operator of the service whether the verification was ordered before you submit it again.',
	} as const;
	return licenseRequest === 'body'
		? { ...common, method: 'POST', body: sent }
		: { ...common, method: 'GET', query: sent };
}

async function ownLender(service: Service): Promise<string> {
	const profile = await service.shared('profile', () =>
		service.send({ method: 'GET', path: '/v1/users/me', kind: 'read' }),
	);
	const lender = (profile as { lender?: { id?: unknown } }).lender;
	if (typeof lender?.id === 'string') return lender.id;
	throw new Failure("The profile names no lender, so 'Lender' has to be chosen", {
		parameter: 'additionalFields.LenderId',
	});
}
