import { sampleIds } from '../fields/shared';

/** Sample outputs, for docs/ and the preview in the editor. */

/** Without a name, which the inquiry in the API documentation does not have. */
export const inquiryExample = {
	status: 'COMPLETED',
	scorecardScore: 82,
	summary: 'Inquiry crm-4711: COMPLETED, score 82. 1 business found: Acme Trading LLC.',
	externalId: 'crm-4711',
	isFinal: true,
	id: sampleIds.inquiry,
	createdAt: '2026-03-02T09:00:00Z',
	completedAt: '2026-03-02T09:04:10Z',
};

export const batchExample = {
	batchName: 'March leads',
	status: 'RUNNING',
	donePercent: 82,
	total: 250,
	completed: 180,
	partialSuccess: 20,
	failed: 5,
	batchId: sampleIds.batch,
	createdAt: '2026-03-02T09:00:00Z',
	isFinal: false,
};

export const processExample = {
	id: '7a6b5c4d-3e2f-4a1b-9c8d-7e6f5a4b3c2d',
	taskId: 'license-verification-1',
	attemptNumber: 2,
	processType: 'LICENSE_VERIFICATION',
	status: 'PENDING',
	phase: 'ACQUISITION',
	isBackground: false,
	createdAt: '2026-03-02T10:00:00Z',
	inquiryId: sampleIds.inquiry,
};
