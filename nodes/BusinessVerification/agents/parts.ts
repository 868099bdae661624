/** What is too long to be read at once, in parts of whole JSON. */

export const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Names and nesting may use up what there is room for; then the rest is told as text. */
const leastRoom = 300;
const longestName = 100;

/**
 * A value of JSON in parts of at most `room` characters, cut between fields, each with the names that lead to it. Only a
 * text that is longer alone is cut inside.
 */
export function* partsOf(value: unknown, room: number): Generator<unknown, void> {
	if (sizeOf(value) <= room) return yield value;
	if (typeof value === 'string') return yield* textParts(value, room);
	if (room < leastRoom) return yield* textParts(JSON.stringify(value), room);
	const isList = Array.isArray(value);
	let part: Array<[name: string, entry: unknown]> = [];
	let size = 2;
	for (const [name, entry] of Object.entries(value as object)) {
		const label = sizeOf(name) > longestName ? `${name.slice(0, 15)}…` : name;
		const frame = isList ? 1 : sizeOf(label) + 2;
		let isBegun = false;
		for (const piece of partsOf(entry, room - frame - 2)) {
			const length = frame + sizeOf(piece);
			if (part.length > 0 && (isBegun || size + length > room)) {
				yield joined(part, isList);
				part = [];
				size = 2;
			}
			part.push([label, piece]);
			size += length;
			isBegun = true;
		}
	}
	yield joined(part, isList);
}

const joined = (part: Array<[string, unknown]>, isList: boolean) =>
	isList ? part.map(([, entry]) => entry) : Object.fromEntries(part);

function* textParts(text: string, room: number): Generator<string, void> {
	for (let from = 0, to; from < text.length; from = to) {
		to = Math.min(text.length, from + room - 2);
		while (sizeOf(text.slice(from, to)) > room) to = from + Math.ceil((to - from) / 2);
		// The halves of one sign stay together.
		if (to < text.length && /[\ud800-\udbff]/.test(text[to - 1])) to--;
		yield text.slice(from, to);
	}
}

/** The first of many records, each with its first fields where all of them are too long. */
export function firstOf(records: readonly unknown[], room: number): { shown: unknown[]; areWhole: boolean } {
	if (sizeOf(records) <= room) return { shown: [...records], areWhole: true };
	const share = Math.max(Math.floor((room - 2) / records.length) - 1, leastRoom);
	const shown: unknown[] = [];
	let areWhole = true;
	let left = room - 2;
	for (const record of records) {
		const [first] = partsOf(record, share);
		left -= sizeOf(first) + 1;
		if (left < 0) break;
		areWhole &&= sizeOf(record) <= share;
		shown.push(first);
	}
	return { shown, areWhole };
}
