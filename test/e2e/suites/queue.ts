import { Queue } from '../queue';
import { callChecks } from '../queued/callChecks';
import { editorChecks } from '../queued/editorChecks';
import { importChecks } from '../queued/importChecks';
import { pollChecks } from '../queued/pollChecks';
import { toolChecks } from '../queued/toolChecks';
import { waitChecks } from '../queued/waitChecks';
import type { Suite } from '../suite';

let queue: Queue;

/**
 * n8n in queue mode: the main process polls and enqueues, workers execute (manual runs too), webhook processors take the
 * calls. `--rows` says how many rows an import has, `--runs` how many callbacks come.
 */
const suite: Suite = {
	async prepare(host) {
		queue = await Queue.start(host);
		return { env: queue.env, logs: () => queue.logs(), close: () => queue.close() };
	},

	checks: (world) => ({
		'two workers and two webhook processors join the main process': () => queue.join(),
		...pollChecks(world, queue),
		...importChecks(world, queue),
		...callChecks(world, queue),
		...editorChecks(world, queue),
		...waitChecks(world),
		...toolChecks(world, queue),
	}),
};

export default suite;
