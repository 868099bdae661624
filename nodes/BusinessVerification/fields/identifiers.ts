import { locator, text } from '../definition';

export const inquiryId = locator('Inquiry', 'searchInquiries', {
	description: 'The inquiry to work on',
});

export const batchId = locator('Batch', 'searchBatches', {
	description: 'The batch to work on',
});

export const taskId = text('Task ID', {
	description: "The 'taskId' of the process, which is not its ID",
	placeholder: 'e.g. license-verification-1',
});

export const requestId = text('Request ID', {
	description: "The 'request_id' that the seller search returned",
	placeholder: 'e.g. 5b0c3a94-0f4e-4a3c-9a3f-2d6a7c1e8b10',
});
