import { Raw, type Endpoint } from '../endpoint';
import type { Organisation } from '../organisations';
import type { Service } from '../service';
import { timestamp, timestampOrNull } from '../timestamps';

function profile({ switches }: Service, organisation: Organisation) {
	const { user, id, name, featureFlags, hasScorecardConfigs, keyRecord } = organisation;
	return {
		id: user.id,
		email: user.email,
		firstName: user.firstName,
		lastName: user.lastName,
		dateJoined: timestamp(keyRecord.createdAt, switches.timestampForm),
		complianceAcceptDate: timestampOrNull(organisation.termsAcceptedAt, switches.timestampForm),
		lender: { id, name, featureFlags, hasScorecardConfigs },
		availableLenders: organisation.availableLenders,
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
		serve: (service, { organisation }) => profile(service, organisation),
	},
	{
		method: 'POST',
		path: '/v1/users/me/accept-inquiry-terms',
		authentication: 'inquiry',
		serve(service, { organisation }) {
			organisation.termsAcceptedAt = service.clock.now();
			service.record({
				kind: 'terms',
				id: organisation.user.id,
				organisationId: organisation.id,
				key: null,
				sources: [],
				count: 1,
			});
			switch (service.switches.termsResponse) {
				case 'message':
					return { message: 'Inquiry terms accepted' };
				case 'profile':
					return profile(service, organisation);
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
		serve({ switches }, { organisation }) {
			const { createdAt, expiresAt, ...record } = organisation.keyRecord;
			return {
				apiKey: organisation.apiKey,
				...record,
				expiresAt: timestamp(expiresAt, switches.timestampForm),
				createdAt: timestamp(createdAt, switches.timestampForm),
			};
		},
	},
];
