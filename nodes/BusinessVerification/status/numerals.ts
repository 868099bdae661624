const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const values = new Map([...alphabet].map((sign, index) => [sign, index]));

/** Numbers as text: five bits a sign, the sixth says that more follow. Negative ones take the odd places. */
export class Writer {
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

export class Reader {
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
