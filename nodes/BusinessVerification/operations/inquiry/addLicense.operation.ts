import { collection } from '../../kit/collections';
import { operation } from '../../kit/operation';
import { present } from '../../kit/objects';
import { addedLicense } from '../../document/answers';
import { routes } from '../../document/routes';
import { extraBody, restartFields, sampleIds, submitAgain } from '../../fields/shared';
import { license } from '../../inquiry/inquiryForm';
import { addAndWait } from '../../inquiry/addition';

const { licenseSubcategory, ...required } = license;

export const addLicense = operation({
	name: 'Add License',
	action: 'Add license to inquiry',
	description: 'Add a license to an inquiry and verify it',
	endpoint: routes.addLicense,
	bills: 'one license verification',
	forModels: 'Adds a license to an inquiry and has it checked. For a license of a seller, use Verify license.',
	fields: restartFields(
		{ ...required, additionalFields: collection('Additional Fields', { licenseSubcategory }) },
		{ extraBody, submitAgain },
	),
	run: async (input, service, own) => {
		const { licenseName, licenseId, licenseState, licenseCategory, additionalFields, options } = input;
		const entered = { licenseName, licenseId, licenseState, licenseCategory };
		return await addAndWait(service, input, own, {
			body: present({ ...entered, ...additionalFields, ...options.extraBody }),
			answer: addedLicense,
			ifUnknown: 'Adding the same license again is safe: the service matches it by ID, state, and category.',
		});
	},
	example: {
		licenseName: 'Acme Plumbing',
		licenseId: 'PL-1234',
		licenseState: 'IL',
		licenseCategory: 'plumbing',
		licenseSubcategory: null,
		source: 'reported',
		inquiryId: sampleIds.inquiry,
	},
});
