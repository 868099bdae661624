import { Failure } from '../../kit/service';
import { flag } from '../../kit/field';
import { operation } from '../../kit/operation';
import { anything } from '../../document/answers';
import { routes } from '../../document/routes';

export const acceptTerms = operation({
	name: 'Accept Terms',
	action: 'Accept inquiry terms',
	description: 'Record that the user of the credential accepts the inquiry terms',
	endpoint: routes.acceptTerms,
	notForTools: 'accepting terms is a decision for a person',
	fields: {
		confirm: flag(
			'I Accept the Inquiry Terms',
			'Whether you accept the terms for the user of the credential. While this is off, nothing is sent.',
		),
	},
	request: ({ confirm }, own) => {
		if (!confirm) {
			throw new Failure("'I Accept the Inquiry Terms' is off, so nothing was sent", {
				parameter: 'confirm',
				description: 'Read the inquiry terms of the service, then turn the switch on.',
				cause: 'configuration-invalid',
			});
		}
		return {
			...own(),
			kind: 'write',
			answer: anything,
			ifUnknown: "Read 'complianceAcceptDate' with the operation 'Get Profile'.",
		};
	},
	// The document does not show this answer: whatever comes is passed on beside our own word that it was accepted.
	result: (answer) => ({ accepted: true, ...answer }),
	exampleInput: { confirm: true },
	example: { accepted: true },
});
