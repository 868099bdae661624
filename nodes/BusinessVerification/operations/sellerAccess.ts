/** The document does not show how the seller and license endpoints are authenticated: a refusal there is mostly that. */
const authentication =
	"These endpoints may want another credential than inquiries: see 'Seller and License Authentication' in the credential.";

export const ifRefusedAccess = { 401: authentication, 403: authentication };
