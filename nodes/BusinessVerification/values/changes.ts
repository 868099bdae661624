/** What reading a value may do to it. */
export const changes = [
	'trimmed',
	'blankDropped',
	'convertedToText',
	'zerosRestored',
	'zerosPerhapsLost',
	'dateRewritten',
	'convertedFromText',
] as const;
export type Change = (typeof changes)[number];

/** Which value is being read: the column of a sheet, or a field of a form. */
export interface Place {
	header: string;
	index: number;
}

/** Whoever has a value read is told what was changed, and what cannot be sent and why. The reason never holds the value. */
export interface Listener {
	change(index: number, change: Change): void;
	problem(header: string, reason: string): void;
}
