/** The process record of the document as three operations output it. */
export const processExample = {
	id: '7a6b5c4d-3e2f-4a1b-9c8d-7e6f5a4b3c2d',
	taskId: 'license-verification-1',
	attemptNumber: 2,
	processType: 'LICENSE_VERIFICATION',
	status: 'PENDING',
	phase: 'ACQUISITION',
	isBackground: false,
	createdAt: '2026-03-02T10:00:00Z',
	inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
};
