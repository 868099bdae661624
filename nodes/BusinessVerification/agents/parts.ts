export const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** If names and nesting leave less room than this, the rest is returned as text. */
const leastRoom = 300;
const longestName = 100;

/** The size, or Infinity beyond `room`. A report may have megabytes, so it is not stringified only to find it too long. */
const sizeWithin = (value: unknown, room: number): number => (leftOf(room, value) < 0 ? Infinity : sizeOf(value));

/** What a value leaves of the room at most, as if nothing had to be escaped. Negative as soon as there is none left. */
function leftOf(room: number, value: unknown): number {
	if (typeof value === 'string') return room - value.length - 2;
	if (typeof value !== 'object' || value === null) return room;
	const isList = Array.isArray(value);
	let left = room;
	for (const name in value) {
		const entry = (value as Record<string, unknown>)[name];
		// JSON leaves out such a field.
		if (entry === undefined && !isList) continue;
		left = leftOf(left - (isList ? 1 : name.length + 3), entry);
		if (left < 0) break;
	}
	return left;
}

/** A part with its size, so that it is not stringified again at each level around it. */
type Sized = readonly [part: unknown, size: number];

/**
 * Splits a value into parts, each complete JSON of at most `room` characters. A part repeats the names that lead to its
 * fields. Values are cut between fields; only a text that is longer than a part is cut inside.
 */
export function* partsOf(value: unknown, room: number): Generator<unknown, void> {
	for (const [part] of sizedParts(value, room)) yield part;
}

function* sizedParts(value: unknown, room: number): Generator<Sized, void> {
	const whole = sizeWithin(value, room);
	if (whole <= room) return yield [value, whole];
	if (typeof value === 'string') return yield* textParts(value, room);
	if (room < leastRoom) return yield* textParts(JSON.stringify(value), room);
	const isList = Array.isArray(value);
	let part: Array<[name: string, entry: unknown]> = [];
	// Two brackets, less the comma that the last entry does not have.
	let size = 1;
	for (const [name, entry] of Object.entries(value as object)) {
		const label = sizeOf(name) > longestName ? `${name.slice(0, 15)}…` : name;
		const frame = isList ? 1 : sizeOf(label) + 2;
		let isBegun = false;
		for (const [piece, pieceSize] of sizedParts(entry, room - frame - 2)) {
			const length = frame + pieceSize;
			if (isBegun || size + length > room) {
				yield [joined(part, isList), size];
				part = [];
				size = 1;
			}
			part.push([label, piece]);
			size += length;
			isBegun = true;
		}
	}
	yield [joined(part, isList), size];
}

const joined = (part: Array<[string, unknown]>, isList: boolean) =>
	isList ? part.map(([, entry]) => entry) : Object.fromEntries(part);

function* textParts(text: string, room: number): Generator<Sized, void> {
	for (let from = 0, to; from < text.length; from = to) {
		to = Math.min(text.length, from + room - 2);
		while (sizeOf(text.slice(from, to)) > room) to = from + Math.ceil((to - from) / 2);
		// Not between the halves of a surrogate pair.
		if (to < text.length && /[\ud800-\udbff]/.test(text[to - 1])) to--;
		const part = text.slice(from, to);
		yield [part, sizeOf(part)];
	}
}

/** The first records that fit, each with its first fields only if it is longer than its share. */
export function firstOf(records: readonly unknown[], room: number): { shown: unknown[]; areWhole: boolean } {
	if (sizeWithin(records, room) <= room) return { shown: [...records], areWhole: true };
	const share = Math.max(Math.floor((room - 2) / records.length) - 1, leastRoom);
	const shown: unknown[] = [];
	let areWhole = true;
	let left = room - 2;
	for (const record of records) {
		const [[first, size]] = sizedParts(record, share);
		left -= size + 1;
		if (left < 0) break;
		areWhole &&= first === record;
		shown.push(first);
	}
	return { shown, areWhole };
}
