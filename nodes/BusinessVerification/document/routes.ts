/** Every endpoint as the document prints it: method, path, and the IDs it is filled with. Stated here and nowhere else. */
export const routes = {
	inquiries: 'GET /v1/inquiries/',
	createInquiry: 'POST /v1/inquiries/',
	inquiry: 'GET /v1/inquiries/{inquiry_id}',
	addPrincipal: 'POST /v1/inquiries/{inquiry_id}/principals',
	addLicense: 'POST /v1/inquiries/{inquiry_id}/licenses',
	addFiling: 'POST /v1/inquiries/{inquiry_id}/filings',
	inquiryPdf: 'GET /v1/inquiries/{inquiry_id}/pdf',
	retryProcess: 'POST /v1/inquiries/{inquiry_id}/processes/{task_id}/retry',
	retryFailed: 'POST /v1/inquiries/{inquiry_id}/retry-failed',
	batches: 'GET /v1/batch-inquiries/',
	submitBatch: 'POST /v1/batch-inquiries/',
	batch: 'GET /v1/batch-inquiries/{batch_id}',
	batchInquiries: 'GET /v1/batch-inquiries/{batch_id}/inquiries',
	profile: 'GET /v1/users/me',
	acceptTerms: 'POST /v1/users/me/accept-inquiry-terms',
	apiKey: 'GET /v1/users/me/api-key',
	sellerSearch: 'POST /external/api/v1/seller-detailed',
	licenseVerification: 'GET /external/api/v1/license-verification',
} as const;

export type Route = (typeof routes)[keyof typeof routes];
