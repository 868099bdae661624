/** What the document prints of the user profile. */
export const profileFields = [
	'id',
	'email',
	'firstName',
	'lastName',
	'dateJoined',
	'complianceAcceptDate',
	'lender',
	'availableLenders',
	'loginEmail',
	'isTestProfile',
	'canManageTestProfiles',
] as const;
