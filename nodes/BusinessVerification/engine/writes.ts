import { Failure, type Request, unknownOutcome } from '../kit/service';

/** Whatever is thrown while the response of a write is read, the service may have processed it. */
export const orNotConfirmed = <T>({ ifUnknown }: Request, send: () => Promise<T>): Promise<T> =>
	send().catch((error: unknown) => {
		if (error instanceof Failure) throw error;
		throw unknownOutcome(`The response cannot be read: ${(error as Error).message}`, {}, ifUnknown);
	});

/**
 * Remembers writes so that they are not sent again, neither by another try of the same run nor by an agent that repeats
 * a call. A write that is not confirmed counts as sent; one that the service certainly refused does not.
 */

export type Kept = { kind: 'answer'; answer: unknown } | { kind: 'failure'; failure: Failure; foundBy?: string };

export interface Memory {
	get(key: string): Kept | undefined;
	set(key: string, kept: Kept): unknown;
}

/** `foundBy`: see `Request`. */
export async function once(memory: Memory, key: string, send: () => Promise<unknown>, foundBy?: string) {
	const before = memory.get(key);
	if (before?.kind === 'failure') throw before.failure;
	if (before?.kind === 'answer') return before.answer;
	try {
		const answer = await send();
		memory.set(key, { kind: 'answer', answer });
		return answer;
	} catch (error) {
		if (error instanceof Failure && error.details.submission === 'unknown')
			memory.set(key, { kind: 'failure', failure: error, foundBy });
		return Promise.reject(error);
	}
}
