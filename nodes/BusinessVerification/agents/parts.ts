import type { Json } from '../kit/service';

export const jsonLength = (value: unknown): number => JSON.stringify(value).length;

/** A slice has room for a character, even if it is a surrogate pair. */
const shortestSlice = 2;

/** The value itself if its JSON has at most `room` characters. Otherwise its JSON in slices, each a text that fits. */
export function partsOf(value: unknown, room: number): unknown[] {
	const text = JSON.stringify(value);
	if (text.length <= room) return [value];
	const parts: string[] = [];
	for (let from = 0, to; from < text.length; from = to) {
		to = Math.min(text.length, from + Math.max(room - 2, shortestSlice));
		// A slice with many quotation marks gets longer when it is written as a text.
		while (to - from > shortestSlice && jsonLength(text.slice(from, to)) > room)
			to = from + Math.max(Math.floor((to - from) * 0.9), shortestSlice);
		// Not between the halves of a surrogate pair.
		if (to < text.length && /[\ud800-\udbff]/.test(text[to - 1])) to--;
		parts.push(text.slice(from, to));
	}
	return parts;
}

/** In a list that does not fit, a longer field is left out. */
const longestField = 300;

/** The first records that fit. Unless all fit whole, their long fields are left out. */
export function firstOf(records: readonly Json[], room: number): { shown: Json[]; areWhole: boolean } {
	if (jsonLength(records) <= room) return { shown: [...records], areWhole: true };
	const shown: Json[] = [];
	let areWhole = true;
	let left = room - 2;
	for (const record of records) {
		const fields = Object.entries(record);
		const short = fields.filter(([, field]) => jsonLength(field ?? null) <= longestField);
		left -= jsonLength(Object.fromEntries(short)) + 1;
		if (left < 0) break;
		areWhole &&= short.length === fields.length;
		shown.push(Object.fromEntries(short));
	}
	return { shown, areWhole };
}
