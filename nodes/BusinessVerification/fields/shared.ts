import {
	choice,
	flag,
	type Input,
	jsonObject,
	locator,
	number,
	optional,
	secondsField,
	shown,
	text,
	whole,
} from '../kit/field';
import { pollingSeconds } from '../document/vocabulary';

export const waitForCompletion = flag(
	'Wait for Completion',
	'Whether to wait until the inquiry has ended, and to output its final state',
);

export const waitingOptions = {
	maxWait: number('Max Wait (Minutes)', {
		default: 10,
		min: 0,
		max: 1440,
		description:
			'Maximum minutes to wait. 0 checks once. For waits of hours use the trigger, because a waiting execution occupies n8n.',
	}),
	onTimeout: choice(
		'On Timeout',
		{ lastState: ['Output the Last State', "With 'isFinal' false"], fail: 'Fail the Item' },
		// What is waited for is healthy and often paid: an error output is no place for it.
		"What to do when 'Max Wait' is over",
	),
	pollInterval: number('Poll Interval (Seconds)', {
		default: pollingSeconds,
		min: 1,
		max: 3600,
		description: `Seconds between two checks, of which the first come sooner: after 2, 4, 8 and 16 seconds. The service recommends ${pollingSeconds}.`,
	}),
};

export type WaitingOptions = Input<typeof waitingOptions>;

/** How long to wait and how often to look, as a wait takes it. */
export const waitingTimes = ({ maxWait, pollInterval }: WaitingOptions) => ({
	maxWaitMs: maxWait * 60_000,
	pollIntervalMs: pollInterval * 1000,
});

export const inquiryWaitingOptions = {
	...waitingOptions,
	waitForBusinesses: secondsField(
		'Wait for Businesses',
		0,
		"Seconds to wait for 'businesses' after the inquiry has ended. 0 does not wait.",
	),
};

export type InquiryWaitingOptions = Input<typeof inquiryWaitingOptions>;

/** After something was added to an inquiry, or is tried again. */
export const restartWaitingOptions = {
	...inquiryWaitingOptions,
	restartGrace: secondsField(
		'Restart Grace',
		60,
		'A finished inquiry starts again after an addition. If it has not within this many seconds, its state is taken as final.',
	),
};

export const paging = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit'),
	limit: shown(
		{ returnAll: [false] },
		whole('Limit', { default: 50, min: 1, description: 'Max number of results to return' }),
	),
};

/** What a model counts from 1; only a tool offers it. */
const counted = (label: string, description: string) => {
	const { schema } = whole(label, { default: 1, min: 1 });
	return shown({ '@tool': [true] }, optional({ ...text(label, { description, placeholder: 'e.g. 2' }), schema }));
};

export const page = counted('Page', 'Page of the list, from 1, where an answer says that there are more');

export const part = counted('Part', 'Part of a long record, from 1, where an answer says that there are more');

export const limitOf = ({ returnAll, limit }: { returnAll: boolean; limit?: number }) =>
	returnAll ? undefined : limit;

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
		'Whether to submit, and bill, the same data again when an AI agent repeats itself. When off, a repeated call gets the result of the first.',
	),
);

/** Of writes that are billed. */
export const spendingLimit = shown(
	{ '@tool': [true] },
	whole('Spending Limit', {
		default: 0,
		min: 0,
		description:
			'Maximum billed submissions that AI agents may make in one execution, or over MCP with one credential in one hour. All tools of this node and each row of a batch count. 0 sets no limit.',
	}),
);

/** As placeholders and examples show them. */
export const sampleIds = {
	inquiry: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
	batch: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
};

export const inquiryId = locator('Inquiry', 'searchInquiries', {
	description: 'Choose an inquiry, or enter its ID',
	placeholder: `e.g. ${sampleIds.inquiry}`,
});

export const batchId = locator('Batch', 'searchBatches', {
	description: 'Choose a batch, or enter its ID',
	placeholder: `e.g. ${sampleIds.batch}`,
});

export const taskId = text('Task ID', {
	description: "The 'taskId' of the process, not the ID of its record",
	placeholder: 'e.g. license-verification-1',
});

export const requestId = text('Request ID', {
	description: "The 'request_id' that the seller search returned",
	placeholder: 'e.g. req-1',
});
