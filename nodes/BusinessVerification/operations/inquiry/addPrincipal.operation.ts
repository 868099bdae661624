import { explained, optional } from '../../kit/field';
import { collectionInOrder } from '../../kit/collections';
import { Failure, type Json } from '../../kit/service';
import { operation } from '../../kit/operation';
import { present } from '../../kit/objects';
import { isBlank } from '../../kit/value';
import { addedPrincipal } from '../../document/answers';
import { principalNames } from '../../document/inquiries';
import { routes } from '../../document/routes';
import { extraBody, restartFields, sampleIds, submitAgain } from '../../fields/shared';
import { principal } from '../../inquiry/inquiryForm';
import { addAndWait } from '../../inquiry/addition';

const { lastName: principalName, ...principalDetails } = principal;

interface Entered {
	lastName?: string;
	additionalFields: Json;
	options: { extraBody?: Json };
}

const sentBy = ({ lastName, additionalFields, options }: Entered): Json =>
	present({ lastName, ...additionalFields, ...options.extraBody });

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
			lastName: explained(optional(principalName), "Fill in this or 'Business Principal ID'"),
			additionalFields: collectionInOrder('Additional Fields', principalDetails),
		},
		{ extraBody, submitAgain },
	),
	check: (input) => {
		const body = sentBy(input);
		if (principalNames.added.every((key) => isBlank(body[key])))
			throw new Failure("Fill in 'Last Name' or 'Business Principal ID'", { parameter: 'lastName' });
	},
	run: async (input, service, own) =>
		await addAndWait(service, input, (inquiry) => ({
			...own(inquiry),
			body: sentBy(input),
			answer: addedPrincipal,
			ifUnknown: "Check the inquiry with 'Get' before you add the principal again.",
		})),
	exampleInput: { lastName: 'Smith' },
	example: {
		id: '9d2f7c11-58a4-4f0b-8f6e-1c2b3a4d5e6f',
		lastName: 'Smith',
		status: 'PENDING',
		createdAt: '2026-03-02T10:00:00Z',
		inquiryId: sampleIds.inquiry,
	},
});
