import { number, optional, text } from '../definition';

/** Where a Seller Report holds what, and how large it may be. */
export const reportOptions = {
	maxReportSize: number('Max Report Size (MB)', {
		default: 8,
		min: 0.1,
		description: "Larger reports are answered with status 413. n8n's own limit is 16 MB unless it was changed.",
	}),
	requestIdPath: optional(
		text('Request ID Path', {
			placeholder: 'e.g. data.request_id',
			description: "Where the report holds the request ID. If empty, 'request_id' at its top.",
		}),
	),
	sellerIdPath: optional(
		text('Seller ID Path', {
			placeholder: 'e.g. data.sellers.0.seller_id',
			description: "Where the report holds the seller ID. If empty, 'seller_id' at its top.",
		}),
	),
};

export const bytesOf = (megabytes: number): number => megabytes * 1024 * 1024;
