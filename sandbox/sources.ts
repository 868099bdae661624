import type { Submitted } from './submission';

// "commodity mail domains are skipped automatically" (create rule 2); which ones is not said.
const commodityMailDomains = ['gmail.com', 'yahoo.com', 'outlook.com', 'hotmail.com', 'aol.com', 'icloud.com'];

/** What create rules 2 to 6 switch on for one inquiry. The organization has all of them enabled, as rule 7 asks for. */
export function inquirySources(submitted: Submitted): string[] {
	const domain = submitted.businessDomain?.toLowerCase().replace(/^www\./, '');
	const principals = submitted.principals ?? [];
	const wanted: Record<string, boolean> = {
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
	};
	return Object.keys(wanted).filter((source) => wanted[source]);
}
