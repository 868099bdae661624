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

/**
 * Who has values read: says how to read what is doubtful, and hears of a value what was changed, or why it cannot be sent;
 * never the value itself. Both answer with nothing, which is what is sent in its place.
 */
export interface Listener {
	readonly settings: ReadingSettings;
	change(place: Place, change: Change): undefined;
	problem(place: Place, reason: string): undefined;
}
