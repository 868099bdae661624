import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './list';

interface Yield {
	runs: number;
	kills: number;
	ms: number;
}

const nothing: Yield = { runs: 0, kills: 0, ms: 0 };
/** What a suite did for other files of the room says less than what it did for this one. */
const forOthers = 0.3;
/** A suite that has not run yet counts as one that takes a second and notices every fourth mutant. */
const first = { runs: 2, kills: 0.5, ms: 1000 };

/** How many mutants each suite noticed, in how much time: of each file and of its folder. */
export class Yields {
	private readonly of: Record<string, Yield>;

	constructor(private readonly store = join(root, '.cache', 'mutants', 'yields.json')) {
		this.of = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
	}

	/** The most mutants in the least time first; where nothing is known, as given. */
	ordered(file: string, suites: string[]): string[] {
		const worth = (suite: string) => {
			const [here, around] = placesOf(file).map((place) => this.of[`${place} ${suite}`] ?? nothing);
			const kills = first.kills + here.kills + forOthers * around.kills;
			const runs = first.runs + here.runs + forOthers * around.runs;
			return kills / runs / ((first.ms + around.ms) / (1 + around.runs));
		};
		return [...suites].sort((a, b) => worth(b) - worth(a));
	}

	add(file: string, took: Record<string, number>, killer: string | undefined): void {
		for (const [suite, ms] of Object.entries(took))
			for (const place of placesOf(file)) {
				const known = this.of[`${place} ${suite}`] ?? nothing;
				const kills = known.kills + Number(suite === killer);
				this.of[`${place} ${suite}`] = { runs: known.runs + 1, kills, ms: known.ms + ms };
			}
		mkdirSync(dirname(this.store), { recursive: true });
		writeFileSync(this.store, JSON.stringify(this.of));
	}
}

const placesOf = (file: string) => [file, dirname(file)];
