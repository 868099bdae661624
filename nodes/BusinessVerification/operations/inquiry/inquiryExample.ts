/** One inquiry as the node outputs it, simplified: shown in the docs and as the editor's preview. */
export const inquiryExample = {
	businessName: 'Acme Trading LLC',
	status: 'COMPLETED',
	scorecardScore: 82,
	externalId: 'crm-4711',
	id: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
	createdAt: '2026-03-02T09:00:00Z',
	completedAt: '2026-03-02T09:04:10Z',
	businessesSummary: '1 business, 4.2 kB, 3 levels deep',
	isFinal: true,
};
