import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Copy } from './copy';
import { type Mutant, root } from './list';
import { suitesNear } from './nearest';

/** Noticed by a test, or by none; what the compiler refuses and what makes a test hang says nothing about tests. */
export type Fate = 'noticed' | 'survived' | 'refused' | 'hung';

interface Known {
	/** A print of the sources and tests in which all of this was seen. */
	sources?: string;
	fates: Record<string, Fate>;
	/** Suites that pass without a mutant. */
	green: string[];
}

/** What became of mutants, as long as neither a source nor a test has changed: so a run that was cut short goes on. */
export class Fates {
	readonly red = new Set<string>();
	private readonly known: Known;
	private readonly store = join(root, '.cache', 'mutants', 'fates.json');

	constructor(sources: string) {
		const before: Known | undefined = existsSync(this.store) ? JSON.parse(readFileSync(this.store, 'utf8')) : undefined;
		this.known = before?.sources === sources ? before : { sources, fates: {}, green: [] };
	}

	of = (mutant: Mutant): Fate | undefined => this.known.fates[keyOf(mutant)];

	async find(copy: Copy, mutant: Mutant, room: string, nearest: number): Promise<void> {
		const near = suitesNear(mutant.file, room, nearest).filter((suite) => !this.red.has(suite));
		const killer = await this.killerOf(copy, mutant, near);
		if (killer === 'none') return this.keep(mutant, (await this.compiles(copy, mutant)) ? 'survived' : 'refused');
		if (killer === 'hung') return this.keep(mutant, 'hung');
		if (!this.known.green.includes(killer)) {
			if ((await copy.run([killer])).ended !== 'green') {
				this.red.add(killer);
				return await this.find(copy, mutant, room, nearest);
			}
			this.known.green.push(killer);
		}
		this.keep(mutant, 'noticed');
	}

	private compiles = (copy: Copy, mutant: Mutant) => copy.changed(mutant, () => copy.compiles());

	private async killerOf(copy: Copy, mutant: Mutant, near: string[]): Promise<string> {
		let left = near;
		while (left.length > 0) {
			const { ended, killer, isTooLate } = await copy.changed(mutant, () => copy.run(left));
			if (ended === 'hung') return 'hung';
			if (killer === undefined) return 'none';
			// A busy machine is late too: a mutant is noticed if the suite fails again by itself.
			if (!isTooLate || (await copy.changed(mutant, () => copy.run([killer]))).ended !== 'green') return killer;
			left = left.slice(left.indexOf(killer) + 1);
		}
		return 'none';
	}

	private keep(mutant: Mutant, fate: Fate): void {
		this.known.fates[keyOf(mutant)] = fate;
		mkdirSync(dirname(this.store), { recursive: true });
		writeFileSync(this.store, JSON.stringify(this.known));
	}
}

const keyOf = ({ file, from, to, becomes }: Mutant) => JSON.stringify([file, from, to, becomes]);
