import { locator, text } from '../definition';

export const inquiryId = locator('Inquiry', 'searchInquiries', {
	description: 'Choose an inquiry, or enter its ID',
});

export const batchId = locator('Batch', 'searchBatches', {
	description: 'Choose a batch, or enter its ID',
});

export const taskId = text('Task ID', {
	description: "The 'taskId' of the process, not the ID of its record",
	placeholder: 'e.g. license-verification-1',
});

export const requestId = text('Request ID', {
	description: "The 'request_id' that the seller search returned",
	placeholder: 'e.g. 5b0c3a94-0f4e-4a3c-9a3f-2d6a7c1e8b10',
});
