const address = ['Name', 'Address Line 1', 'City', 'State', 'ZIP Code'];

/** What the editor marks of each panel as long as nothing is filled in. */
export const needed: Record<string, string[]> = {
	...{ businessVerificationTrigger: [], businessVerificationSellerTrigger: [], 'user.getProfile': [] },
	...{ 'inquiry.create': ['City', 'State'], 'inquiry.check': [], 'inquiry.get': ['Inquiry'], 'inquiry.getAll': [] },
	'inquiry.addFiling': ['Inquiry', 'Filing ID', 'Filing State'],
	'inquiry.addLicense': ['Inquiry', 'License Name', 'License ID', 'License State', 'License Category'],
	...{ 'inquiry.addPrincipal': ['Inquiry'], 'inquiry.retryProcess': ['Inquiry', 'Task ID'] },
	...{ 'batch.submit': ['Batch Name'], 'batch.get': ['Batch'], 'batch.getInquiries': ['Batch'], 'batch.getAll': [] },
	'license.verify': ['Seller ID', 'Licensee Name', 'Licensee State', 'License ID'],
	...{ 'sellerSearch.submit': [...address, 'Callback URL'], 'sellerSearch.submitAndWait': address },
	'sellerSearch.getResult': ['Request ID'],
};
