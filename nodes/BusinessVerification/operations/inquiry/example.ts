/** One inquiry as the node outputs it, simplified: shown in the docs and as the editor's preview. */
export const inquiryExample = {
	id: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
	status: 'COMPLETED',
	externalId: 'crm-4711',
	scorecardScore: 82,
	createdAt: '2026-03-02T09:00:00Z',
	completedAt: '2026-03-02T09:04:10Z',
	businessCount: 1,
	isFinal: true,
	statusKnown: true,
};
