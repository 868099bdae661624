import { whole } from './field';

/** How every operation sends. The engine keeps to the same bounds, whatever it is given. */

export const concurrencyBounds = { default: 8, min: 1, max: 32 };
export const timeoutBounds = { default: 60, min: 1, max: 600 };

/** A figure that nothing has checked, kept within its bounds. */
export const within = ({ default: initial, min, max }: typeof concurrencyBounds, figure?: number): number =>
	Math.min(max, Math.max(min, figure || initial));

export const sending = {
	concurrency: whole('Concurrency', {
		...concurrencyBounds,
		description: `How many requests of this node run side by side at most. Unless it is set, reads go up to ${concurrencyBounds.max} while the service copes. It goes down by itself when the service asks for less.`,
	}),
	timeout: whole('Timeout (Seconds)', { ...timeoutBounds, description: 'How many seconds to wait for one answer' }),
};
