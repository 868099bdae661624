import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Copy } from './copy';
import { type Mutant, root } from './list';
import { suitesNear } from './nearest';
import { Yields } from './yields';

export type Fate = 'died' | 'hung' | 'refused' | 'survived';

const store = join(root, '.cache', 'mutants', 'fates.json');

/** What died once dies again as long as its file is the same: after a new test only the survivors are tried. */
export class Fates {
	private readonly known: Record<string, Fate> = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
	private readonly yields = new Yields();
	private readonly survivors = new Seen('survivors.json');
	/** Suites that were seen to pass without a mutant, or to fail. */
	private readonly green = new Seen('green.json');
	readonly red = new Set<string>();

	of = (mutant: Mutant, { sources }: Copy): Fate | undefined =>
		this.known[keyOf(mutant)] ?? (this.survivors.has(sources, keyOf(mutant)) ? 'survived' : undefined);

	async find(copy: Copy, mutant: Mutant, room: string, nearest: number): Promise<Fate> {
		const near = suitesNear(mutant.file, room, nearest).filter((suite) => !this.red.has(suite));
		const killer = await this.killerOf(copy, mutant, near);
		if (killer === 'none') {
			if (!(await copy.changed(mutant, () => copy.compiles()))) return this.keep(mutant, 'refused');
			this.survivors.add(copy.sources, keyOf(mutant));
			return 'survived';
		}
		if (killer === 'hung') return this.keep(mutant, 'hung');
		if (!this.green.has(copy.sources, killer)) {
			if ((await copy.run([killer])).ended !== 'green') {
				this.red.add(killer);
				return await this.find(copy, mutant, room, nearest);
			}
			this.green.add(copy.sources, killer);
		}
		return this.keep(mutant, 'died');
	}

	/** The suites that noticed most in the least time first: which of them run does not change, only when. */
	private async killerOf(copy: Copy, mutant: Mutant, near: string[]): Promise<string> {
		let left = this.yields.ordered(mutant.file, near);
		while (left.length > 0) {
			const { ended, killer, isTooLate, took } = await copy.changed(mutant, () => copy.run(left));
			if (ended === 'hung') return 'hung';
			this.yields.add(mutant.file, took, killer);
			if (killer === undefined) return 'none';
			// A busy machine is late too: a mutant is noticed if the suite fails again by itself.
			if (!isTooLate || (await copy.changed(mutant, () => copy.run([killer]))).ended !== 'green') return killer;
			left = left.slice(left.indexOf(killer) + 1);
		}
		return 'none';
	}

	private keep(mutant: Mutant, fate: Fate): Fate {
		this.known[keyOf(mutant)] = fate;
		mkdirSync(dirname(store), { recursive: true });
		writeFileSync(store, JSON.stringify(this.known));
		return fate;
	}
}

/** What was seen in these very sources, tests included: the next run need not try it again. */
class Seen {
	private readonly store: string;
	private known: { sources?: string; all: string[] };

	constructor(name: string) {
		this.store = join(root, '.cache', 'mutants', name);
		this.known = existsSync(this.store) ? JSON.parse(readFileSync(this.store, 'utf8')) : { all: [] };
	}

	has = (sources: string, one: string): boolean => this.known.sources === sources && this.known.all.includes(one);

	add(sources: string, one: string): void {
		this.known = { sources, all: [...(this.known.sources === sources ? this.known.all : []), one] };
		mkdirSync(dirname(this.store), { recursive: true });
		writeFileSync(this.store, JSON.stringify(this.known));
	}
}

function keyOf({ file, from, to, becomes }: Mutant): string {
	const text = readFileSync(join(root, file), 'utf8');
	return createHash('sha256')
		.update(JSON.stringify([file, text, from, to, becomes]))
		.digest('base64url');
}
