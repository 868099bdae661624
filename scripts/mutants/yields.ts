import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './list';

interface Yield {
	kills: number;
	ms: number;
}

/** How many mutants of a room each suite noticed, in how much time. */
export class Yields {
	private readonly of: Record<string, Yield>;

	constructor(private readonly store = join(root, '.cache', 'mutants', 'yields.json')) {
		this.of = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
	}

	/** The most mutants in the least time first. A suite that has not run yet counts as fast, so that each is tried early. */
	ordered(room: string, suites: string[]): string[] {
		const worth = (suite: string) => {
			const { kills, ms } = this.of[`${room} ${suite}`] ?? { kills: 0, ms: 0 };
			return (kills + 0.5) / (ms + 1000);
		};
		return [...suites].sort((a, b) => worth(b) - worth(a));
	}

	add(room: string, took: Record<string, number>, killer: string | undefined): void {
		for (const [suite, ms] of Object.entries(took)) {
			const known = this.of[`${room} ${suite}`] ?? { kills: 0, ms: 0 };
			this.of[`${room} ${suite}`] = { kills: known.kills + Number(suite === killer), ms: known.ms + ms };
		}
		mkdirSync(dirname(this.store), { recursive: true });
		writeFileSync(this.store, JSON.stringify(this.of));
	}
}
