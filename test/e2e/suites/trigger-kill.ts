import assert from 'node:assert/strict';
import type { Suite } from '../suite';
import { killAtHandOver } from '../triggers/killed';
import { Watched } from '../triggers/watched';

/**
 * n8n's usual scheduler saves what a trigger remembers and creates the execution in two steps. This measures what a kill
 * between them costs, without and with the look-back after a restart. `--runs` says how often n8n is killed.
 */
const kill: Suite = {
	checks(world) {
		const { runs = 3 } = world.size;
		return {
			[`${runs} kills while workflows are started: with the look-back nothing is lost`]: async () => {
				const service = await world.sandbox();
				service.switches.lifecycle = 'manual';
				const now = service.clock.now();
				const ids = service.inquiries.seed(runs, {
					status: 'RUNNING',
					createdFrom: now - 600_000,
					createdTo: now - 300_000,
				});
				const plain = await Watched.start(world);
				const looking = await Watched.start(world, { options: { recheckHours: 1 } });
				await plain.polls(1, 2);
				for (const id of ids) {
					await killAtHandOver(world, () => service.inquiries.finish(id));
					await plain.polls(1, 2);
				}
				const lost: Record<string, number> = {};
				for (const [name, watched] of Object.entries({ plain, looking })) {
					const handed = await watched.handed();
					const times = ids.map(
						(each) => handed.flatMap(({ events }) => events).filter(({ id }) => id === each).length,
					);
					lost[name] = times.filter((count) => count === 0).length;
					const crashed = handed.filter(({ status, events }) => status === 'crashed' && events.length > 0).length;
					console.log(
						`    ${name}: ${runs} kills, ${lost[name]} lost, ${times.filter((count) => count > 1).length} repeated; ` +
							`${crashed} of ${handed.length} executions were killed with their items`,
					);
				}
				assert.equal(lost.looking, 0);
			},
		};
	},
};

export default kill;
