import type { Json } from '../definition';

/** The client of an MCP server gives up after 60 seconds: waiting ends before, and so does a request without an answer. */
const waitSeconds = 45;
export const timeoutSeconds = 30;
/** Jobs of a few seconds are seen to end before the service's own interval has passed. */
const earlyLook = 5;

/** The parameters of a tool: what its author left open is set for models, and some of it is not left to him. */
export const toolParameters = (given: Json): Json => ({
	...given,
	// A model cannot read everything; what it is shown is bounded by the limit.
	...(given.returnAll === true && { returnAll: false }),
	options: forModels(given.options),
	waitingOptions: forModels(given.waitingOptions),
});

const forModels = (options: unknown): Json => ({
	maxWait: waitSeconds / 60,
	earlyLook,
	...(typeof options === 'object' ? options : {}),
	onTimeout: 'lastState',
});
