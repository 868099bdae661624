import type { Fields } from '../definition/field';
import { jsonObject, settings } from '../definition/groups';
import { optional } from '../definition/field';
import { sending } from '../definition/sending';

/** The options every operation that sends has; operations add their own. */
export const sendingOptions = <F extends Fields = Record<never, never>>(own?: F) =>
	settings('Options', { ...(own as F), ...sending });

/** What a deployment knows beyond the document. */
export const extraBody = optional(
	jsonObject('Extra Body Fields', { description: 'JSON object with further fields for the service' }),
);
