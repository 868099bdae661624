import { type Fields, whole } from './field';
import { settings } from './groups';

/** How every operation sends. The engine keeps to the same bounds, whatever it is given. */

export const concurrencyBounds = { default: 8, min: 1, max: 32 };
export const timeoutBounds = { default: 60, min: 1, max: 600 };

/** A figure that nothing has checked, kept within its bounds. */
export const within = ({ default: initial, min, max }: typeof concurrencyBounds, figure?: number): number =>
	Math.min(max, Math.max(min, figure || initial));

const sending = {
	concurrency: whole('Concurrency', {
		...concurrencyBounds,
		description: `Maximum requests at the same time. If not set, reads use up to ${concurrencyBounds.max} while the service keeps up. When the service asks for fewer, it gets fewer.`,
	}),
	timeout: whole('Timeout (Seconds)', { ...timeoutBounds, description: 'Seconds to wait for an answer' }),
};

/** Of an operation that has options of its own; all others have these alone. */
export const sendingOptions = <F extends Fields>(own: F) => settings('Options', { ...own, ...sending });

export const plainOptions = settings('Options', sending);
