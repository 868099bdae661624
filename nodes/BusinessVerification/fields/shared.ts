import {
	choice,
	type Field,
	type Fields,
	flag,
	type Input,
	jsonObject,
	locator,
	notice,
	number,
	optional,
	orBy,
	secondsField,
	shown,
	text,
	whole,
} from '../kit/field';
import { settings } from '../kit/collections';
import { sendingOptions } from '../kit/operation';
import { pollingSeconds } from '../document/vocabulary';

const waitForCompletion = flag(
	'Wait for Completion',
	'Whether to wait until the inquiry finishes and output its final status',
);

/** Seconds of the first checks, because a verification may take seconds only. */
export const earlyChecks = [2, 4, 8, 16] as const;

export const waitingOptions = {
	maxWait: number('Max Wait (Minutes)', {
		default: 30,
		min: 0,
		max: 1440,
		description:
			'Maximum minutes to wait. 0 checks once. For waits of hours use the trigger, because a waiting execution occupies n8n.',
	}),
	onTimeout: choice(
		'On Timeout',
		{
			fail: ['Fail the Item', 'The error has the ID and says how to get the result'],
			lastState: ['Output the Last State', "With 'isFinal' false. The nodes that follow have to check it."],
		},
		"What to do when 'Max Wait' has passed and there is no final status",
	),
	pollInterval: number('Poll Interval (Seconds)', {
		default: pollingSeconds,
		min: 1,
		max: 3600,
		description: `Seconds between checks. The first ones run sooner, after ${earlyChecks.slice(0, -1).join(', ')}, and ${earlyChecks.at(-1)} seconds. The service recommends ${pollingSeconds}.`,
	}),
};

export const lookUpWait = secondsField(
	'Look-Up Wait',
	30,
	'If an answer is lost: seconds to wait before searching for the submission by its external ID',
);

export type WaitingOptions = Input<typeof waitingOptions>;

export const waitingTimes = ({ maxWait, pollInterval }: WaitingOptions) => ({
	maxWaitMs: maxWait * 60_000,
	pollIntervalMs: pollInterval * 1000,
});

export const inquiryWaitingOptions = {
	...waitingOptions,
	waitForBusinesses: secondsField(
		'Wait for Businesses',
		60,
		"Findings ('businesses') can come after the inquiry finishes. Seconds to wait for them.",
	),
};

/** Beside an operation that can wait: shown once it is to wait. */
export const whileWaiting = <F extends Fields>(own: F) => ({
	waitForCompletion,
	waitingNotice: shown(
		{ waitForCompletion: [true] },
		notice(
			`n8n shows nothing until the wait ends: the service is checked soon, then every ${pollingSeconds} seconds, and its documentation gives no usual time. To see the status meanwhile, run 'Get Many' in another workflow. If you stop the execution, what was submitted goes on and stays billed.`,
		),
	),
	waitingOptions: shown({ waitForCompletion: [true] }, settings('Waiting Options', own)) as Field<Input<F>>,
});

const reRunWait = secondsField(
	'Wait for Re-Run',
	60,
	"With 'Wait for Completion': seconds in which a finished inquiry may start to run again. After that, its status counts as final.",
);

/** For an operation after which an inquiry may run again: it adds something, or it retries what failed. */
export const restartFields = <F extends Fields, O extends Fields>(fields: F, options: O) => ({
	inquiryId,
	...fields,
	...whileWaiting(waitingOptions),
	options: sendingOptions({ spendingLimit, ...options }, { reRunWait }),
});

export const paging = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit'),
	limit: shown(
		{ returnAll: [false] },
		whole('Limit', { default: 50, min: 1, description: 'Max number of results to return' }),
	),
};

/** Counted from 1, and only for AI models. */
const countedFromOne = (label: string, description: string) => {
	const { read } = whole(label, { default: 1, min: 1 });
	return shown({ '@tool': [true] }, optional({ ...text(label, { description, placeholder: 'e.g. 2' }), read }));
};

export const page = countedFromOne('Page', 'Page of the list, starting at 1');

export const part = countedFromOne('Part', 'Part of a long record, starting at 1');

export const limitOf = ({ returnAll, limit }: { returnAll: boolean; limit?: number }) =>
	returnAll ? undefined : limit;

/** For services that accept more fields than the API documentation lists. */
export const extraBody = optional(
	jsonObject('Extra Body Fields', {
		description: 'Additional fields to send, as a JSON object such as { "segment": "retail" }',
		default: '{}',
	}),
);

/** For all writes with data, because an agent may repeat a call. Not for retries, where a second one is meant. */
export const submitAgain = shown(
	{ '@tool': [true] },
	flag(
		'Submit Again if Repeated',
		'Whether to submit, and bill, the same data again when an AI agent repeats itself. When off, a repeated call gets the ID and status of the first. An external ID is reused in any case.',
	),
);

export const spendingLimit = shown(
	{ '@tool': [true] },
	whole('Spending Limit', {
		default: 10,
		min: 1,
		description:
			'Maximum billed submissions that AI agents may make in one execution, or over MCP and in the Agents of n8n with one credential in each hour of each n8n process. Every tool of this node and every row of a batch counts.',
		hint: "Submissions in one execution (over MCP and in n8n's Agents: in each hour), not money",
	}),
);

export const sampleIds = {
	inquiry: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
	batch: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
};

export const inquiryId = orBy(
	'externalId',
	// n8n has room for eight letters of the chosen one.
	['External ID', 'e.g. crm-4711'],
	locator('Inquiry', 'searchInquiries', {
		description: 'Choose an inquiry, or enter its ID, or your external ID, which is searched for',
		placeholder: `e.g. ${sampleIds.inquiry}`,
	}),
);

export type InquiryChoice = Input<{ chosen: typeof inquiryId }>['chosen'];

export const batchById = locator('Batch', 'searchBatches', {
	description: 'Choose a batch, or enter its ID',
	placeholder: `e.g. ${sampleIds.batch}`,
});

export const batchId = orBy('name', ['By Name', 'e.g. March leads'], batchById);

export type BatchChoice = Input<{ chosen: typeof batchId }>['chosen'];

export const taskId = text('Task ID', {
	description: "The 'taskId' of the process, not the ID of its record",
	placeholder: 'e.g. license-verification-1',
});

export const requestId = text('Request ID', {
	description: "The 'request_id' that the seller search returned",
	placeholder: 'e.g. req-1',
});
