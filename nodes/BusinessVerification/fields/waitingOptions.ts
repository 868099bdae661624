import { choice, flag, type Input, number } from '../definition';
import { pollingSeconds } from '../document';

export const waitForCompletion = flag('Wait for Completion', {
	description: 'Whether to go on only when the inquiry has ended, and to output its final state',
});

export const waitingOptions = {
	earlyLook: number('Early Look (Seconds)', {
		default: 0,
		min: 0,
		max: 3600,
		description:
			'How many seconds after the first look to look once more, before the interval begins; 0 does not. An AI agent looks after 5.',
	}),
	maxWait: number('Max Wait (Minutes)', {
		default: 10,
		min: 0,
		max: 1440,
		description:
			'Maximum minutes to wait. 0 checks once. For waits of hours use the trigger, because a waiting execution occupies n8n.',
	}),
	onTimeout: choice(
		'On Timeout',
		[
			{ name: 'Fail the Item', value: 'fail' },
			{ name: 'Output the Last State', value: 'lastState', description: "With 'isFinal' false" },
		],
		// What is waited for is healthy and often paid: an error output is no place for it.
		{ default: 'lastState' },
	),
	pollInterval: number('Poll Interval (Seconds)', {
		default: pollingSeconds,
		min: 1,
		max: 3600,
		description: `How many seconds between two looks; the service recommends ${pollingSeconds}`,
	}),
};

export type WaitingOptions = Input<typeof waitingOptions>;

export const inquiryWaitingOptions = {
	...waitingOptions,
	waitForBusinesses: number('Wait for Businesses (Seconds)', {
		default: 0,
		min: 0,
		max: 3600,
		description: "How many seconds to go on waiting for 'businesses' after the inquiry has ended; 0 does not wait",
	}),
};

export type InquiryWaitingOptions = Input<typeof inquiryWaitingOptions>;

/** After something was added to an inquiry, or is tried again. */
export const restartWaitingOptions = {
	...inquiryWaitingOptions,
	restartGrace: number('Restart Grace (Seconds)', {
		default: 60,
		min: 0,
		max: 3600,
		description:
			'How many seconds a finished inquiry may take to start again after an addition before its state is taken as final',
	}),
};
