/** What the API documentation requires of a new inquiry. */
export const acme = { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' };

/** Parameters of a create. The item brings the name, so that inquiries differ. */
export const newInquiry = { resource: 'inquiry', operation: 'create', ...acme, businessName: '={{ $json.name }}' };
