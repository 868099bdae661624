import { operation } from '../../kit/operation';
import { lenderIn, profile } from '../../document/answers';
import { routes } from '../../document/routes';
import { outputs, inView, type View } from '../../fields/outputs';

const profileView: View = {
	id: 'id',
	raw: (record) => record,
	simplified: ({ lender, ...record }) => ({
		firstName: record.firstName,
		lastName: record.lastName,
		email: record.email,
		lenderName: lenderIn(lender)?.name,
		lenderId: lenderIn(lender)?.id,
		isTestProfile: record.isTestProfile,
		complianceAcceptDate: record.complianceAcceptDate,
		id: record.id,
		dateJoined: record.dateJoined,
	}),
};

export const getProfile = operation({
	name: 'Get Profile',
	action: 'Get user profile',
	description: 'Retrieve the user, account, and lender that the credential belongs to',
	endpoint: routes.profile,
	forModels: 'Tells which user, account and lender the credential belongs to.',
	fields: { ...outputs },
	run: async (input, service, own) => {
		const record = await service.send({ ...own(), kind: 'read', answer: profile });
		return inView([record], input, profileView)[0];
	},
	example: {
		firstName: 'Nathan',
		lastName: 'Smith',
		email: 'nathan@example.com',
		lenderName: 'Example Lending',
		lenderId: '0a1f6d7e-3c52-4b8e-8a51-9b3d5c7e2f64',
		isTestProfile: true,
		complianceAcceptDate: '2026-01-12T08:05:00Z',
		id: '5b0c3a94-0f4e-4a3c-9a3f-2d6a7c1e8b10',
		dateJoined: '2026-01-12T08:00:00Z',
	},
});
