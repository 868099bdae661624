import { hash } from 'node:crypto';
import { inquiryStatuses } from '../document/inquiries';
import { emptyMemory, type Memory, type Step } from './memory';
import { type Known, oldestCopy } from './occurrence';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const values = new Map([...alphabet].map((sign, index) => [sign, index]));

/** Numbers as text, five bits per character; the sixth bit says that more follow. Negative numbers become odd ones. */
class Writer {
	text = '';

	natural(value: number): this {
		for (let rest = value; ; rest = Math.floor(rest / 32)) {
			this.text += alphabet[(rest % 32) + (rest >= 32 ? 32 : 0)];
			if (rest < 32) return this;
		}
	}

	integer(value: number): this {
		return this.natural(value < 0 ? -2 * value - 1 : 2 * value);
	}

	fixed(value: number, signs: number): this {
		for (let rest = value, left = signs; left > 0; left--, rest = Math.floor(rest / 64))
			this.text += alphabet[rest % 64];
		return this;
	}
}

class Reader {
	private place = 0;

	constructor(private readonly text: string) {}

	get done(): boolean {
		return this.place >= this.text.length;
	}

	natural(): number {
		for (let value = 0, scale = 1; ; scale *= 32) {
			const sign = this.sign();
			value += (sign % 32) * scale;
			if (sign < 32) return value;
		}
	}

	integer(): number {
		const value = this.natural();
		return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
	}

	fixed(signs: number): number {
		let value = 0;
		for (let place = 0, scale = 1; place < signs; place++, scale *= 64) value += this.sign() * scale;
		return value;
	}

	private sign(): number {
		return values.get(this.text[this.place++])!;
	}
}

/** What n8n stores between polls. */
export interface State {
	/** `at` of the memory, so that the newer of two copies can be found without unpacking them. */
	at: number;
	version: number;
	sum: string;
	text: string;
}

/** Raise it whenever the stored text changes its meaning. A test holds the text of each version. */
const version = 8;
/** A full memory takes half of this, so longer text cannot be from this trigger. */
const longestText = 2_000_000;

const sumOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 16);

export function save(memory: Memory): State {
	const { known, steps, at, ...header } = memory;
	const words = [...new Set([...known.values()].map(({ status }) => status))].filter(
		(status) => !(inquiryStatuses as readonly string[]).includes(status),
	);
	const statuses = [...inquiryStatuses, ...words.slice(0, 25)];
	const text = `${JSON.stringify(changed({ ...header, words }))}\n${packedSteps(steps)}\n${packedKnown(memory, statuses)}`;
	return { version, at, sum: sumOf(`${at}${text}`), text };
}

/** Returns undefined unless the checksum proves that `save` wrote exactly this. */
export function recall(saved: unknown): Memory | undefined {
	const { version: written, at, sum, text } = (saved ?? {}) as Partial<State>;
	if (written !== version || typeof at !== 'number' || typeof text !== 'string' || text.length > longestText) return;
	if (sum !== sumOf(`${at}${text}`)) return;
	const [head, steps, known] = text.split('\n');
	const { words, ...header } = { ...empty(), ...(JSON.parse(head) as Partial<Header>) };
	return {
		...header,
		at,
		steps: unpackedSteps(steps),
		known: unpackedKnown(known, [...inquiryStatuses, ...words], at),
	};
}

const empty = () => ({ ...emptyMemory('', '', ''), words: [] as string[] });
type Header = ReturnType<typeof empty>;

/** What an empty memory has as well need not be stored. */
function changed(header: Partial<Header>): Partial<Header> {
	const usual: Record<string, unknown> = empty();
	const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(usual[name]);
	return Object.fromEntries(Object.entries(header).filter(differs));
}

function packedSteps(steps: Step[]): string {
	const writer = new Writer();
	let before: Step = { from: 0, level: 0 };
	for (const step of steps) {
		writer.natural(step.from - before.from).integer(step.level - before.level);
		before = step;
	}
	return writer.text;
}

function unpackedSteps(text: string): Step[] {
	const reader = new Reader(text);
	const steps: Step[] = [];
	let before: Step = { from: 0, level: 0 };
	while (!reader.done) {
		before = { from: before.from + reader.natural(), level: before.level + reader.integer() };
		steps.push(before);
	}
	return steps;
}

/** Signed distance between two times, shifted by one so that 0 can stand for "no time". */
const distanceTo = (time: number, from: number) => (time === 0 ? 0 : time - from + (time >= from ? 1 : 0));
const timeAt = (distance: number, from: number) => (distance === 0 ? 0 : from + distance - (distance > 0 ? 1 : 0));

/** In creation order: the ID with ten bits of status and marks, then distances from the creation time. */
function packedKnown({ known, at }: Memory, statuses: readonly string[]): string {
	const now = Math.floor(at / 1_000);
	const writer = new Writer();
	let before = 0;
	for (const [id, entry] of [...known].sort(([, a], [, b]) => a.created - b.created)) {
		const { created, began, date, own, told, first, open, status, astray, waits, silent } = entry;
		// `told` is stored only where `isAged` can still be false, or where a completion without a date needs it.
		const isFresh = told > 0 && (!own || (open === 0 && now <= told + oldestCopy));
		const more = astray > 0 || waits > 0;
		const marks = [own, silent, open > 0, isFresh, first].reduce(
			(sum, mark, place) => sum + (mark ? 2 ** place : 0),
			0,
		);
		writer.natural(created - before).fixed(1_024 * id + statuses.indexOf(status) + 1 + 32 * marks, 9);
		writer.integer(2 * distanceTo(began, created) + (more ? 1 : 0)).integer(distanceTo(date, Math.max(began, created)));
		if (open > 0) writer.natural(now > open + oldestCopy ? 0 : now - open + 1);
		if (isFresh) writer.natural(now - told);
		if (more) writer.integer(distanceTo(astray, created)).integer(distanceTo(waits, created));
		before = created;
	}
	return writer.text;
}

function unpackedKnown(text: string, statuses: readonly string[], at: number): Map<number, Known> {
	const now = Math.floor(at / 1_000);
	const reader = new Reader(text);
	const known = new Map<number, Known>();
	let created = 0;
	while (!reader.done) {
		created += reader.natural();
		const word = reader.fixed(9);
		const marks = [1, 2, 4, 8, 16].map((mark) => Math.floor(word / 32 / mark) % 2 === 1);
		const [own, silent, isOpen, isFresh, first] = marks;
		const times = reader.integer();
		const more = times % 2 !== 0;
		const began = timeAt(Math.floor(times / 2), created);
		const date = timeAt(reader.integer(), Math.max(began, created));
		const since = isOpen ? reader.natural() : -1;
		const open = since < 0 ? 0 : since === 0 ? 1 : now + 1 - since;
		const told = isFresh ? now - reader.natural() : 0;
		const astray = more ? timeAt(reader.integer(), created) : 0;
		const waits = more ? timeAt(reader.integer(), created) : 0;
		const status = statuses[(word % 32) - 1] ?? '';
		known.set(Math.floor(word / 1_024), {
			created,
			began,
			date,
			own,
			told,
			first,
			open,
			status,
			astray,
			waits,
			silent,
		});
	}
	return known;
}
