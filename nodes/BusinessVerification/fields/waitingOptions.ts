import { choice, flag, type Input, number, seconds } from '../definition';
import { pollingSeconds } from '../document';

export const waitForCompletion = flag(
	'Wait for Completion',
	'Whether to wait until the inquiry has ended, and to output its final state',
);

export const waitingOptions = {
	earlyLook: seconds(
		'Early Look',
		0,
		'Look a second time after this many seconds, before the poll interval begins. 0 turns it off. For AI agents it is 5.',
	),
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
		description: `Seconds between two looks. The service recommends ${pollingSeconds}.`,
	}),
};

export type WaitingOptions = Input<typeof waitingOptions>;

/** How long to wait and how often to look, as a wait takes it. */
export const waitingTimes = ({ maxWait, pollInterval, earlyLook }: WaitingOptions) => ({
	maxWaitMs: maxWait * 60_000,
	pollIntervalMs: pollInterval * 1000,
	earlyLookMs: earlyLook * 1000,
});

export const inquiryWaitingOptions = {
	...waitingOptions,
	waitForBusinesses: seconds(
		'Wait for Businesses',
		0,
		"Seconds to wait for 'businesses' after the inquiry has ended. 0 does not wait.",
	),
};

export type InquiryWaitingOptions = Input<typeof inquiryWaitingOptions>;

/** After something was added to an inquiry, or is tried again. */
export const restartWaitingOptions = {
	...inquiryWaitingOptions,
	restartGrace: seconds(
		'Restart Grace',
		60,
		'A finished inquiry starts again after an addition. If it has not within this many seconds, its state is taken as final.',
	),
};
