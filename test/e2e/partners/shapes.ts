import { z } from 'zod';
import type { IncomingMessage } from 'node:http';

/** Bodies as the partners' published types have them: an unknown name or another type is an objection. */

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const valueRange = z
	.object({ range: z.string(), majorDimension: z.enum(['ROWS', 'COLUMNS']).optional(), values: z.array(z.array(cell)) })
	.strict();
const input = z.enum(['RAW', 'USER_ENTERED']);
const dimension = z
	.object({
		// n8n sends the ID of a sheet as text; Google takes it for the number that it is.
		sheetId: z.coerce.number().int(),
		dimension: z.enum(['ROWS', 'COLUMNS']),
		length: z.number().int().positive(),
	})
	.strict();

const shapes: Array<[host: string, method: string, path: RegExp, shape: z.ZodTypeAny]> = [
	[
		'slack.com',
		'POST',
		/^\/api\/chat\.postMessage$/,
		z
			.object({
				channel: z.string().min(1),
				text: z.string().max(40_000),
				// n8n leaves its own option in the body.
				includeLinkToWorkflow: z.boolean().optional(),
			})
			.strict(),
	],
	[
		'api.hubapi.com',
		'PUT',
		/^\/companies\/v2\/companies\/\d+$/,
		z
			.object({ properties: z.array(z.object({ name: z.string().min(1), value: z.string() }).strict()).min(1) })
			.strict(),
	],
	[
		'sheets.googleapis.com',
		'POST',
		/\/values:batchUpdate$/,
		z.object({ valueInputOption: input, data: z.array(valueRange).min(1) }).strict(),
	],
	[
		'sheets.googleapis.com',
		'POST',
		/^\/v4\/spreadsheets\/[^/]+:batchUpdate$/,
		z.object({ requests: z.array(z.object({ appendDimension: dimension }).strict()).min(1) }).strict(),
	],
	['sheets.googleapis.com', 'POST', /:append$/, valueRange],
	// Google wants an empty body; n8n repeats there what the address says.
	[
		'sheets.googleapis.com',
		'POST',
		/:clear$/,
		z.object({ spreadsheetId: z.string().optional(), range: z.string().optional() }).strict(),
	],
	['sheets.googleapis.com', 'PUT', /\/values\//, valueRange],
];

/** Why a body is not what its partner documents; nothing where it is. */
export function objectionTo({ host, method, path, body }: Call): string | undefined {
	const known = shapes.find(([at, by, where]) => at === host && by === method && where.test(path));
	const read = known?.[3].safeParse(body);
	return read === undefined || read.success
		? undefined
		: read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
}

/** One request as an imitation sees it. */
export interface Call {
	host: string;
	method: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingMessage['headers'];
	body: any;
	/** The body as it came. */
	text: string;
}
