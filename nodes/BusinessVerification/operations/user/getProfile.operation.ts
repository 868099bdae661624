import { operation } from '../../definition/operation';
import { profile } from '../../document/answers';
import { routes } from '../../document/routes';
import { sendingOptions } from '../../fields/requestOptions';

export const getProfile = operation({
	name: 'Get Profile',
	action: 'Get user profile',
	description: "Retrieve the profile of the credential's user, with lender and available lenders",
	endpoint: routes.profile,
	fields: { options: sendingOptions() },
	request: (_, own) => ({ ...own(), kind: 'read', answer: profile }),
	example: {
		input: {},
		output: {
			id: '5b0c3a94-0f4e-4a3c-9a3f-2d6a7c1e8b10',
			email: 'nathan@example.com',
			firstName: 'Nathan',
			lastName: 'Smith',
			dateJoined: '2026-01-12T08:00:00Z',
			complianceAcceptDate: '2026-01-12T08:05:00Z',
			lender: {
				id: '0a1f6d7e-3c52-4b8e-8a51-9b3d5c7e2f64',
				name: 'Example Lending',
				featureFlags: { exampleFlag: true },
				hasScorecardConfigs: false,
			},
			availableLenders: [],
			loginEmail: 'nathan@example.com',
			isTestProfile: true,
			canManageTestProfiles: false,
		},
	},
});
