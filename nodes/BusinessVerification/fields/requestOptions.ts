import { type Fields, flag, jsonObject, optional, sending, settings, shown } from '../definition';

/** The options every operation that sends has; operations add their own. */
export const sendingOptions = <F extends Fields = Record<never, never>>(own?: F) =>
	settings('Options', { ...(own as F), ...sending });

/** What a deployment knows beyond the document. */
export const extraBody = optional(
	jsonObject('Extra Body Fields', {
		description: 'More fields to send, as a JSON object',
		placeholder: 'e.g. { "segment": "retail" }',
	}),
);

/** Of writes that are billed: an agent may repeat itself. */
export const submitAgain = shown(
	{ '@tool': [true] },
	flag('Submit Again if Repeated', {
		description:
			'Whether to submit, and bill, the same data again when an AI agent repeats itself in one execution. When off, a repeated call gets the result of the first.',
	}),
);
