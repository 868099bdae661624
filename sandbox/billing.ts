import type { Submitted } from './submission';

/** Sources named in "What the service does" and the create rules; billable ones run only when enabled. */
export const sources = [
	'publicReviews',
	'adverseMedia',
	'watchlists',
	'secretaryOfState',
	'addressVerification',
	'domainVerification',
	'phoneVerification',
	'emailVerification',
	'personSearch',
	'backgroundChecks',
	'licenseVerification',
	'businessLicensing',
	'professionalLicensing',
] as const;
export type Source = (typeof sources)[number];
export type Billable = Record<Source, boolean>;

// "commodity mail domains are skipped automatically" (create rule 2); which ones is not said.
const commodityMailDomains = ['gmail.com', 'yahoo.com', 'outlook.com', 'hotmail.com', 'aol.com', 'icloud.com'];

/** What create rules 2 to 7 switch on for one inquiry. */
export function inquirySources(submitted: Submitted, billable: Billable): Source[] {
	const domain = submitted.businessDomain?.toLowerCase().replace(/^www\./, '');
	const principals = submitted.principals ?? [];
	const wanted: Record<Source, boolean> = {
		publicReviews: true,
		adverseMedia: true,
		watchlists: true,
		// Rule 4: address line 1 "together with" the zip.
		secretaryOfState: Boolean(submitted.businessAddressLine1 && submitted.businessZip),
		addressVerification: Boolean(submitted.businessAddressLine1 && submitted.businessZip),
		domainVerification: domain !== undefined && !commodityMailDomains.includes(domain),
		phoneVerification: Boolean(submitted.businessPhone),
		emailVerification: Boolean(submitted.businessEmail),
		personSearch: principals.length > 0,
		// "a date of birth enables extra background checks"
		backgroundChecks: principals.some((principal) => Boolean(principal.dob)),
		licenseVerification: (submitted.licenses ?? []).length > 0,
		businessLicensing: false,
		professionalLicensing: false,
	};
	return enabled(
		sources.filter((source) => wanted[source]),
		billable,
	);
}

// Create rule 7: "A billable source that is not enabled for the organization does not run."
export const enabled = (wanted: Source[], billable: Billable): Source[] => wanted.filter((source) => billable[source]);
