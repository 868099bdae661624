import { type Fields, number } from '../definition/field';
import { collection } from '../definition/groups';

/** The options every operation that sends has; operations add their own. */
export const sendingOptions = <F extends Fields = Record<never, never>>(own?: F) =>
	collection(
		'Options',
		{
			...(own as F),
			concurrency: number('Concurrency', {
				default: 8,
				min: 1,
				max: 32,
				description:
					'How many requests of this node run side by side at most. It goes down by itself when the service asks for less.',
			}),
			timeout: number('Timeout (Seconds)', {
				default: 60,
				min: 1,
				max: 600,
				description: 'How many seconds to wait for one answer',
			}),
		},
		'Add Option',
	);
