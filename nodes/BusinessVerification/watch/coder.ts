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
 * of its field. A format is written down once, as calls of `natural` and `integer`: a `Writer` writes the values it is
 * given and returns them; a `Reader` returns those that were written, whatever it is given.
 */
export abstract class Coder {
	/** The text so far stands for the numbers from `low` to `high`. Each bit cuts them in two parts, as large as its odds. */
	protected low = 0;
	protected high = 64 * sign - 1;
	private readonly fields = new Map<string, Odds[][][]>();

	/** `value` plus 1 in binary: how many digits come after the first, then these. Fields of another `kind` have other odds. */
	natural(field: string, value: number, kind = 0): number {
		const kinds = this.fields.get(field) ?? [];
		if (kinds.length === 0) this.fields.set(field, kinds);
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
