import { operation } from '../../kit/operation';
import { profile } from '../../document/answers';
import { routes } from '../../document/routes';

export const getProfile = operation({
	name: 'Get Profile',
	action: 'Get user profile',
	description: 'Retrieve the user, account, and lender that the credential belongs to',
	endpoint: routes.profile,
	forModels: 'Tells which user, account and lender the credential belongs to.',
	fields: {},
	run: async (_, service, own) => await service.send({ ...own(), kind: 'read', answer: profile }),
	example: {
		firstName: 'Nathan',
		lastName: 'Smith',
		email: 'nathan@example.com',
		lender: { id: '0a1f6d7e-3c52-4b8e-8a51-9b3d5c7e2f64', name: 'Example Lending' },
		isTestProfile: true,
		complianceAcceptDate: '2026-01-12T08:05:00Z',
		id: '5b0c3a94-0f4e-4a3c-9a3f-2d6a7c1e8b10',
		dateJoined: '2026-01-12T08:00:00Z',
	},
});
