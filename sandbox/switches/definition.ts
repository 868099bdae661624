/** One point on which the service may be one way or another, and a test may choose. */
export interface Definition<T> {
	meaning: string;
	/** The sentence of the interface document that leaves the room, or what else does. */
	room: string;
	start: T;
	/** The allowed values, when there are only a few; the first is the start value. */
	values?: readonly T[];
}

export const choice = <const V extends readonly [string, ...string[]]>(
	meaning: string,
	room: string,
	values: V,
): Definition<V[number]> => ({ meaning, room, start: values[0], values });

export const flag = (meaning: string, room: string, start: boolean): Definition<boolean> => ({
	meaning,
	room,
	start,
	values: [start, !start],
});

export const text = (meaning: string, room: string, start: string): Definition<string> => ({ meaning, room, start });
export const amount = (meaning: string, room: string, start: number): Definition<number> => ({ meaning, room, start });
