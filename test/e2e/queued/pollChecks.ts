import type { Queue } from '../queue';
import type { Checks, World } from '../suite';
import { Watched } from '../triggers/watched';

const minuteMs = 60_000;

/** The trigger polls in the main process, and its executions run on workers. */
export function pollChecks(world: World, queue: Queue): Checks {
	const { n8n, sandbox } = world;
	return {
		'a completion is reported once, whether the main process is there, is not, or is another one': async () => {
			const service = await sandbox();
			service.switches.lifecycle = 'manual';
			const now = service.clock.now();
			const ids = service.inquiries.seed(12, {
				status: 'RUNNING',
				createdFrom: now - 10 * minuteMs,
				createdTo: now - 5 * minuteMs,
				externalIdPrefix: 'run-',
			});
			const watched = await Watched.start(world);
			const ends = (numbers: number[]) => {
				for (const number of numbers) service.inquiries.finish(ids[number - 1]);
				return numbers.map((number): [string, string, string] => [`run-${number}`, 'completed', 'RUNNING']);
			};
			await watched.reports(ends([1, 2, 3]));
			const killed = async (numbers: number[], next: () => Promise<void>) => {
				// All that finished so far is reported, so that no poll hands anything over while n8n is killed.
				await n8n.kill();
				const expected = ends(numbers);
				await next();
				await watched.reports(expected);
			};
			await killed([4, 5], () => n8n.launch());
			await killed([6, 7, 8], () => queue.takeOver(n8n));
			await watched.reports(ends([9, 10, 11, 12]));
			await watched.stop();
		},
	};
}
