import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Copy } from './copy';
import { type Mutant, root } from './list';
import { suitesNear } from './nearest';

export type Fate = 'died' | 'hung' | 'refused' | 'survived';

const store = join(root, '.cache', 'mutants', 'fates.json');

/** What died once dies again as long as its file is the same: after a new test only the survivors are tried. */
export class Fates {
	private readonly known: Record<string, Fate> = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
	/** Suites that were seen to pass without a mutant, or to fail. */
	private readonly green = new Set<string>();
	readonly red = new Set<string>();

	of = (mutant: Mutant): Fate | undefined => this.known[keyOf(mutant)];

	async find(copy: Copy, mutant: Mutant, room: string, nearest: number): Promise<Fate> {
		const suites = suitesNear(mutant.file, room, nearest).filter((suite) => !this.red.has(suite));
		const killer = suites.length === 0 ? 'none' : await copy.changed(mutant, () => copy.firstToFail(suites));
		if (killer === 'none')
			return (await copy.changed(mutant, () => copy.compiles())) ? 'survived' : this.keep(mutant, 'refused');
		if (killer === 'hung') return this.keep(mutant, 'hung');
		if (!this.green.has(killer)) {
			if ((await copy.firstToFail([killer])) !== 'none') {
				this.red.add(killer);
				return await this.find(copy, mutant, room, nearest);
			}
			this.green.add(killer);
		}
		return this.keep(mutant, 'died');
	}

	private keep(mutant: Mutant, fate: Fate): Fate {
		this.known[keyOf(mutant)] = fate;
		mkdirSync(dirname(store), { recursive: true });
		writeFileSync(store, JSON.stringify(this.known));
		return fate;
	}
}

function keyOf({ file, from, to, becomes }: Mutant): string {
	const text = readFileSync(join(root, file), 'utf8');
	return createHash('sha256')
		.update(JSON.stringify([file, text, from, to, becomes]))
		.digest('base64url');
}
