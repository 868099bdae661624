/** Parameters of a seller search with what the API documentation requires. */
export const newSearch = {
	resource: 'sellerSearch',
	operation: 'submit',
	name: 'Acme',
	address_line_1: '1 Main Street',
	city: 'Springfield',
	state: 'IL',
	zip5: '62701',
	callback: 'https://example.com/reports',
};
