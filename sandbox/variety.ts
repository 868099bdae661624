import { createHash } from 'node:crypto';
import type { EndStatus } from './statuses';
import type { Submitted } from './submission';

export interface Fate {
	readonly status: EndStatus;
	/** 12 to 97; a failed one has none. */
	readonly score: number | null;
	/** Times the durations of the switches. */
	readonly pace: number;
}

const PACES = [0.5, 1, 1, 2, 10, 30];
const ENDS: EndStatus[] = ['FAILED', 'PARTIAL_SUCCESS', 'PARTIAL_SUCCESS'];

interface Named {
	submitted: Pick<Submitted, 'businessName' | 'businessDba'>;
}

/** Businesses differ as they do in life, and the same one is the same every time: its name decides. */
export function fateOf({ submitted: { businessName, businessDba } }: Named): Fate {
	const [end, score, pace] = createHash('sha256')
		.update(businessName ?? businessDba ?? '')
		.digest();
	const status = ENDS[end % 12] ?? 'COMPLETED';
	return { status, score: status === 'FAILED' ? null : 12 + (score % 86), pace: PACES[pace % PACES.length] };
}
