import { optional, withHelp } from '../../kit/field';
import { collectionInOrder } from '../../kit/collections';
import { operation } from '../../kit/operation';
import { present } from '../../kit/objects';
import { addedPrincipal } from '../../document/answers';
import { routes } from '../../document/routes';
import { extraBody, restartFields, sampleIds, submitAgain } from '../../fields/shared';
import { principal } from '../../inquiry/inquiryForm';
import { addAndWait } from '../../inquiry/addition';

const { lastName: principalName, ...principalDetails } = principal;

export const addPrincipal = operation({
	name: 'Add Principal',
	action: 'Add principal to inquiry',
	description: 'Add a person to an inquiry and run the person-level searches',
	endpoint: routes.addPrincipal,
	bills: 'the searches for one person',
	forModels: 'Adds an owner, officer or other person to an inquiry and searches for them.',
	asks: ['inquiryId', 'lastName', 'additionalFields.firstName', 'additionalFields.dob', 'additionalFields.email'],
	fields: restartFields(
		{
			lastName: {
				...withHelp(optional(principalName), {
					description: 'Without it, a Business Principal ID is needed',
					hint: "Fill in this or 'Business Principal ID', among the additional fields",
				}),
				substitute: { path: 'additionalFields.businessPrincipalId', else: 'or a Business Principal ID is required' },
			},
			additionalFields: collectionInOrder('Additional Fields', principalDetails),
		},
		{ extraBody, submitAgain },
	),
	run: async (input, service, own) => {
		const { lastName, additionalFields, options } = input;
		return await addAndWait(service, input, own, {
			body: present({ lastName, ...additionalFields, ...options.extraBody }),
			answer: addedPrincipal,
		});
	},
	exampleInput: { lastName: 'Smith' },
	example: {
		id: '9d2f7c11-58a4-4f0b-8f6e-1c2b3a4d5e6f',
		lastName: 'Smith',
		status: 'PENDING',
		createdAt: '2026-03-02T10:00:00Z',
		inquiryId: sampleIds.inquiry,
	},
});
