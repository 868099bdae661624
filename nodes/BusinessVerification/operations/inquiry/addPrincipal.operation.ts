import { optional, text } from '../../definition/field';
import { collection, jsonObject } from '../../definition/groups';
import { Failure } from '../../definition/failure';
import { operation } from '../../definition/operation';
import { present } from '../../definition/present';
import { without } from '../../definition/without';
import { inquiryId } from '../../fields/identifiers';
import { sendingOptions } from '../../fields/options';
import { principalFields } from '../../fields/principal';
import { inquiryWaitingOptions, waitForCompletion } from '../../fields/waiting';
import { addAndWait, inquiryPath } from './addition';

export const addPrincipal = operation({
	name: 'Add Principal',
	action: 'Add principal to inquiry',
	description: 'Add a principal to an inquiry and start the person-level searches for it, which may be billed',
	endpoint: 'POST /v1/inquiries/{inquiry_id}/principals',
	fields: {
		inquiryId,
		lastName: optional(
			text('Last Name', { description: "Needed unless 'Business Principal ID' is given", placeholder: 'e.g. Smith' }),
		),
		additionalFields: collection('Additional Fields', without(principalFields, 'lastName')),
		waitForCompletion,
		options: sendingOptions({
			...inquiryWaitingOptions,
			extraBody: jsonObject('Extra Body Fields', { description: 'JSON object with further fields for the service' }),
		}),
	},
	run: async (input, service) => {
		const { lastName, additionalFields, options } = input;
		if (lastName === undefined && additionalFields.businessPrincipalId === undefined) {
			throw new Failure("'Last Name' is required unless 'Business Principal ID' is given", { parameter: 'lastName' });
		}
		return await addAndWait(service, input, {
			method: 'POST',
			path: inquiryPath(input.inquiryId, 'principals'),
			body: present({ lastName, ...additionalFields, ...options.extraBody }),
			kind: 'write',
			ifUnknown: "Read the inquiry with 'Get' and look for the principal before you add it again.",
		});
	},
	example: {
		input: { inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d', lastName: 'Smith' },
		output: {
			id: '9d2f7c11-58a4-4f0b-8f6e-1c2b3a4d5e6f',
			lastName: 'Smith',
			status: 'PENDING',
			createdAt: '2026-03-02T10:00:00Z',
			inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
		},
	},
});
