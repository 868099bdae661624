import type { ReportRules } from '../callback/sellerReport';
import { type Input, number, optionalText } from '../definition';

/** Where a Seller Report holds what, and how large it may be. */
export const reportOptions = {
	maxReportSize: number('Max Report Size (MB)', {
		default: 8,
		min: 0.1,
		description: "Larger reports are refused with status 413. n8n's own limit is 16 MB unless it was changed.",
	}),
	requestIdPath: optionalText('Request ID Path', {
		placeholder: 'e.g. data.request_id',
		description: "Path of the request ID in the report. If empty, 'request_id'.",
	}),
	sellerIdPath: optionalText('Seller ID Path', {
		placeholder: 'e.g. data.sellers.0.seller_id',
		description: "Path of the seller ID in the report. If empty, 'seller_id'.",
	}),
};

export const reportRules = ({
	maxReportSize,
	requestIdPath = '',
	sellerIdPath = '',
}: Input<typeof reportOptions>): ReportRules => ({
	maxBytes: maxReportSize * 1024 * 1024,
	requestIdPath,
	sellerIdPath,
});
