import { z } from 'zod';
import { rowsIn } from './listing';

/**
 * What is needed of each answer. Everything else in it passes through unread: the document leaves many shapes open, and
 * a service may say more than it shows.
 */

/** A UUID where the document shows one; services have numbered their records before. */
const id = z.union([z.string().trim().min(1), z.number()]).transform(String);

/** What was made is known by its ID; all else about it can be read. */
export const createdInquiry = z.object({ id }).passthrough();
export const inquiry = z.object({ id, status: z.string() }).passthrough();
export const principal = z.object({ id }).passthrough();
export const license = z.object({ licenseId: id }).passthrough();
export const processRecord = z.object({ id }).passthrough();
export const submittedBatch = z.object({ batchId: id }).passthrough();
export const batch = z.object({ batchId: id }).passthrough();
export const profile = z.object({ id }).passthrough();
export const apiKeyRecord = z.object({ apiKey: z.string() }).passthrough();
export const sellerSearch = z.object({ request_id: id }).passthrough();
/** A search whose report comes by the callback URL alone: the ID is for asking. */
export const acceptedSearch = z.record(z.unknown());
export const sellerStatus = z.object({ status: z.string() }).passthrough();
export const sellerReport = z.record(z.unknown());

/** One payload for each license: a list, a list in a field, or a single payload by itself. */
export const verifications = z.unknown().transform((answer, context) => {
	const rows = rowsIn(answer) ?? (isObject(answer) && Object.keys(answer).length > 0 ? [answer] : undefined);
	if (rows !== undefined) return rows;
	context.addIssue({ code: 'custom', message: 'a list of verification payloads' });
	return z.NEVER;
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** "The body of the response is not shown", so nothing is asked of it. */
export const anything = z
	.unknown()
	.transform((answer) =>
		isObject(answer) ? answer : answer === undefined || answer === null || answer === '' ? {} : { result: answer },
	);

export type Inquiry = z.infer<typeof inquiry>;
export type CreatedInquiry = z.infer<typeof createdInquiry>;
export type SellerSearch = z.infer<typeof sellerSearch>;
export type Batch = z.infer<typeof batch>;
export type SubmittedBatch = z.infer<typeof submittedBatch>;

const lender = z.object({ id, name: z.unknown() });

/** A lender of a profile: the user's own, or one of those available. */
export const lenderIn = (value: unknown): { id: string; name?: unknown } | undefined => lender.safeParse(value).data;
