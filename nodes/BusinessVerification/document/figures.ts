/** The document's figures. */

/** Rows a page of any list may hold at most. */
export const largestPage = 500;
/** Inquiries in one batch request, unless the lender has another limit. */
export const batchRows = 250;
/** Seconds between two looks at something under way. */
export const pollingSeconds = 30;
