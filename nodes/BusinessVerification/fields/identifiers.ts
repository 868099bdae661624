import { locator, text } from '../definition';

/** As placeholders and examples show them. */
export const sampleIds = {
	inquiry: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
	batch: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
};

export const inquiryId = locator('Inquiry', 'searchInquiries', {
	description: 'Choose an inquiry, or enter its ID',
	placeholder: `e.g. ${sampleIds.inquiry}`,
});

export const batchId = locator('Batch', 'searchBatches', {
	description: 'Choose a batch, or enter its ID',
	placeholder: `e.g. ${sampleIds.batch}`,
});

export const taskId = text('Task ID', {
	description: "The 'taskId' of the process, not the ID of its record",
	placeholder: 'e.g. license-verification-1',
});

export const requestId = text('Request ID', {
	description: "The 'request_id' that the seller search returned",
	placeholder: 'e.g. req-1',
});
