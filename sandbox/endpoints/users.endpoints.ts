import { Raw, type Endpoint } from '../endpoint';
import type { Organization } from '../organizations';
import type { Service } from '../service';
import { timestamp, timestampOrNull } from '../timestamps';

function profile({ switches }: Service, organization: Organization) {
	const { user, id, name, featureFlags, hasScorecardConfigs, keyRecord } = organization;
	return {
		id: user.id,
		email: user.email,
		firstName: user.firstName,
		lastName: user.lastName,
		dateJoined: timestamp(keyRecord.createdAt, switches.timestampForm),
		complianceAcceptDate: timestampOrNull(organization.termsAcceptedAt, switches.timestampForm),
		lender: { id, name, featureFlags, hasScorecardConfigs },
		availableLenders: organization.availableLenders,
		loginEmail: user.email,
		isTestProfile: user.isTestProfile,
		canManageTestProfiles: false,
	};
}

/** "The users endpoints return the caller's profile, record acceptance of inquiry terms, and return the API key." */
export const userEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path: '/v1/users/me',
		authentication: 'inquiry',
		answers: 'readAnswer',
		serve: (service, { organization }) => profile(service, organization),
	},
	{
		method: 'POST',
		path: '/v1/users/me/accept-inquiry-terms',
		authentication: 'inquiry',
		serve(service, { organization }) {
			organization.termsAcceptedAt = service.clock.now();
			service.record({
				kind: 'terms',
				id: organization.user.id,
				organizationId: organization.id,
				key: null,
				count: 1,
			});
			switch (service.switches.termsResponse) {
				case 'message':
					return { message: 'Inquiry terms accepted' };
				case 'profile':
					return profile(service, organization);
				case 'empty':
					return new Raw('application/json; charset=utf-8', '');
			}
		},
	},
	{
		method: 'GET',
		path: '/v1/users/me/api-key',
		authentication: 'inquiry',
		answers: 'readAnswer',
		serve({ switches }, { organization }) {
			const { createdAt, expiresAt, ...record } = organization.keyRecord;
			return {
				apiKey: organization.apiKey,
				...record,
				expiresAt: timestamp(expiresAt, switches.timestampForm),
				createdAt: timestamp(createdAt, switches.timestampForm),
			};
		},
	},
];
