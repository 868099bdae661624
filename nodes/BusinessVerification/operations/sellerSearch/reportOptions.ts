import { number, text } from '../../definition/field';

/** What a report looks like where it does not look like the document's, and how large it may be. */
export const reportOptions = {
	maxReportSize: number('Max Report Size (MB)', {
		default: 8,
		min: 0.1,
		description: "Larger reports are answered with status 413. n8n's own limit is 16 MB unless it was changed.",
	}),
	requestIdPath: text('Request ID Path', {
		placeholder: 'e.g. data.request_id',
		description: "Where the report holds the request ID. When empty, 'request_id' at its top.",
	}),
	sellerIdPath: text('Seller ID Path', {
		placeholder: 'e.g. data.sellers.0.seller_id',
		description: "Where the report holds the seller ID. When empty, 'seller_id' at its top.",
	}),
};
