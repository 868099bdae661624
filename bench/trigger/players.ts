import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Play } from './play';
import type { Score } from './score';

/** Nothing here is timed, so that as many play at once as there are processors. */
export async function playAll(plays: Play[]): Promise<Score[]> {
	const scores: Score[] = [];
	let next = 0;
	const go = async (player: ChildProcess) => {
		const ended = once(player, 'exit').then(() => Promise.reject(new Error('A process of the benchmark ended early')));
		for (let place = next++; place < plays.length; place = next++) {
			const answered = once(player, 'message') as Promise<[Score]>;
			player.send(plays[place]);
			[scores[place]] = await Promise.race([answered, ended]);
		}
		ended.catch(() => {});
		player.kill();
	};
	const start = () => fork(join(__dirname, 'player.ts'), { execArgv: ['--import', 'tsx'] });
	await Promise.all(Array.from({ length: availableParallelism() }, () => go(start())));
	return scores;
}
