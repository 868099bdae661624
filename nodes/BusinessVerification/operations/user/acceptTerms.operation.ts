import { Failure } from '../../kit/service';
import { flag } from '../../kit/field';
import { operation } from '../../kit/operation';
import { anything } from '../../document/answers';
import { routes } from '../../document/routes';

export const acceptTerms = operation({
	name: 'Accept Terms',
	action: 'Accept inquiry terms',
	description: 'Accept the inquiry terms for the user of the credential',
	endpoint: routes.acceptTerms,
	bills: 'free',
	notForTools: 'accepting terms is a decision for a person',
	fields: {
		confirm: flag(
			'I Accept the Inquiry Terms',
			'Whether to accept the terms for the user of the credential. When off, nothing is sent.',
		),
	},
	run: async ({ confirm }, service, own) => {
		if (!confirm) {
			throw new Failure("'I Accept the Inquiry Terms' is off, so nothing was sent", {
				parameter: 'confirm',
				description: 'Read the inquiry terms of the service, then turn it on.',
				cause: 'configuration-invalid',
			});
		}
		const answer = await service.send({
			...own(),
			kind: 'write',
			answer: anything,
			ifUnknown: "Read 'complianceAcceptDate' with the operation 'Get Profile'.",
		});
		// The API documentation does not show this response, so what comes is returned with a field that confirms it.
		return { accepted: true, ...answer };
	},
	exampleInput: { confirm: true },
	example: { accepted: true },
});
