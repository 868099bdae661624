export const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** If names and nesting leave less room than this, the rest is returned as text. */
const leastRoom = 300;
const longestName = 100;

/**
 * Splits a value into parts, each complete JSON of at most `room` characters. A part repeats the names that lead to its
 * fields. Values are cut between fields; only a text that is longer than a part is cut inside.
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
		// Not between the halves of a surrogate pair.
		if (to < text.length && /[\ud800-\udbff]/.test(text[to - 1])) to--;
		yield text.slice(from, to);
	}
}

/** The first records that fit, each with its first fields only if it is longer than its share. */
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
