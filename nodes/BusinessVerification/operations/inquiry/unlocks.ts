import type { Json } from '../../definition/service';

/** What the document's create rules say each field switches on. A source that is not enabled for the organisation does not run. */
const rules: Array<[string, (body: Json) => boolean]> = [
	['domain verification', ({ businessDomain }) => businessDomain !== undefined],
	['better Secretary of State and business matching', ({ businessEin }) => businessEin !== undefined],
	[
		'Secretary of State lookups and address verification',
		({ businessAddressLine1, businessZip }) => businessAddressLine1 !== undefined && businessZip !== undefined,
	],
	['phone verification', ({ businessPhone }) => businessPhone !== undefined],
	['email verification', ({ businessEmail }) => businessEmail !== undefined],
	['person-level searches', ({ principals }) => Array.isArray(principals) && principals.length > 0],
	[
		'extra background checks of principals',
		({ principals }) => Array.isArray(principals) && principals.some((principal: Json) => principal.dob !== undefined),
	],
	['license verification', ({ licenses }) => Array.isArray(licenses) && licenses.length > 0],
];

export const unlockedBy = (body: Json): string[] => rules.filter(([, applies]) => applies(body)).map(([check]) => check);
