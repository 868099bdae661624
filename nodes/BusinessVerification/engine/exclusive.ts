import { orMade } from '../definition';

const holders = new Map<string, Promise<unknown>>();

/**
 * Inside this process only one task at a time holds a key; the others come after it, in order. Keys of several
 * processes (queue mode) do not know each other: the limits page says what that means.
 */
export async function exclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
	const before = holders.get(key) ?? Promise.resolve();
	const mine = before.then(task, task);
	const settled = mine.catch(() => undefined);
	holders.set(key, settled);
	try {
		return await mine;
	} finally {
		if (holders.get(key) === settled) holders.delete(key);
	}
}

const awaited = new Map<string, Promise<unknown>>();

/**
 * Whoever asks before a turn begins shares its outcome, good or bad: many at once cost two turns, and what each of them
 * gets was looked up after it asked.
 */
export const shared = <T>(key: string, task: () => Promise<T>): Promise<T> =>
	orMade(awaited, key, () =>
		exclusive(key, () => {
			awaited.delete(key);
			return task();
		}),
	) as Promise<T>;
