/** The life of an inquiry: it is on its way until it has one of the three end statuses. */
export const activeStatuses = ['PLANNING', 'RUNNING', 'ENRICHING'] as const;
export const endStatuses = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'] as const;
export const inquiryStatuses = [...activeStatuses, ...endStatuses] as const;

const upper = (status: unknown) => String(status).toUpperCase();
const among = (statuses: readonly string[], status: unknown) => statuses.includes(upper(status));

/** A status the document does not list is not an end. */
export const isEnd = (status: unknown): boolean => among(endStatuses, status);
export const hasFailed = (status: unknown): boolean => upper(status) === endStatuses[2];
export const isKnownStatus = (status: unknown): boolean => among(inquiryStatuses, status);
