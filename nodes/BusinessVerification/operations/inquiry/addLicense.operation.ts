import { collection, jsonObject } from '../../definition/groups';
import { operation } from '../../definition/operation';
import { present } from '../../definition/present';
import { inquiryId } from '../../fields/identifiers';
import { licenseFields, licenseSubcategory } from '../../fields/license';
import { sendingOptions } from '../../fields/options';
import { inquiryWaitingOptions, waitForCompletion } from '../../fields/waiting';
import { addAndWait, inquiryPath } from './addition';

export const addLicense = operation({
	name: 'Add License',
	action: 'Add license to inquiry',
	description: 'Add a license to an inquiry and start its verification, which may be billed',
	endpoint: 'POST /v1/inquiries/{inquiry_id}/licenses',
	fields: {
		inquiryId,
		...licenseFields,
		additionalFields: collection('Additional Fields', { licenseSubcategory }),
		waitForCompletion,
		options: sendingOptions({
			...inquiryWaitingOptions,
			extraBody: jsonObject('Extra Body Fields', { description: 'JSON object with further fields for the service' }),
		}),
	},
	run: async (input, service) => {
		const { licenseName, licenseId, licenseState, licenseCategory, additionalFields, options } = input;
		return await addAndWait(service, input, {
			method: 'POST',
			path: inquiryPath(input.inquiryId, 'licenses'),
			body: present({
				licenseName,
				licenseId,
				licenseState,
				licenseCategory,
				...additionalFields,
				...options.extraBody,
			}),
			kind: 'write',
			ifUnknown: 'Adding the same license again is safe: the service knows it by its ID, state and category.',
		});
	},
	example: {
		input: {
			inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
			licenseName: 'Acme Plumbing',
			licenseId: 'PL-1234',
			licenseState: 'IL',
			licenseCategory: 'plumbing',
		},
		output: {
			licenseName: 'Acme Plumbing',
			licenseId: 'PL-1234',
			licenseState: 'IL',
			licenseCategory: 'plumbing',
			licenseSubcategory: null,
			source: 'reported',
			inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
		},
	},
});
