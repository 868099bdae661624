import type { DateOrder } from './dates';

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

export interface ReadingSettings {
	dateOrder?: DateOrder;
	/** Also restore zeros where the value is text: a CSV file that Excel has saved has lost them there too. */
	restoreZerosInText?: boolean;
}

/** Which value is being read: the column of a sheet, or a field of a form. */
export interface Place {
	header: string;
	index: number;
}

/** Whoever has a value read says how, and is told what was changed, and what cannot be sent and why: never the value. */
export interface Reader {
	readonly settings: ReadingSettings;
	change(place: Place, change: Change): undefined;
	problem(place: Place, reason: string): undefined;
}
