/** One batch as the node outputs it, simplified. */
export const batchExample = {
	batchName: 'March leads',
	status: 'RUNNING',
	donePercent: 82,
	total: 250,
	completed: 180,
	partialSuccess: 20,
	failed: 5,
	batchId: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
	createdAt: '2026-03-02T09:00:00Z',
	isFinal: false,
};
