import { hash } from 'node:crypto';
import { inquiryStatuses } from '../document/inquiries';
import { orMade } from '../kit/objects';
import { emptyMemory, type Memory, printLength, type Step } from './memory';
import { entered, isAged, type Known } from './occurrence';

/** Raise it whenever the stored text changes its meaning. A test holds the text of each version. */
const version = 9;
/** A full memory takes a third of this, so longer text cannot be from this trigger. */
const longestText = 2_000_000;

const sumOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 16);

/** What n8n stores between polls. */
export type State = ReturnType<typeof save>;

export function save({ known, steps, at, ...header }: Memory) {
	const newestFirst = [...known].sort(([, a], [, b]) => b.created - a.created);
	const entries = newestFirst.map(([, entry]) => entry);
	const usual = statusesWith([]);
	const words = [...new Set(entries.map(({ status }) => status))].filter((status) => !usual.includes(status));
	const writer = new Writer();
	pack(writer, { at, steps, entries, statuses: statusesWith(words) });
	const head = JSON.stringify(changed({ ...header, words }));
	const text = [head, newestFirst.map(([id]) => id).join(''), writer.text].join('\n');
	// `at` is beside the text, so that the newer of two copies can be found without unpacking them.
	return { version, at, sum: sumOf(`${at}${text}`), text };
}

/** Whether the checksum proves that `save` wrote exactly this. */
export function isIntact(saved: unknown): saved is State {
	const { version: written, at, sum, text } = (saved ?? {}) as Partial<State>;
	if (written !== version || typeof at !== 'number' || typeof text !== 'string' || text.length > longestText)
		return false;
	return sum === sumOf(`${at}${text}`);
}

export function recall(saved: unknown): Memory | undefined {
	if (!isIntact(saved)) return;
	const { at, text } = saved;
	const [head, ids, packed] = text.split('\n');
	const { words, ...header } = { ...empty(), ...(JSON.parse(head) as Partial<Header>) };
	const { steps, entries } = pack(new Reader(packed), { at, steps: [], entries: [], statuses: statusesWith(words) });
	const idAt = (index: number) => ids.slice(printLength * index, printLength * (index + 1));
	return { ...header, at, steps, known: new Map(entries.map((entry, index) => [idAt(index), entry])) };
}

const statusesWith = (words: readonly string[]) => ['', ...inquiryStatuses, ...words];

const empty = () => ({ ...emptyMemory('', '', ''), words: [] as string[] });
type Header = ReturnType<typeof empty>;

/** What an empty memory has as well need not be stored. */
function changed(header: Partial<Header>): Partial<Header> {
	const usual: Record<string, unknown> = empty();
	const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(usual[name]);
	return Object.fromEntries(Object.entries(header).filter(differs));
}

interface Packed {
	steps: Step[];
	entries: Known[];
}

/** The format of the text: with a writer, this writes what it is given; with a reader, it returns what was written. */
function pack(coder: Coder, given: Packed & { at: number; statuses: readonly string[] }): Packed {
	const now = Math.floor(given.at / 1_000);
	let before: Step = { from: 0, level: 0 };
	const steps = coder.list('steps', given.steps, (step = before) => {
		const from = before.from + coder.natural('from', step.from - before.from);
		before = { from, level: before.level + coder.integer('level', step.level - before.level) };
		return before;
	});
	let created = now;
	const entries = coder.list('entries', given.entries, (entry = entered(0, 0)) => {
		created -= coder.integer('created', created - entry.created);
		return packKnown(coder, { ...entry, created }, now, given.statuses);
	});
	return { steps, entries };
}

function packKnown(coder: Coder, entry: Known, now: number, statuses: readonly string[]): Known {
	// `open` and `told` only tell whether an outdated copy is possible, so they are not stored once none is.
	const sinceOpen = entry.open === 0 ? 0 : isAged(entry.open, now) ? 1 : now - entry.open + 2;
	const since = coder.natural('open', sinceOpen);
	const kind = Math.min(since, 2);
	const { created } = entry;
	const status = statuses[coder.natural('status', statuses.indexOf(entry.status), kind)];
	const began = coder.time('began', entry.began, created, kind);
	const date = coder.time('date', entry.date, Math.max(began, created), kind);
	const own = coder.mark('own', entry.own, kind);
	// Without a date, `told` dates the completion.
	const keepsTold = !own || (since === 0 && !isAged(entry.told, now));
	return {
		created,
		began,
		date,
		own,
		told: coder.time('told', keepsTold ? entry.told : 0, now, kind),
		first: coder.mark('first', entry.first, kind),
		open: since < 2 ? since : now - since + 2,
		status,
		astray: coder.time('astray', entry.astray, created, kind),
		waits: coder.time('waits', entry.waits, created, kind),
		silent: coder.mark('silent', entry.silent, kind),
	};
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const values = new Map([...alphabet].map((sign, index) => [sign, index]));

/** What one sign of text is worth in the interval of a `Coder`. */
const sign = 2 ** 30;
/** Bits seen longer ago than this count half. */
const lately = 60;

/** How often a bit was 1, of how many times. */
interface Odds {
	ones: number;
	all: number;
}

/**
 * Numbers as short text, by arithmetic coding: a bit takes the less room, the more often the same bit stood at this place
 * of its field. A format is written down once, as calls of these methods: a `Writer` writes the values it is
 * given and returns them; a `Reader` returns those that were written, whatever it is given.
 */
abstract class Coder {
	/** The text so far stands for the numbers from `low` to `high`. Each bit cuts them in two parts, as large as its odds. */
	protected low = 0;
	protected high = 64 * sign - 1;
	private readonly fields = new Map<string, Odds[][][]>();

	/** `value` plus 1 in binary: how many digits come after the first, then these. Fields of another `kind` have other odds. */
	natural(field: string, value: number, kind = 0): number {
		const kinds = orMade<string, Odds[][][]>(this.fields, field, () => []);
		const odds = (kinds[kind] ??= [[]]);
		let length = 0;
		let unit = 1;
		while (this.bit(odds[0], length, value + 1 >= 2 * unit)) {
			length++;
			unit *= 2;
		}
		const digits = (odds[length + 1] ??= []);
		let result = unit;
		for (let place = 0; place < length; place++) {
			unit /= 2;
			if (this.bit(digits, place, value + 1 >= result + unit)) result += unit;
		}
		return result - 1;
	}

	/** Negative numbers become odd ones. */
	integer(field: string, value: number, kind = 0): number {
		const natural = this.natural(field, value < 0 ? -2 * value - 1 : 2 * value, kind);
		return natural % 2 === 1 ? -(natural + 1) / 2 : natural / 2;
	}

	mark(field: string, value: boolean, kind: number): boolean {
		return this.natural(field, value ? 1 : 0, kind) === 1;
	}

	/** The distance from another time, or 0 without a time; so a distance that is not negative counts from 1. */
	time(field: string, value: number, from: number, kind: number): number {
		const distance = this.integer(field, value === 0 ? 0 : value - from + (value >= from ? 1 : 0), kind);
		return distance === 0 ? 0 : from + distance - (distance > 0 ? 1 : 0);
	}

	/** How many parts, then each of them. */
	list<T>(field: string, given: readonly T[], part: (one?: T) => T): T[] {
		return Array.from({ length: this.natural(field, given.length) }, (_, index) => part(given[index]));
	}

	/** Which bit it is. `border` is the highest number of the part for 1. */
	protected abstract choose(border: number, bit: boolean): boolean;
	/** `low` and `high` begin with the same sign, so it is certain. */
	protected abstract pass(): void;

	private bit(list: Odds[], place: number, value: boolean): boolean {
		const odds = (list[place] ??= { ones: 0.5, all: 1 });
		const border = Math.min(this.high - 1, this.low + Math.floor(((this.high - this.low) * odds.ones) / odds.all));
		const bit = this.choose(border, value);
		if (bit) odds.ones++;
		if (++odds.all > lately) {
			odds.ones /= 2;
			odds.all /= 2;
		}
		if (bit) this.high = border;
		else this.low = border + 1;
		while (Math.floor(this.low / sign) === Math.floor(this.high / sign)) {
			this.pass();
			this.low = (this.low % sign) * 64;
			this.high = (this.high % sign) * 64 + 63;
		}
		return bit;
	}
}

export class Writer extends Coder {
	private signs = '';

	/** One more sign tells the rest of the interval. Signs that are missing count as the lowest. */
	get text(): string {
		return this.signs + signOf(this.high);
	}

	protected choose(_border: number, bit: boolean): boolean {
		return bit;
	}

	protected pass(): void {
		this.signs += signOf(this.low);
	}
}

export class Reader extends Coder {
	private place = 0;
	/** The number within the interval that the text stands for. */
	private code = 0;

	constructor(private readonly text: string) {
		super();
		for (let count = 0; count < 6; count++) this.pass();
	}

	protected choose(border: number): boolean {
		return this.code <= border;
	}

	protected pass(): void {
		this.code = (this.code % sign) * 64 + (values.get(this.text[this.place++]) ?? 0);
	}
}

const signOf = (border: number) => alphabet[Math.floor(border / sign)];
