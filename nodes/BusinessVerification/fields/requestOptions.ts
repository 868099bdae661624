import { flag, jsonObject, optional, shown } from '../definition';

/** What a deployment knows beyond the document. */
export const extraBody = optional(
	jsonObject('Extra Body Fields', {
		description: 'More fields to send, as a JSON object such as { "segment": "retail" }',
		default: '{}',
	}),
);

/** Of writes that are billed: an agent may repeat itself. */
export const submitAgain = shown(
	{ '@tool': [true] },
	flag(
		'Submit Again if Repeated',
		'Whether to submit, and bill, the same data again when an AI agent repeats itself in one execution. When off, a repeated call gets the result of the first.',
	),
);
